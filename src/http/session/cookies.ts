import { maxAgeMs } from '../../record/session.ts'

/** Reads and writes the cookies of pages under `/edit` (decision 57). */
export interface SessionCookies {
  /** The secret of the session in a Cookie header; null without one. */
  findSession(header: string | null): string | null
  /** In local mode, the secret that forms are bound to. */
  findLocal(header: string | null): string | null
  toSession(secret: string): string
  /** Removes the cookie. */
  toEnded(): string
  toLocal(secret: string): string
}

/** `baseUrl` is the configured one: only that says whether browsers always use TLS. */
export function createSessionCookies(baseUrl: string | null): SessionCookies {
  const { protocol, pathname } = new URL(baseUrl ?? 'http://localhost')
  const isSecure = protocol === 'https:'
  const name = isSecure ? '__Secure-rostrum_session' : 'rostrum_session'
  const attributes = `Path=${pathname.replace(/\/$/, '')}/edit; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return {
    findSession: (header) => findSecret(header, name),
    findLocal: (header) => findSecret(header, 'rostrum_local'),
    toSession: (secret) => `${name}=${secret}; Max-Age=${maxAgeMs / 1_000}; ${attributes}`,
    toEnded: () => `${name}=; Max-Age=0; ${attributes}`,
    toLocal: (secret) => `rostrum_local=${secret}; ${attributes}`,
  }
}

/** 256 random bits. */
export function createSecret(): string {
  return crypto.getRandomValues(Buffer.alloc(32)).toString('base64url')
}

/**
 * Null if there are several cookies of the name. Then a host of the same domain has set one of them, and we cannot tell
 * which.
 */
function findSecret(header: string | null, name: string): string | null {
  const found = (header ?? '').split(';').flatMap((pair) => {
    const at = pair.indexOf('=')
    return at >= 0 && pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : []
  })
  const [secret] = found
  return found.length === 1 && secret !== undefined && /^[A-Za-z0-9_-]{43}$/.test(secret) ? secret : null
}
