import { toVideoUrl } from '../../record/embed.ts'
import { toAsciiJson } from '../../record/json.ts'
import type { DuplicatePair, Duplicates, DuplicatesQuery } from '../../record/query/findings.ts'
import { fromBody } from '../../record/record.ts'
import type { RecordColumns } from '../columns/record-columns.ts'
import type { Database } from '../database.ts'
import { toMediaBits } from '../derive/derived-rows.ts'
import type { SameVideo, SameVideoQuery } from '../list-reads.ts'
import type { SlowReads } from '../store.ts'
import { toMergedSql } from '../write/duplicate-rows.ts'
import { createMemo } from './memo.ts'
import { createStatements } from './statements.ts'

/** Titles that several records have, by the index of titles. The caller checks whether they are in one event. */
const repeatedSql = `SELECT listing.id, category_id AS category, listing.title_key AS title FROM listing
  JOIN (SELECT title_key FROM listing GROUP BY title_key HAVING count(*) > 1) AS repeated
  ON repeated.title_key = listing.title_key ORDER BY listing.id`

/** A draft that was live once, or that was merged: somebody has decided. A draft that was never live is still open. */
const withdrawnSql = `SELECT id FROM listing WHERE ${toMergedSql('listing')} OR (state <> 1 AND EXISTS (
    SELECT 1 FROM version WHERE record_id = listing.id AND version.state = 1 AND kind = 'created'))`

interface Pair {
  readonly low: number
  readonly high: number
}

const pairsSql = 'SELECT low_id AS low, high_id AS high FROM distinct_pair'

/** Groups of records that may be the same talk, for callers who see drafts; remembered until the next change (decision 53). */
export function createDuplicateReader(
  db: Database,
  columns: RecordColumns,
  changesCounter: () => number,
  onStep: () => void,
): Pick<SlowReads, 'listDuplicates' | 'listDuplicatePairs'> {
  const prepare = createStatements(db, onStep)
  /** Loaded before the snapshot, so that nothing from an older snapshot is kept for it. */
  let changes = changesCounter()
  const groups = createMemo<readonly OpenGroup[]>(() => changes)

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

  /** Without what curators have decided: withdrawn and merged records, and those that are called different. */
  async function findOpen(find: () => Promise<readonly Duplicates[]>): Promise<readonly OpenGroup[]> {
    const found = await find()
    if (found.length === 0) return []
    const withdrawn = new Set((await prepare<{ id: number }>(withdrawnSql).all()).map(({ id }) => id))
    const distinct = new Set((await prepare<Pair>(pairsSql).all()).map(({ low, high }) => `${low} ${high}`))
    return inOrder(found.flatMap(({ reason, ids }) => splitGroup(reason, ids, withdrawn, distinct)))
  }

  /** Titles take much longer, because they are not in the columns. */
  async function findGroups(reason: Duplicates['reason'] | undefined): Promise<readonly OpenGroup[]> {
    const videos = reason === 'same_title' ? [] : await groups('same_video', () => findOpen(findVideos))
    const titles = reason === 'same_video' ? [] : await groups('same_title', () => findOpen(findTitles))
    return [...videos, ...titles]
  }

  function listPage<Line>({ page, pageSize, reason }: DuplicatesQuery, toLines: (group: OpenGroup) => readonly Line[]) {
    changes = changesCounter()
    return db.transaction('read', async () => {
      const all = (await findGroups(reason)).flatMap(toLines)
      const number = page === 'last' ? Math.max(1, Math.ceil(all.length / pageSize)) : page
      return { count: all.length, page: number, lines: all.slice((number - 1) * pageSize, number * pageSize) }
    })
  }

  return {
    listDuplicates: (query) => listPage(query, ({ reason, ids }) => [{ reason, ids }]),
    listDuplicatePairs: (query) => listPage(query, toPairs),
  }
}

/** A group of records of which nobody has decided. Its pairs connect all of them. */
interface OpenGroup extends Duplicates {
  readonly pairs: readonly DuplicatePair['ids'][]
}

const toPairs = ({ reason, ids: group, pairs }: OpenGroup): DuplicatePair[] =>
  pairs.map((ids) => ({ reason, ids, group }))

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
  return inOrder(
    groups.filter(({ length }) => length > 1).map((ids) => ({ reason, ids: ids.toSorted((a, b) => a - b) })),
  )
}

const inOrder = <Group extends Duplicates>(groups: readonly Group[]) =>
  groups.toSorted((a, b) => (a.ids[0] ?? 0) - (b.ids[0] ?? 0))

/** The parts of a group that are still connected by pairs which nobody has called different. */
function splitGroup(
  reason: Duplicates['reason'],
  ids: readonly number[],
  withdrawn: ReadonlySet<number>,
  distinct: ReadonlySet<string>,
): OpenGroup[] {
  let rest = ids.filter((id) => !withdrawn.has(id))
  const parts: OpenGroup[] = []
  while (rest.length > 0) {
    const part = rest.slice(0, 1)
    const pairs: DuplicatePair['ids'][] = []
    rest = rest.slice(1)
    for (const id of part) {
      const toIds = (other: number) => [Math.min(id, other), Math.max(id, other)] as const
      const joined = rest.filter((other) => !distinct.has(toIds(other).join(' ')))
      part.push(...joined)
      pairs.push(...joined.map(toIds))
      rest = rest.filter((other) => !joined.includes(other))
    }
    if (part.length > 1) parts.push({ reason, ids: part.toSorted((a, b) => a - b), pairs })
  }
  return parts
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
