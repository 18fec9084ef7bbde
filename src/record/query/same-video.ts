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
