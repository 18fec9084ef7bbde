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

/** A form that was sent by an author with this key. */
export interface SentFormQuery {
  readonly author: string
  readonly key: string
}

/** URLs of one video; a record with any of them matches. */
export interface SameVideoQuery {
  readonly urls: readonly string[]
  readonly limit: number
}

export interface SameVideo {
  /** In ascending order. */
  readonly ids: readonly number[]
  /** Whether the search stopped at its time limit, before all records. */
  readonly isPartial: boolean
}
