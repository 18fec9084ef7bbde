import type { PickedName, PickQuery, SameVideo, SameVideoQuery, SentFormQuery } from '../record/query/pick.ts'

/** What assists a person who edits a record, for callers who see drafts. */
export interface EditorReads {
  /** Names that begin like what was typed first, then those with a word that does; each the most used first. */
  pickNames(query: PickQuery): Promise<readonly PickedName[]>
  /** Records, drafts included, that have the video as their source or as a file. */
  findSameVideo(query: SameVideoQuery): Promise<SameVideo>
  /** The id of the record that a form has made with its idempotency key, or null; remembered for a day. */
  findMade(query: SentFormQuery): Promise<{ readonly id: number } | null>
}
