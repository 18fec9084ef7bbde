import type { StoredRecord } from '../store.ts'

/** The stored bytes of a record do not match their checksum. Such a record is neither served nor changed. */
export class DamagedRecord extends Error {}

type Checked = Pick<StoredRecord, 'id' | 'versionTag' | 'body'>

/** Entries of the cache of checked records: a power of two, because the last bits of an id choose its slot. */
const slots = 2 ** 17
/** Then every record is checked again, because bits may rot on disk. */
const trustMs = 600_000

/**
 * Compares the bytes of a record with the 32 bits of their checksum in its versionTag, so no other row is read.
 * Checking at each read would cost 4 % of a request, so a record that passed is trusted for ten minutes unless it
 * changes (decision 36).
 */
export function createChecksumCheck(now = () => performance.now()): <R extends Checked>(record: R | null) => R | null {
  const digest = new Uint8Array(32)
  const view = new DataView(digest.buffer)
  // Ids may be larger than 32 bits. No record has the id 0, which marks an empty slot.
  const ids = new Float64Array(slots)
  const checksums = new Uint32Array(slots)
  let trustedUntil = 0

  function isTrusted(id: number, checksum: number, slot: number): boolean {
    if (now() >= trustedUntil) {
      ids.fill(0)
      trustedUntil = now() + trustMs
    }
    return ids[slot] === id && checksums[slot] === checksum
  }

  return (record) => {
    if (record === null) return null
    const { id, versionTag, body } = record
    const checksum = Number.parseInt(versionTag.slice(-8), 16)
    const slot = id % slots
    if (isTrusted(id, checksum, slot)) return record
    Bun.SHA256.hash(body, digest)
    if (view.getUint32(0) !== checksum) throw new DamagedRecord(toDamagedText(id))
    ids[slot] = id
    checksums[slot] = checksum
    return record
  }
}

const toDamagedText = (id: number) =>
  `record ${id} has other bytes than were stored; stop the server, then: rostrum doctor --rebuild restores it from its version`
