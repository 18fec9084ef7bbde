import { toFolded } from './fold.ts'

/** Index entries must stay short, and one letter may fold into several. */
const maxKeyLength = 500

/** The key by which a text is sorted and looked up. */
export function toSortKey(text: string): string {
  return toFolded(text).slice(0, maxKeyLength).toWellFormed()
}
