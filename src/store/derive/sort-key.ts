import { toFolded } from '../../record/text/fold.ts'

/** Some letters fold into many; what stands in an index must be short. */
const maxKeyLength = 500

/** What a text is sorted and looked up by. */
export function toSortKey(text: string): string {
  return toFolded(text).slice(0, maxKeyLength).toWellFormed()
}
