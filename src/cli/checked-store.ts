/** A store that can be used, as far as one look tells. */
export interface CheckedStore {
  /** The real one, behind all links. */
  readonly path: string
  /** How messages call it. */
  readonly shown: string
  readonly isNew: boolean
}
