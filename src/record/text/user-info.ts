/** A text without the names and passwords in its addresses: `http://ann:secret@host/` -> `http://host/`. */
export function withoutUserInfo(text: string): string {
  const [before = '', ...addresses] = text.split('://')
  return [before, ...addresses.map(withoutUser)].join('://')
}

/** What stands behind `://` begins with a host, before which a user may stand, up to the last `@`. */
function withoutUser(rest: string): string {
  const end = rest.search(/[\s/?#\\]/)
  const authority = end < 0 ? rest : rest.slice(0, end)
  return rest.slice(authority.lastIndexOf('@') + 1)
}

/** The same of what should be an address and may be none, for messages: a password may have any sign in it. */
export function toPublicAddress(given: string): string {
  const [start, end] = [given.indexOf('://'), given.lastIndexOf('@')]
  return start < 0 || end < start ? given : `${given.slice(0, start)}://${given.slice(end + 1)}`
}
