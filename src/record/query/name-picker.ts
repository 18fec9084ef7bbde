export const pickKinds = ['speaker', 'tag', 'category'] as const
export type PickKind = (typeof pickKinds)[number]

/** Names that match what a curator is typing; drafts count. */
export interface PickQuery {
  readonly kind: PickKind
  /** Folded beginning of any word of a name; `""` for the most used names. */
  readonly prefix: string
  readonly limit: number
}

export interface PickedName {
  readonly text: string
  /** How many records have it, drafts included. */
  readonly count: number
  /** The merged name that matched, if it was not this one; else null. */
  readonly alias: string | null
}
