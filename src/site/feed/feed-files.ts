import type { VideoRecord } from '../../record/record.ts'
import { findFileBytes } from '../media/file-bytes.ts'

/** Formats of podcasts, the most widely played first. */
export const fileFormats = ['mp4', 'webm', 'ogv'] as const
export type FileFormat = (typeof fileFormats)[number]

const types: { readonly [F in FileFormat]: string } = { mp4: 'video/mp4', webm: 'video/webm', ogv: 'video/ogg' }

export interface TalkFile {
  readonly url: string
  readonly type: string
  /** Null if unknown. */
  readonly bytes: number | null
}

export function findFile(record: VideoRecord, format: FileFormat): TalkFile | null {
  const url = record[`video_${format}_url`]
  if (url === null || url === '') return null
  return { url, type: types[format], bytes: findFileBytes(record, format) }
}

export function listFiles(record: VideoRecord): TalkFile[] {
  return fileFormats.flatMap((format) => findFile(record, format) ?? [])
}
