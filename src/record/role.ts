/** Each role includes the rights of the ones before it. */
export const roles = ['reader', 'editor', 'publisher', 'admin'] as const
export type Role = (typeof roles)[number]

export function isRole(word: string): word is Role {
  return roles.some((role) => role === word)
}

export function hasRole(role: Role | null, needed: Role): boolean {
  return role !== null && roles.indexOf(role) >= roles.indexOf(needed)
}

/** The caller: the name of their token is stored with each version. */
export interface Author {
  readonly name: string
  readonly role: Role
  /** The id of their token, if it is limited to events. */
  readonly limitedBy?: number
  /** The titles of these events. The writer fills them in, within its transaction. */
  readonly events?: readonly string[]
}

/** Whether a category is none of those that the author is limited to. */
export const isOutside = ({ events }: Author, category: string) => events !== undefined && !events.includes(category)

/** Authors stop their own batches, admins all. `by` is the author of the batch. */
export function mayStop({ name, role }: Author, by: string): boolean {
  return role === 'admin' || name === by
}

/** As a stop, but an author who is only a reader now cannot undo. */
export function mayUndo(author: Author, by: string): boolean {
  return mayStop(author, by) && hasRole(author.role, 'editor')
}
