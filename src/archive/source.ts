import type { Source } from './incoming.ts'
import type { Prepared } from './prepared.ts'

/** Nothing more has been read yet: time to store what there is. */
export interface Lull {
  readonly is: 'lull'
}

/** A source whose talks come prepared, whoever reads them. */
export interface OpenSource extends Omit<Source, 'read'> {
  readonly is: 'source'
  all(): AsyncIterable<Prepared | Lull>
  /** Lets go of what it takes, read or not. */
  close(): void
}

export type Opened =
  | OpenSource
  /** A store's own dump, which is more than records. */
  | { readonly is: 'dump' }
  | { readonly is: 'refused'; readonly problem: string }
