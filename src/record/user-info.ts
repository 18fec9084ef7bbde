/** A text without the names and passwords in its addresses: `http://ann:secret@host/` -> `http://host/`. */
export function withoutUserInfo(text: string): string {
  return text.replace(/:\/\/[^\s/?#\\]*@/g, '://')
}
