import type { RecordExtras } from '../../store/change-log.ts'
import {
  anyVersion,
  type CompanionRow,
  companionSql,
  toCompanionContent,
} from '../../store/companion/companion-rows.ts'
import { toHosts } from '../../store/postgres/client/client.ts'
import { openPostgres } from '../../store/postgres/connection.ts'
import { PostgresFailure } from '../../store/postgres/failure.ts'
import { createIndexes, createListSql } from '../../store/postgres/list.ts'
import { createPool } from '../../store/postgres/pool.ts'
import { createTimeline, type RefusedServer } from '../../store/postgres/primary/timeline.ts'
import { isInPlaceSql, readStoreId } from '../../store/postgres/store-id.ts'
import { createWriter, maxSilenceMs } from '../../store/postgres/writer.ts'
import { createReads } from '../../store/read/create-reads.ts'
import {
  type AccessTokenRow,
  type ChecksumRow,
  type ExtrasRow,
  readerSql,
  toExtras,
  toStoredVersion,
  toToken,
  toVersionTagOf,
  type WholeVersionRow,
} from '../../store/read/record.ts'
import { createDeadline } from '../../store/read/statements.ts'
import { type SessionRow, sessionSql, toStoredSession } from '../../store/sessions.ts'
import type { Failure, StoredRecord } from '../../store/store.ts'
import { createChecksumCheck } from '../../store/write/version-rows.ts'
import { postgresBatchSettings } from '../writer/batch-runner.ts'
import type { Backend } from './backend.ts'

/** How long a group stays open for more commands; writers of other nodes wait meanwhile. */
const maxGroupMs = 50
/**
 * Statements of a group are short, so a connection that does not respond for this long is closed. With one second for
 * the lock, no client waits much longer than five seconds.
 */
const writeTimeoutMs = 4_000
/** For lists; the statement timeout of the server is far shorter. */
const queryTimeoutMs = 8_000
/** A beat comes every 80 ms; a thread that checks this often knows its age to within 20 ms. */
const seeBeatsMs = 20

/** A record, and its position in the change log. */
const recordWithSeqSql = `SELECT id, version, mark AS "versionTag", record.state, updated, record.body, seq
  FROM record LEFT JOIN version ON record_id = id AND number = version WHERE id = ?`

export const postgresBackend: Backend = {
  async openWriter({ address, counters, memory, report }) {
    const db = openPostgres(address, { answerTimeoutMs: writeTimeoutMs, memory, maxSilenceMs })
    const writer = createWriter({ db, now: Date.now, onError: report, maxGroupMs, counters })
    // An earlier writer may have died after a commit and before it bumped the counters.
    counters.bumpAll()
    try {
      counters.publish(await writer.readLastSeq())
    } catch (error) {
      // PostgreSQL is unreachable; the notification thread publishes once it is back.
      report(error)
    }
    return { writer, batches: postgresBatchSettings, canWrite: writer.canWrite, isLost: () => false, isPolled: false }
  },

  openQueries(deps) {
    const { address, memory, counters } = deps
    const deadline = createDeadline()
    const db = openPostgres(address, { answerTimeoutMs: queryTimeoutMs, memory, toReadingMs: deadline.leftMs })
    const size = db.query<{ bytes: number }, []>('SELECT pg_database_size(current_database()) AS bytes')
    // `doctor --rebuild` notifies nodes as a change of tokens does, which is rare.
    const columnOptions = { rebuildCounter: counters.loadTokens }
    const engine = {
      ...{ db, deadline, columnOptions, readStoreId, createIndexes, createListSql },
      readBytes: async () => Number((await size.get())?.bytes ?? 0),
      bodyContains: 'position(? in body) > 0',
    }
    return {
      ...createReads(engine, { ...deps, maxPageBytes: deps.limits.maxPageBytes }),
      isDown: () => false,
      toFailure,
    }
  },

  openRecords({ address, counters, memory, connections }) {
    const timeline = createTimeline(memory, counters)
    const { find, close } = createPool(address, Math.max(1, connections), timeline)
    const seeing = setInterval(counters.seeBeats, seeBeatsMs)
    seeing.unref()
    const check = createChecksumCheck()
    const hostCount = toHosts(address).all.length
    const isConfirmed = () => timeline.isConfirmed(hostCount)

    /** If this node has not been notified of the version yet, its other threads may still cache an older one. */
    async function read(id: number): Promise<StoredRecord | null> {
      const found = await find<StoredRecord & { readonly seq: number | null }>(recordWithSeqSql, id)
      if (found === null) return null
      const { seq, ...stored } = found
      if (seq === null || seq > counters.loadPublished()) counters.bump(id)
      return check(stored)
    }

    return {
      read,
      isErased: async (id) => (await find(readerSql.erased, id)) !== null,
      findVersionTag: async (id, number) =>
        toVersionTagOf(number, await find<ChecksumRow>(readerSql.checksum, id, number)),
      readVersion: async (id, number) => toStoredVersion(await find<WholeVersionRow>(readerSql.version, id, number)),
      async readCompanion(id, name, number = anyVersion) {
        return { name, ...toCompanionContent(name, id, await find<CompanionRow>(companionSql, id, name, number)) }
      },
      async readExtras(id) {
        const [origin, extras] = await Promise.all([
          find<NonNullable<RecordExtras['origin']>>(readerSql.origin, id),
          find<ExtrasRow>(readerSql.extras, id),
        ])
        return toExtras(origin, extras)
      },
      findToken: async (hash) => toToken(await find<AccessTokenRow>(readerSql.token, Buffer.from(hash))),
      findSession: async (hash) =>
        toStoredSession(await find<SessionRow>(`${sessionSql} AND ${isInPlaceSql}`, Buffer.from(hash))),
      unreadyReason: () => toReason(timeline.loadRefusal()) ?? (isConfirmed() ? null : unconfirmed),
      close() {
        clearInterval(seeing)
        close()
      },
    }
  },
}

/** The log alone names the hosts. */
const unconfirmed =
  'too few PostgreSQL hosts have reported their timeline to be sure of the primary; the log names the silent ones'

function toReason(refusal: RefusedServer | null): string | null {
  if (refusal === 'older') return 'only a PostgreSQL with an older timeline than one seen before can be reached'
  return refusal === 'foreign' ? 'the PostgreSQL that can be reached belongs to another database cluster' : null
}

function toFailure(error: unknown): Failure {
  if (!(error instanceof PostgresFailure)) return 'bug'
  if (error.isLost) return 'down'
  // query_canceled: the statement timeout.
  return error.code === 'POSTGRES_57014' ? 'late' : 'bug'
}
