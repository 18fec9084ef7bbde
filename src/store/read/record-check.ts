import type { StoredRecord } from '../store.ts'

/** A record whose bytes are not those that were stored. It is served to nobody, and nothing is made from it. */
export class DamagedRecord extends Error {}

type Checked = Pick<StoredRecord, 'id' | 'versionTag' | 'body'>

/** Records that are remembered as good: a power of two, since an id's last bits choose its place. */
const places = 2 ** 17
/** Then all are looked at again: what was good may have rotted on disk. */
const trustMs = 600_000

/**
 * Compares the bytes of a record with the piece of their checksum that is in its versionTag: a rotten bit goes unseen once in
 * four thousand million times, and nothing else has to be read. To do so at each read would cost a twenty-sixth of a request
 * (ADR 36), so a record that was good is not looked at again for some minutes unless it has changed.
 */
export function createChecksumCheck(now = () => performance.now()): <R extends Checked>(record: R | null) => R | null {
  const digest = new Uint8Array(32)
  const view = new DataView(digest.buffer)
  // Ids may be larger than 32 bits. No record has the id 0, which is in every place at first.
  const ids = new Float64Array(places)
  const sums = new Uint32Array(places)
  let trustedUntil = 0

  function isKnown(id: number, sum: number, place: number): boolean {
    if (now() >= trustedUntil) {
      ids.fill(0)
      trustedUntil = now() + trustMs
    }
    return ids[place] === id && sums[place] === sum
  }

  return (record) => {
    if (record === null) return null
    const { id, versionTag, body } = record
    const sum = Number.parseInt(versionTag.slice(-8), 16)
    const place = id % places
    if (isKnown(id, sum, place)) return record
    Bun.SHA256.hash(body, digest)
    if (view.getUint32(0) !== sum) throw new DamagedRecord(toDamagedText(id))
    ids[place] = id
    sums[place] = sum
    return record
  }
}

const toDamagedText = (id: number) =>
  `record ${id} has other bytes than were stored; stop the server, then: rostrum doctor --rebuild makes it anew from its version`
