import { isWritableName, type WritableName } from '../record/fields.ts'
import type { Changes } from '../record/record.ts'
import type { Unfit } from './fit.ts'

/** What a file's `videos` become. */
const mediaFields = [
  'source_url',
  'video_mp4_url',
  'video_mp4_length',
  'video_webm_url',
  'video_webm_length',
  'video_ogv_url',
  'video_ogv_length',
  'video_flv_url',
  'video_flv_length',
] as const satisfies readonly WritableName[]

/** The fields that a record which is there already keeps as they are, since what came for them was no value of theirs. */
export function listLeft(unfit: readonly Unfit[], changes: Changes): readonly WritableName[] {
  const isEmpty = (name: WritableName) => changes[name] === '' || changes[name] === null
  return unfit.flatMap(({ field }): readonly WritableName[] => {
    if (field === 'videos') return mediaFields.filter(isEmpty)
    return isWritableName(field) ? [field] : []
  })
}
