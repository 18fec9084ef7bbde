import { CommandFailure, createUsageFailure, exitCodes } from '../command-failure.ts'
import { toErrorCode } from '../error-code.ts'
import { toHttpUrl, toReachableHost } from '../http/host.ts'
import { readSetting } from '../settings/config.ts'
import { settings } from '../settings/settings.ts'
import type { Flags } from './terminal/arguments.ts'
import { printError } from './terminal/output.ts'

const timeoutMs = 3_000

/** `rostrum ready`: asks the server with these settings whether it is ready, for health checks of containers. */
export async function checkReady(args: readonly string[], flags: Flags): Promise<void> {
  if (args.length > 0) throw createUsageFailure('ready', '"ready" takes options only.')
  const host = toReachableHost(readSetting(settings.host, flags))
  const url = `${toHttpUrl(host, readSetting(settings.port, flags))}/readyz`
  const status = await ask(url)
  if (status !== 200) throw new CommandFailure(exitCodes.unavailable, `${url} answers ${status}.`)
  printError(`${url} is ready.\n`)
}

async function ask(url: string): Promise<number> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(timeoutMs), redirect: 'manual' })).status
  } catch (error) {
    throw new CommandFailure(exitCodes.unavailable, `${url} does not answer (${toErrorCode(error) ?? 'timeout'}).`)
  }
}
