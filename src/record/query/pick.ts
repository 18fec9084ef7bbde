export const pickKinds = ['speaker', 'tag', 'category'] as const
export type PickKind = (typeof pickKinds)[number]

/** Names to choose from while somebody types one, for callers who see drafts. */
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
  /** A name that was merged into this one, if that is what was typed; else null. */
  readonly alias: string | null
}

/** A form that was sent by an author with this key. */
export interface SentFormQuery {
  readonly author: string
  readonly key: string
}

/** Addresses of one video: any of them is looked for. */
export interface SameVideoQuery {
  readonly addresses: readonly string[]
  readonly limit: number
}

export interface SameVideo {
  /** In ascending order. */
  readonly ids: readonly number[]
  /** Whether not all records were searched, since that would have taken too long. */
  readonly isPartial: boolean
}
