import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toGeneratedChanges } from '../generated/record.ts'
import type { Sample } from '../harness/load.ts'
import type { Context, Question, Row } from '../harness/question.ts'
import { interleave, measure } from '../harness/rounds.ts'
import type { ServerProcess } from '../harness/servers.ts'
import { readBesideImport, readBesideWrites, toSteadyReads } from '../harness/steady-reads.ts'
import { forBoth, measureInTurns, type Pair, type Sides, startBoth, toCostRows, toFigureRows } from './sides.ts'

const writesPerSecond = 500
/** Warms up the JIT compiler before p99 is measured: its threads would delay the readers. */
const warmUpMs = 8_000
const importedLines = 40_000
const memoryStepMs = 5_000
const memorySteps = 8

const pick = (results: Pair<readonly Sample[]>, key: 'perSecond' | 'p50Ms' | 'p99Ms'): Pair<readonly number[]> => ({
  old: results.old.map((sample) => sample[key]),
  new: results.new.map((sample) => sample[key]),
})

const toWrites = ({ adminToken }: Context) => ({ kind: 'patch', token: adminToken, firstId: 2, records: 50 }) as const

function writeAs(context: Context, server: ServerProcess, connections: number, durationMs = context.roundMs) {
  const { port } = server
  return measure(context, server, { port, connections, durationMs, perSecond: null, work: toWrites(context) })
}

export function createPatches(sides: Sides): Question {
  return {
    name: 'patch',
    asks: 'Durable PATCHes of 50 records by 64 clients, one HTTP thread.',
    isPinned: false,
    generator: 'bundled',
    async run(context) {
      const start = () => startBoth(context, sides, { threads: 1 })
      const pace = context.isQuick ? { starts: 1, rounds: 2 } : { starts: 3, rounds: 3 }
      const results = await measureInTurns(context, pace, start, (server) => writeAs(context, server, 64))
      return [
        ...toFigureRows(
          { name: 'PATCH, 64 clients', wanted: '0.90 or more', unit: 'writes/s' },
          pick(results, 'perSecond'),
        ),
        ...toCostRows('PATCH, 64 clients', results),
        ...toFigureRows({ name: 'PATCH, 64 clients, p99', wanted: 'no more', unit: 'ms' }, pick(results, 'p99Ms')),
      ]
    },
  }
}

export function createOneCoreWriters(sides: Sides): Question {
  return {
    name: 'one-core-writers',
    asks: 'Durable PATCHes of 16 clients to a server on one core: how far is p99 from p50?',
    isPinned: true,
    generator: 'bundled',
    async run(context) {
      const start = () => startBoth(context, sides, { threads: 1 })
      const pace = context.isQuick ? { starts: 1, rounds: 2 } : { starts: 1, rounds: 3 }
      const results = await measureInTurns(context, pace, start, (server) => writeAs(context, server, 16))
      const toTail = (samples: readonly Sample[]) => samples.map(({ p50Ms, p99Ms }) => p99Ms / p50Ms)
      return [
        { label: 'PATCH on one core, p99 to p50, new (wanted: 10 or less)', unit: '×', values: toTail(results.new) },
        { label: 'PATCH on one core, p99 to p50, old', unit: '×', values: toTail(results.old) },
        ...toFigureRows({ name: 'PATCH on one core, p99', wanted: 'less', unit: 'ms' }, pick(results, 'p99Ms')),
        ...toFigureRows({ name: 'PATCH on one core, p50', wanted: 'no more', unit: 'ms' }, pick(results, 'p50Ms')),
      ]
    },
  }
}

export function createBesideWrites(sides: Sides): Question {
  return {
    name: 'beside-writes',
    asks: `How long readers wait (2,000 GETs/s of a hot record) during ${writesPerSecond} durable PATCHes/s.`,
    isPinned: true,
    generator: 'both',
    async run(context) {
      const start = async () => {
        const servers = await startBoth(context, sides, { threads: 1 })
        await forBoth((side) => writeAs(context, servers[side], 64, context.isQuick ? context.roundMs : warmUpMs))
        return servers
      }
      const pace = context.isQuick ? { starts: 1, rounds: 2 } : { starts: 3, rounds: 3 }
      const results = await measureInTurns(context, pace, start, async (server) => {
        const reads = await toSteadyReads(context, server.port)
        return readBesideWrites(context, reads, writesPerSecond)
      })
      return [
        ...toFigureRows({ name: 'GET during writes, p99', wanted: '1.25 or less', unit: 'ms' }, pick(results, 'p99Ms')),
        ...toFigureRows({ name: 'GET during writes, p50', wanted: 'no more', unit: 'ms' }, pick(results, 'p50Ms')),
      ]
    },
  }
}

export function createBesideImport(sides: Sides): Question {
  return {
    name: 'beside-import',
    asks: `How long readers wait (2,000 GETs/s of a hot record) during an import of ${importedLines} records.`,
    isPinned: false,
    generator: 'both',
    async run(context) {
      const pace = context.isQuick ? { starts: 1, rounds: 2 } : { starts: 2, rounds: 3 }
      let imported = 0
      const start = () => startBoth(context, sides, { threads: 1 })
      const results = await measureInTurns(context, pace, start, async (server, side) => {
        const file = join(context.folder, 'beside.ndjson')
        writeFileSync(file, toLines(1_000_000 + importedLines * imported++))
        const reads = await toSteadyReads(context, server.port)
        return readBesideImport(context, reads, [join(sides[side], 'bin/rostrum'), 'import', file, '--db', server.db])
      })
      return [
        ...toFigureRows(
          { name: 'GET during an import, p99', wanted: '1.25 or less', unit: 'ms' },
          pick(results, 'p99Ms'),
        ),
        ...toFigureRows({ name: 'GET during an import, p50', wanted: 'no more', unit: 'ms' }, pick(results, 'p50Ms')),
      ]
    },
  }
}

/** New records each time: an import of existing records writes little. */
function toLines(first: number): string {
  const ids = Array.from({ length: importedLines }, (_, i) => first + i)
  return `${ids.map((id) => JSON.stringify({ id, ...toGeneratedChanges(id) })).join('\n')}\n`
}

export function createMemory(sides: Sides): Question {
  return {
    name: 'memory',
    asks: 'Memory after mixed load (95 GETs, 5 PATCHes, 32 clients) over all records, two HTTP threads.',
    isPinned: false,
    generator: 'bundled',
    async run(context) {
      const servers = await startBoth(context, sides, { threads: 2 }, 'lists')
      const writes = { kind: 'patch', token: context.adminToken, firstId: 1, records: 10_000 } as const
      const work = { kind: 'mix', readPercent: 95, readsAsWriter: true, writes } as const
      const durationMs = context.isQuick ? context.roundMs : memoryStepMs
      const load = { connections: 32, durationMs, perSecond: null, work }
      for (let step = 1; step <= memorySteps; step++) {
        await forBoth((side) => context.drive({ ...load, port: servers[side].port }))
      }
      const toMb = (bytes: number | null) => [(bytes ?? Number.NaN) / 1e6]
      const read = (key: 'readOwnBytes' | 'readResidentBytes') => ({
        old: toMb(servers.old[key]()),
        new: toMb(servers.new[key]()),
      })
      return [
        ...toFigureRows({ name: 'resident memory', wanted: '1 or less', unit: 'MB' }, read('readResidentBytes')),
        ...toFigureRows({ name: 'memory of its own', wanted: '1 or less', unit: 'MB' }, read('readOwnBytes')),
      ]
    },
  }
}

export function createImport(sides: Sides): Question {
  return {
    name: 'import',
    asks: 'An import of a folder of talks into a new store, start of the process included.',
    isPinned: false,
    generator: 'none',
    async run(context): Promise<readonly Row[]> {
      const { importFolder } = sides
      if (importFolder === null) return [{ label: 'import: no --import FOLDER was given', unit: '×', values: [] }]
      const db = join(context.folder, 'import.db')
      const run = (checkout: string) => () => timeImport(checkout, importFolder, db)
      const both = [
        { name: 'old', run: run(sides.old) },
        { name: 'new', run: run(sides.new) },
      ]
      const [old = [], after = []] = await interleave(context, both, (ms) => `${ms.toFixed(0)} ms`)
      return toFigureRows({ name: 'import', wanted: '1.11 or less', unit: 'ms' }, { old, new: after })
    },
  }
}

async function timeImport(checkout: string, folder: string, db: string): Promise<number> {
  for (const rest of ['', '-wal', '-shm']) rmSync(`${db}${rest}`, { force: true })
  const command = ['sh', join(checkout, 'bin/rostrum'), 'import', folder, '--db', db]
  const startMs = performance.now()
  const child = Bun.spawn(command, { stdio: ['ignore', 'ignore', 'pipe'] })
  const code = await child.exited
  const ms = performance.now() - startMs
  if (code !== 0) throw new Error(`the import ended with ${code}: ${await child.stderr.text()}`)
  return ms
}
