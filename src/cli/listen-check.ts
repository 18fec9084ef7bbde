import { CommandFailure, exitCodes } from './failure.ts'
import { toHttpUrl } from './http-url.ts'

/**
 * Binds the port once without `reusePort`, which would hide another process on it, and lets go of it again. Also
 * picks the number where 0 was asked for, so that all threads get the same.
 */
export async function reservePort(hostname: string, port: number): Promise<number> {
  try {
    const probe = Bun.serve({ hostname, port, reusePort: false, fetch: () => new Response(null, { status: 503 }) })
    const chosen = probe.port ?? port
    await probe.stop(true)
    return chosen
  } catch (error) {
    throw new CommandFailure(exitCodes.unavailable, toReason(error, hostname, port))
  }
}

function toReason(error: unknown, hostname: string, port: number): string {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  const url = toHttpUrl(hostname, port)
  if (code === 'EADDRINUSE')
    return `Port ${port} is taken: something else listens at ${url}. Stop it, or choose another with --port.`
  if (code === 'EACCES') return `Listening at ${url} is not permitted. Choose a port above 1023 with --port.`
  return `Cannot listen at ${url}: is --host an address of this machine?`
}
