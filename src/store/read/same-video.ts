import { toVideoAddress } from '../../record/embed/embed.ts'
import { fromBody, toAsciiJson } from '../../record/json/body-bytes.ts'
import type { SameVideo, SameVideoQuery } from '../../record/query/pick.ts'
import type { Database } from '../database.ts'
import { toMediaBits } from '../derive/listing.ts'
import type { SlowReads } from '../store.ts'

const fileBits = toMediaBits(['mp4', 'webm', 'ogv', 'flv'])
/** Records that are searched between two looks at the clock. */
const perStep = 5_000
/** A page has to be made within `--list-ms`; the rest of it takes a few milliseconds. */
const maxMs = 1_000

/**
 * Finds the records of a video. Sources have an index; the addresses of files have none, so the bodies of all records
 * with a file are searched: a few tenths of a second for 100,000, and only if an address is that of a file.
 * `bodyContains` is the condition of an engine that a body has these bytes.
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

  /** `name` is what addresses end with, from their last slash on. */
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

  async function find({ addresses, limit }: SameVideoQuery): Promise<SameVideo> {
    const ids = new Set<number>()
    for (const address of new Set(addresses.map(toVideoAddress))) {
      for (const { id } of await bySource.all(address)) ids.add(id)
    }
    const untilMs = performance.now() + maxMs
    let isPartial = false
    for (const name of new Set(addresses.filter(isFileAddress).map(toFileName))) {
      const found = await findByFile(name, addresses, untilMs)
      for (const id of found.ids) ids.add(id)
      isPartial ||= found.isPartial
    }
    return { ids: [...ids].sort((a, b) => a - b).slice(0, limit), isPartial }
  }
  return (query) => db.transaction('read', () => find(query))
}

/** Finds what a form has made. */
export function createMadeFinder(db: Database): SlowReads['findMade'] {
  const find = db.query<{ id: number }, [string, string]>(
    'SELECT record_id AS id FROM idempotency WHERE author = ? AND key = ? AND record_id IS NOT NULL',
  )
  return ({ author, key }) => find.get(author, key)
}

const toFileName = (address: string) => address.slice(address.lastIndexOf('/'))

/** Whether an address looks like that of a media file. */
const isFileAddress = (address: string) =>
  /\.(?:mp4|m4v|mov|webm|mkv|ogv|ogg|ogm|flv|f4v|avi|wmv|mpe?g)$/i.test(URL.parse(address)?.pathname ?? '')
