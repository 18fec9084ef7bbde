import type { Environment } from '../settings/config.ts'

/** Tells systemd how the service is doing; does nothing under another supervisor. */
export interface Systemd {
  /** The service answers. From now on a watchdog, if the unit has one, hears of it regularly. */
  ready(): void
  stopping(): void
}

/**
 * Through `systemd-notify`, since the runtime cannot send to the socket itself; the unit needs `NotifyAccess=all`. Where the
 * program is missing, nothing is told, and systemd reports that.
 */
export function createSystemd(environment: Environment): Systemd {
  if ((environment.NOTIFY_SOCKET ?? '') === '') return { ready: () => undefined, stopping: () => undefined }
  const watchdogMs = Number(environment.WATCHDOG_USEC ?? '0') / 1_000
  let timer: Timer | undefined
  return {
    ready() {
      notify('--ready')
      // Half of the time, as systemd advises.
      if (watchdogMs > 0) timer = setInterval(() => notify('WATCHDOG=1'), watchdogMs / 2)
    },
    stopping() {
      clearInterval(timer)
      notify('STOPPING=1')
    },
  }
}

function notify(message: string): void {
  const command = Bun.which('systemd-notify')
  if (command !== null) Bun.spawn([command, message], { stdio: ['ignore', 'ignore', 'inherit'] })
}
