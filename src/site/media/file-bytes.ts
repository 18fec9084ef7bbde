import type { VideoRecord } from '../../record/record.ts'

/** A recording has more: some sources give seconds or kilobytes where bytes belong. */
const minBytesPerSecond = 1_000

/** The size of a file; null if it is unknown, or too small for the length of the talk. */
export function findFileBytes(record: VideoRecord, format: 'mp4' | 'webm' | 'ogv' | 'flv'): number | null {
  const bytes = record[`video_${format}_length`]
  return bytes !== null && bytes >= minBytesPerSecond * (record.duration ?? 1) ? bytes : null
}
