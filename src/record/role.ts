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
