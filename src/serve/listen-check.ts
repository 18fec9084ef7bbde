import { CommandFailure, exitCodes } from '../command-failure.ts'
import { toErrorCode } from '../error-code.ts'
import { toHttpUrl } from '../http/host.ts'

export interface ReservedPort {
  readonly port: number
  /** To be called once the threads listen. */
  release(): void
}

/**
 * Binds the port once without `reusePort`, which would hide another process on it, then frees it for the threads. Also
 * picks the number for port 0, so that all threads get the same one.
 */
export async function reservePort(hostname: string, port: number): Promise<ReservedPort> {
  try {
    const probe = Bun.serve({ hostname, port, reusePort: false, fetch: () => new Response(null, { status: 503 }) })
    const chosen = probe.port ?? port
    const release = holdName(hostname, chosen)
    await probe.stop(true)
    return { port: chosen, release }
  } catch (error) {
    throw new CommandFailure(exitCodes.unavailable, toListenProblem(error, hostname, port, '--port'))
  }
}

/**
 * Another Rostrum could bind the port after we free it and before the threads bind it. An abstract socket named after
 * the port prevents that; it has no file and ends with the process. Only Linux has abstract sockets, and only there do
 * threads share a port.
 */
function holdName(hostname: string, port: number): () => void {
  if (process.platform !== 'linux') return () => undefined
  const holder = Bun.listen({
    unix: `\0rostrum-${process.getuid?.() ?? 0}-${hostname}-${port}`,
    socket: { data: () => undefined },
  })
  return () => holder.stop(true)
}

/** `flag` is the one that sets the port. */
export function toListenProblem(error: unknown, hostname: string, port: number, flag: string): string {
  const code = toErrorCode(error)
  const url = toHttpUrl(hostname, port)
  if (code === 'EADDRINUSE')
    return `Port ${port} is taken: something else listens at ${url}. Stop it, or choose another with ${flag}.`
  if (code === 'EACCES') return `Listening at ${url} is not permitted. Choose a port above 1023 with ${flag}.`
  return `Cannot listen at ${url}: is ${flag === '--port' ? '--host' : flag} an address of this machine?`
}
