import { toVideoUrl } from '../../record/embed.ts'
import { toAsciiJson } from '../../record/json.ts'
import type { Duplicates } from '../../record/query/findings.ts'
import type { SameVideo, SameVideoQuery } from '../../record/query/same-video.ts'
import { fromBody } from '../../record/record.ts'
import type { RecordColumns } from '../columns/record-columns.ts'
import type { Database } from '../database.ts'
import { toMediaBits } from '../derive/derived-rows.ts'
import type { SlowReads } from '../store.ts'
import { createMemo } from './memo.ts'
import { createStatements } from './statements.ts'

/** Titles that several records have, by the index of titles. The caller checks whether they are in one event. */
const repeatedSql = `SELECT listing.id, category_id AS category, listing.title_key AS title FROM listing
  JOIN (SELECT title_key FROM listing GROUP BY title_key HAVING count(*) > 1) AS repeated
  ON repeated.title_key = listing.title_key ORDER BY listing.id`

/** Groups of records that may be the same talk, for callers who see drafts; remembered until the next change (decision 53). */
export function createDuplicateReader(
  db: Database,
  columns: RecordColumns,
  changesCounter: () => number,
  onStep: () => void,
): SlowReads['listDuplicates'] {
  const prepare = createStatements(db, onStep)
  /** Loaded before the snapshot, so that nothing from an older snapshot is kept for it. */
  let changes = changesCounter()
  const groups = createMemo<readonly Duplicates[]>(() => changes)

  async function findVideos(): Promise<readonly Duplicates[]> {
    await columns.refresh()
    if (!columns.isComplete()) await columns.loadAll()
    onStep()
    return toGroups('same_video', groupVideos(columns))
  }

  async function findTitles(): Promise<readonly Duplicates[]> {
    const rows = await prepare<{ id: number; category: number; title: string }>(repeatedSql).all()
    const titles = Map.groupBy(rows, ({ category, title }) => `${category} ${title}`)
    const ids = [...titles.values()].map((group) => group.map(({ id }) => id))
    return toGroups('same_title', ids)
  }

  /** Titles take much longer, because they are not in the columns. */
  async function findGroups(reason: Duplicates['reason'] | undefined): Promise<readonly Duplicates[]> {
    const videos = reason === 'same_title' ? [] : await groups('same_video', findVideos)
    const titles = reason === 'same_video' ? [] : await groups('same_title', findTitles)
    return [...videos, ...titles]
  }

  return ({ page, pageSize, reason }) => {
    changes = changesCounter()
    return db.transaction('read', async () => {
      const all = await findGroups(reason)
      const number = page === 'last' ? Math.max(1, Math.ceil(all.length / pageSize)) : page
      return { count: all.length, page: number, lines: all.slice((number - 1) * pageSize, number * pageSize) }
    })
  }
}

/** The ids of the records of each video that several have. */
function groupVideos({ data, toId }: RecordColumns): number[][] {
  const { videos } = data.arrays()
  const { flags } = data.counts.visible('all')
  const groups = new Map(Array.from(data.counts.sharedVideos('all'), (video): [number, number[]] => [video, []]))
  for (let slot = 1; slot < flags.length; slot++) {
    if (flags[slot] === 1) groups.get(videos[slot] ?? 0)?.push(toId(slot))
  }
  return [...groups.values()]
}

/** Ids ascend, and groups by their first ids. */
function toGroups(reason: Duplicates['reason'], groups: readonly (readonly number[])[]): Duplicates[] {
  return groups
    .filter(({ length }) => length > 1)
    .map((ids) => ({ reason, ids: ids.toSorted((a, b) => a - b) }))
    .sort((a, b) => (a.ids[0] ?? 0) - (b.ids[0] ?? 0))
}

const fileBits = toMediaBits(['mp4', 'webm', 'ogv', 'flv'])
/** Records per step: between two checks of the clock. */
const perStep = 5_000
/** A page must be ready within `--list-ms`; the rest of it takes a few milliseconds. */
const maxMs = 1_000

/**
 * Finds the records of a video. Source URLs have an index; URLs of files have none, so the bodies of all records with a
 * file are searched: a few tenths of a second for 100,000, and only if a URL is that of a file. `bodyContains` is the
 * engine's condition for a body that contains these bytes.
 */
export function createSameVideo(db: Database, bodyContains: string, onStep: () => void): SlowReads['findSameVideo'] {
  const bySource = db.query<{ id: number }, [string]>(
    `SELECT id FROM listing WHERE source_url = ? AND source_url <> '' ORDER BY id`,
  )
  const findLast = db.query<{ id: number | null }, []>('SELECT max(id) AS id FROM record')
  const withBytes = db.query<{ id: number; body: Uint8Array }, [Uint8Array, number, number]>(
    `SELECT record.id, body FROM listing JOIN record ON record.id = listing.id
     WHERE ${bodyContains} AND (media & ${fileBits}) <> 0 AND listing.id > ? AND listing.id <= ?`,
  )

  /** `name` is the end of the URLs, from their last slash on. */
  async function findByFile(name: string, wanted: readonly string[], untilMs: number): Promise<SameVideo> {
    const last = (await findLast.get())?.id ?? 0
    const bytes = Buffer.from(toAsciiJson(name).slice(1))
    const ids: number[] = []
    for (let from = 0; from < last; from += perStep) {
      onStep()
      if (performance.now() > untilMs) return { ids, isPartial: true }
      for (const { id, body } of await withBytes.all(bytes, from, from + perStep)) {
        const { video_ogv_url: ogv, video_mp4_url: mp4, video_webm_url: webm, video_flv_url: flv } = fromBody(body)
        if ([ogv, mp4, webm, flv].some((url) => wanted.includes(url ?? ''))) ids.push(id)
      }
    }
    return { ids, isPartial: false }
  }

  async function find({ urls, limit }: SameVideoQuery): Promise<SameVideo> {
    const ids = new Set<number>()
    for (const url of new Set(urls.map(toVideoUrl))) {
      for (const { id } of await bySource.all(url)) ids.add(id)
    }
    const untilMs = performance.now() + maxMs
    let isPartial = false
    for (const name of new Set(urls.filter(isFileUrl).map(toFileName))) {
      const found = await findByFile(name, urls, untilMs)
      for (const id of found.ids) ids.add(id)
      isPartial ||= found.isPartial
    }
    return { ids: [...ids].sort((a, b) => a - b).slice(0, limit), isPartial }
  }
  return (query) => db.transaction('read', () => find(query))
}

const toFileName = (url: string) => url.slice(url.lastIndexOf('/'))

/** Whether a URL looks like that of a media file. */
const isFileUrl = (url: string) =>
  /\.(?:mp4|m4v|mov|webm|mkv|ogv|ogg|ogm|flv|f4v|avi|wmv|mpe?g)$/i.test(URL.parse(url)?.pathname ?? '')
