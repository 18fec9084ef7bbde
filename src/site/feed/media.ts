import type { VideoRecord } from '../../record/record.ts'
import type { Site } from '../site.ts'
import { listFiles } from './feed-files.ts'
import { toSummary } from './feed-text.ts'
import { element, type XmlElement } from './xml.ts'

/** The files of a talk as Media RSS. */
export function toMediaGroup({ settings }: Site, record: VideoRecord): XmlElement {
  const { title, description, summary, duration, thumbnail_url: thumbnail } = record
  const text = toSummary(description.trim() === '' ? summary : description)
  return element(
    'media:group',
    {},
    element('media:title', { type: 'plain' }, title),
    listFiles(record).map(({ url, type, bytes }) =>
      element('media:content', { url, type, medium: 'video', fileSize: bytes, duration }),
    ),
    settings.hasThumbnails && thumbnail !== '' && element('media:thumbnail', { url: thumbnail }),
    text !== '' && element('media:description', { type: 'plain' }, text),
  )
}
