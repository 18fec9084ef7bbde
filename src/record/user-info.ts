/** A text without the names and passwords in its addresses: `http://ann:secret@host/` -> `http://host/`. */
export function withoutUserInfo(text: string): string {
  return text.replace(/:\/\/[^\s/?#\\]*@/g, '://')
}

/** The same of what should be an address and may be none, for messages: a password may have any sign in it. */
export function toShownAddress(given: string): string {
  const [start, end] = [given.indexOf('://'), given.lastIndexOf('@')]
  return start < 0 || end < start ? given : `${given.slice(0, start)}://${given.slice(end + 1)}`
}
