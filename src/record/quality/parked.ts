/** Begins the whiteboard of a draft that nobody will finish. Curators set and clear it, and programs see it (decision 60). */
export const parkedMark = '[parked]'

/** In any case, since people type it too. */
export function isParked(whiteboard: string): boolean {
  return whiteboard.trimStart().slice(0, parkedMark.length).toLowerCase() === parkedMark
}

/** The whiteboard with the mark. What was on it stays. */
export function toParked(whiteboard: string): string {
  if (isParked(whiteboard)) return whiteboard
  return whiteboard === '' ? parkedMark : `${parkedMark} ${whiteboard}`
}

/** The whiteboard without the mark: what `toParked` was given. */
export function toUnparked(whiteboard: string): string {
  if (!isParked(whiteboard)) return whiteboard
  const rest = whiteboard.trimStart().slice(parkedMark.length)
  return rest.startsWith(' ') ? rest.slice(1) : rest
}
