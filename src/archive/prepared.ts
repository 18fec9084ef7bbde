import { toDefaults } from '../record/record.ts'
import { toWords, type Words } from '../record/search-text.ts'
import type { Incoming, IncomingCategory, IncomingProblem, IncomingTalk } from './incoming.ts'
import { type Kept, toKept } from './kept.ts'
import { type Fileable, toFile } from './pyvideo.ts'

/** A talk of which everything is known that can be without the store. Nothing but JSON, so that threads can send it. */
export interface PreparedTalk extends Omit<IncomingTalk, 'original'> {
  /** What its record will not say; the record's slug is open. */
  readonly kept: Kept | null
  /** Those of its record, where there was time to make them. */
  readonly words: Words | null
}

export type Prepared = PreparedTalk | IncomingCategory | IncomingProblem

export function prepare(incoming: Incoming, withWords: boolean): Prepared {
  if (incoming.is !== 'talk') return incoming
  const { original, ...talk } = incoming
  // The source was read as a whole, so all fields have values; the slug is the store's to find.
  const record = { ...toDefaults(), ...talk.changes, slug: '' } as Fileable
  return {
    ...talk,
    kept: original === null ? null : toKept(original, toFile(record), 'slug'),
    words: withWords ? toWords(record) : null,
  }
}

/** One after the other, where no thread of their own reads them. */
export async function* prepareAll(all: AsyncIterable<Incoming>): AsyncIterable<Prepared> {
  for await (const each of all) yield prepare(each, false)
}
