import type { ArchiveSource } from './incoming.ts'
import type { PreparedEntry } from './prepared.ts'

/** Nothing more has been read yet: time to store what there is. */
export interface IdleSignal {
  readonly is: 'lull'
}

/** A source whose talks come prepared, whoever reads them. */
export interface OpenSource extends Omit<ArchiveSource, 'read'> {
  readonly is: 'source'
  all(): AsyncIterable<PreparedEntry | IdleSignal>
  /** Lets go of what it takes, read or not. */
  close(): void
}

export type OpenedSource =
  | OpenSource
  /** A store's own dump, which is more than records. */
  | { readonly is: 'dump' }
  | { readonly is: 'refused'; readonly problem: string }
