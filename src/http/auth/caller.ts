import type { Author, Role } from '../../record/role.ts'

/** Who sends a request, according to its token, its session or local mode. */
export interface Caller {
  readonly name: string
  readonly role: Role
  readonly tokenId: number | null
  /** Whether the token is limited to events. */
  readonly isLimited?: boolean
  /** When the token expires, by the wall clock; null: never. */
  readonly expiresMs: number | null
  /** Null except on pages under `/edit`. */
  readonly session: CallerSession | null
}

/** The part of a session that pages need. The cookie stays on the thread that received it. */
export interface CallerSession {
  /** As the store names it, in base64url; null in local mode, which has no sessions. */
  readonly hash: string | null
  /** The value of `csrf` in forms. */
  readonly formToken: string
}

/** The author of what the caller changes. */
export function toAuthor({ name, role, tokenId, isLimited = false }: Caller): Author {
  return { name, role, ...(isLimited && tokenId !== null ? { limitedBy: tokenId } : {}) }
}
