import { CommandFailure, exitCodes } from '../command-failure.ts'
import { toHttpUrl } from '../http/host.ts'

export interface ReservedPort {
  readonly port: number
  /** To be called when the threads listen. */
  release(): void
}

/**
 * Binds the port once without `reusePort`, which would hide another process on it, and lets go of it for the threads.
 * Also picks the number where 0 was asked for, so that all threads get the same.
 */
export async function reservePort(hostname: string, port: number): Promise<ReservedPort> {
  try {
    const probe = Bun.serve({ hostname, port, reusePort: false, fetch: () => new Response(null, { status: 503 }) })
    const chosen = probe.port ?? port
    const release = holdName(hostname, chosen)
    await probe.stop(true)
    return { port: chosen, release }
  } catch (error) {
    throw new CommandFailure(exitCodes.unavailable, toReason(error, hostname, port))
  }
}

/**
 * Between our letting go and the threads' binding, another Rostrum could slip in. So the port's name is held as an
 * abstract socket, which has no file and ends with the process. Only Linux has them, and only there threads share a port.
 */
function holdName(hostname: string, port: number): () => void {
  if (process.platform !== 'linux') return () => undefined
  const holder = Bun.listen({
    unix: `\0rostrum-${process.getuid?.() ?? 0}-${hostname}-${port}`,
    socket: { data: () => undefined },
  })
  return () => holder.stop(true)
}

function toReason(error: unknown, hostname: string, port: number): string {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  const url = toHttpUrl(hostname, port)
  if (code === 'EADDRINUSE')
    return `Port ${port} is taken: something else listens at ${url}. Stop it, or choose another with --port.`
  if (code === 'EACCES') return `Listening at ${url} is not permitted. Choose a port above 1023 with --port.`
  return `Cannot listen at ${url}: is --host an address of this machine?`
}
