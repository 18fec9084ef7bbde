import type { RecordExtras } from '../store/change-log.ts'
import type { Counters } from '../store/counters.ts'
import { createPool } from '../store/postgres/pool.ts'
import { createTimeline, type NodeMemory, type RefusedServer } from '../store/postgres/primary/timeline.ts'
import {
  type AccessTokenRow,
  type ChecksumRow,
  readerSql,
  toExtras,
  toStoredVersion,
  toToken,
  toVersionTagOf,
  type WholeVersionRow,
} from '../store/read/item-rows.ts'
import { createChecksumCheck } from '../store/read/record-check.ts'
import type { Store, StoredRecord } from '../store/store.ts'
import { createRemoteStore, type StorePorts } from './port/store-ports.ts'

/** Of all connections, so many are each HTTP thread's at least. */
const minConnections = 1

/** A beat comes every 80 ms, and is known to be so much less recent than it is. */
const seeMs = 20

/** A record, and its place in the log. */
const placedRecordSql = `SELECT id, version, mark AS "versionTag", record.state, updated, record.body, seq
  FROM record LEFT JOIN version ON record_id = id AND number = version WHERE id = ?`

export interface PostgresStoreNeeds {
  readonly address: string
  readonly connections: number
  readonly memory: NodeMemory
  readonly versions: Counters
  readonly links: StorePorts
  readonly listMs: number
}

/** One HTTP thread's view of the store: a pool to read single records through, and the lines to the store's threads. */
export function createPostgresStore(needs: PostgresStoreNeeds): Store {
  const { address, connections, memory, versions, links, listMs } = needs
  const epoch = createTimeline(memory, versions)
  const { loadRefusal } = epoch
  const { find, close } = createPool(address, Math.max(minConnections, connections), epoch)
  const linked = createRemoteStore(versions, links, listMs)
  const seeing = setInterval(versions.seeBeats, seeMs)
  seeing.unref()
  const check = createChecksumCheck()

  /** What this node has not been told of yet, others of its threads may still have an older copy of. */
  async function read(id: number): Promise<StoredRecord | null> {
    const found = await find<StoredRecord & { readonly seq: number | null }>(placedRecordSql, id)
    if (found === null) return null
    const { seq, ...stored } = found
    if (seq === null || seq > versions.loadPublished()) versions.bump(id)
    return check(stored)
  }

  return {
    ...linked,
    isReady: () => loadRefusal() === null && linked.isReady(),
    unreadyReason: () => toReason(loadRefusal()),
    read,
    isErased: async (id) => (await find(readerSql.erased, id)) !== null,
    findVersionTag: async (id, number) =>
      toVersionTagOf(number, await find<ChecksumRow>(readerSql.checksum, id, number)),
    readVersion: async (id, number) => toStoredVersion(await find<WholeVersionRow>(readerSql.version, id, number)),
    async readExtras(id) {
      const [origin, extras] = await Promise.all([
        find<NonNullable<RecordExtras['origin']>>(readerSql.origin, id),
        find<{ body: Uint8Array }>(readerSql.extras, id),
      ])
      return toExtras(origin, extras)
    },
    findToken: async (hash) => toToken(await find<AccessTokenRow>(readerSql.token, Buffer.from(hash))),
    close() {
      clearInterval(seeing)
      close()
    },
  }
}

function toReason(refusal: RefusedServer | null): string | null {
  if (refusal === 'older') return 'only a PostgreSQL with an older timeline than one seen before can be reached'
  return refusal === 'foreign' ? 'the PostgreSQL that can be reached belongs to another database cluster' : null
}
