/** A store that was judged, and is ours or new. */
export interface CheckedStore {
  /** The real one, behind all links. */
  readonly path: string
  /** How messages call it. */
  readonly shown: string
  readonly isNew: boolean
}
