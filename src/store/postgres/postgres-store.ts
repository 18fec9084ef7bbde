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
import { createClient } from './client.ts'
import { PostgresFailure, toFailureReport } from './failure.ts'
import { translate } from './translate.ts'

/** So many reads wait for each connection; more would only wait longer than anybody wants to. */
const maxWaitingEach = 200
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
  const most = Math.max(minConnections, connections)
  const client = createClient(address, { connections: most })
  let waiting = 0

  async function find<Row>(sql: string, ...values: (number | string | Buffer)[]): Promise<Row | null> {
    if (waiting >= most * maxWaitingEach) throw new PostgresFailure('FULL', 'too many reads are waiting', false)
    waiting++
    try {
      const [row] = await client.unsafe<object[]>(translate(sql).text, values, { prepare: true })
      // The row's shape is what the SQL just given selects; only the caller knows it.
      return (row as Row | undefined) ?? null
    } catch (error) {
      const { code, message, isLost } = toFailureReport(error)
      throw new PostgresFailure(code, message, isLost)
    } finally {
      waiting--
    }
  }

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
    close: () => void client.end({ timeout: 1 }),
  }
}
