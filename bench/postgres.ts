import { Database } from 'bun:sqlite'
import { resolve } from 'node:path'
import { createDatabase } from '../test/harness/fresh-store.ts'
import { createCluster } from '../test/harness/postgres.ts'
import { toGeneratedStore } from './generate.ts'
import { compareWithDriver } from './hand/postgres-cases.ts'
import { hotGet, toWork } from './harness/exchange.ts'
import type { Context, Question, Row } from './harness/question.ts'
import { interleave, type Measured, measure, toRateText, toReadRows } from './harness/rounds.ts'
import type { ServerProcess } from './harness/servers.ts'

const records = 10_000

export const postgresQuestion: Question = {
  name: 'postgres',
  asks:
    'What does PostgreSQL cost? GET of a hot record compared with the same on a file; GETs of records that no cache has, compared with ' +
    'a bare program with the same driver (`bare-postgres.ts`); pages of lists compared with SQL by hand through the driver ' +
    `(count and bodies). ${records.toLocaleString('en-US')} records, one HTTP thread, 16 connections.`,
  isPinned: false,
  generator: 'bundled',
  async run(context) {
    const cluster = await createCluster({ fsync: true })
    try {
      await cluster.start()
      const { db } = await createDatabase(cluster.toUrl('postgres'))
      const file = await toGeneratedStore(records, context.say)
      await move(context, file, db)
      const hot = await compareHot(context, db)
      const cold = await compareCold(context, db, listLiveIds(file))
      return [...hot, ...cold, ...(await compareWithDriver(context, db))]
    } finally {
      await cluster.remove()
    }
  },
}

async function move({ say }: Context, file: string, db: string): Promise<void> {
  say('moving the records into PostgreSQL')
  const command = ['sh', resolve(import.meta.dir, '../bin/rostrum'), 'migrate-store', file, db]
  const child = Bun.spawn(command, { stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' })
  const [code, complaint] = await Promise.all([child.exited, child.stderr.text()])
  if (code !== 0) throw new Error(`migrate-store ended with ${code}: ${complaint}`)
}

/** Drafts need a token. */
function listLiveIds(file: string): readonly number[] {
  const db = new Database(file, { readonly: true })
  const rows = db.query<{ id: number }, []>('SELECT id FROM record WHERE state = 1 ORDER BY id').all()
  db.close()
  return rows.map(({ id }) => id)
}

async function compareHot(context: Context, db: string): Promise<readonly Row[]> {
  const onPostgres = await context.startRostrum({ threads: 1, store: db, hasSample: true })
  const onFile = await context.startRostrum({ threads: 1, store: 'file' })
  const toSide = async (name: string, server: ServerProcess) => {
    const work = await toWork(server.port, hotGet, 200)
    const load = { port: server.port, connections: 16, durationMs: context.roundMs, perSecond: null, work }
    return { name, run: () => measure(context, server, load) }
  }
  const sides = [await toSide('hot, PostgreSQL', onPostgres), await toSide('hot, file', onFile)]
  return compare(context, sides)
}

/** No record cache: each record is read from the database. */
async function compareCold(context: Context, db: string, ids: readonly number[]): Promise<readonly Row[]> {
  const env = { ROSTRUM_CACHE_MB: '0' }
  const ours = await context.startRostrum({ threads: 1, store: db, hasSample: true, env })
  const bare = await context.startBare('bare-postgres.ts', [db])
  const targets = Array.from({ length: 5_000 }, (_, i) => `/api/v2/video/${ids[(i * 7919) % ids.length]}`)
  const toSide = (name: string, server: ServerProcess) => {
    const work = { kind: 'rotate', targets } as const
    const load = { port: server.port, connections: 16, durationMs: context.roundMs, perSecond: null, work }
    return { name, run: () => measure(context, server, load) }
  }
  return compare(context, [toSide('cold, Rostrum', ours), toSide('cold, bare driver', bare)])
}

async function compare(context: Context, sides: Parameters<typeof interleave<Measured>>[1]): Promise<readonly Row[]> {
  const [first = [], second = []] = await interleave(context, sides, toRateText)
  const toNamed = (i: number, rounds: readonly Measured[]) => ({ name: sides[i]?.name ?? '', rounds })
  return toReadRows(toNamed(0, first), toNamed(1, second))
}
