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
}

/** Authors stop their own batches, admins all. `by` is the author of the batch. */
export function mayStop({ name, role }: Author, by: string): boolean {
  return role === 'admin' || name === by
}

/** As a stop, but an author who is only a reader now cannot undo. */
export function mayUndo(author: Author, by: string): boolean {
  return mayStop(author, by) && hasRole(author.role, 'editor')
}
