import type { RecordExtras } from '../log.ts'
import {
  readerSql,
  type TokenRow,
  toExtras,
  toStoredVersion,
  toToken,
  type WholeVersionRow,
} from '../sql/reader-rows.ts'
import type { Store, StoredRecord } from '../store.ts'
import { createLinkedStore, type StoreLinks } from '../thread/store-links.ts'
import type { Versions } from '../versions.ts'
import { createPool } from './pool.ts'

/** Of all connections, so many are each HTTP thread's at least. */
const minConnections = 1

export interface PostgresStoreNeeds {
  readonly address: string
  readonly connections: number
  readonly versions: Versions
  readonly links: StoreLinks
}

/** One HTTP thread's view of the store: a pool to read single records through, and the lines to the store's threads. */
export function createPostgresStore({ address, connections, versions, links }: PostgresStoreNeeds): Store {
  const { find, close } = createPool(address, Math.max(minConnections, connections))

  return {
    ...createLinkedStore(versions, links),
    read: (id) => find<StoredRecord>(readerSql.record, id),
    isErased: async (id) => (await find(readerSql.erased, id)) !== null,
    readVersion: async (id, number) => toStoredVersion(await find<WholeVersionRow>(readerSql.version, id, number)),
    async readExtras(id) {
      const [origin, extras] = await Promise.all([
        find<NonNullable<RecordExtras['origin']>>(readerSql.origin, id),
        find<{ body: Uint8Array }>(readerSql.extras, id),
      ])
      return toExtras(origin, extras)
    },
    findToken: async (hash) => toToken(await find<TokenRow>(readerSql.token, Buffer.from(hash))),
    close,
  }
}
