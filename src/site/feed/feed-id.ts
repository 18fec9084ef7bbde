import type { VideoRecord } from '../../record/record.ts'
import type { FirstCategory } from '../../store/site-reads.ts'

/** Random, and never to be changed: every id of every feed depends on it. */
const namespace = '885a0503-ea5b-4ba0-811a-f9c29f803940'

/** Of a talk: made from fields that never change, whatever the archive is called and wherever it moves (decision 48). */
export function toTalkUuid({ id, slug, added }: Pick<VideoRecord, 'id' | 'slug' | 'added'>): string {
  return Bun.randomUUIDv5(`video ${id} ${slug} ${added}`, namespace)
}

/** Of one change of a talk: its version never changes either. */
export function toChangeUuid(talk: Pick<VideoRecord, 'id' | 'slug' | 'added'>, version: number): string {
  return Bun.randomUUIDv5(`change ${toTalkUuid(talk)} ${version}`, namespace)
}

/** Of a feed: its key is unique within an archive, and the first event tells archives apart. */
export function toFeedUuid(archive: FirstCategory | null, key: string): string {
  return Bun.randomUUIDv5(`feed ${archive?.slug ?? ''} ${archive?.added ?? ''} ${key}`, namespace)
}
