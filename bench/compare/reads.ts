import { Database } from 'bun:sqlite'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createRandom } from '../generated/random.ts'
import { hotGet, toWork } from '../harness/exchange.ts'
import type { Ask } from '../harness/load.ts'
import type { Context, Question, Row } from '../harness/question.ts'
import { type Measured, measure } from '../harness/rounds.ts'
import type { ServerProcess } from '../harness/servers.ts'
import { type Figure, measureInTurns, type Pair, type Sides, startBoth, toCostRows, toFigureRows } from './sides.ts'

const idCount = 1_000_000

export function createHotGet(sides: Sides): Question {
  return {
    name: 'hot-get',
    asks: 'GET of one record that is cached, 16 connections, one HTTP thread.',
    isPinned: true,
    generator: 'any',
    async run(context) {
      const start = () => startBoth(context, sides, { threads: 1 })
      const pace = context.isQuick ? { starts: 2, rounds: 2 } : { starts: 6, rounds: 3 }
      const results = await measureInTurns(context, pace, start, (server) => repeat(context, server, hotGet))
      return toReadRows({ name: 'hot GET', wanted: '0.93 or more', unit: 'req/s' }, results)
    },
  }
}

async function repeat(context: Context, server: ServerProcess, ask: Ask): Promise<Measured> {
  const { port } = server
  const work = await toWork(port, ask, 200)
  return measure(context, server, { port, connections: 16, durationMs: context.roundMs, perSecond: null, work })
}

export function createColdGet(sides: Sides): Question {
  return {
    name: 'cold-get',
    asks: 'GETs of records drawn evenly from all of a large store, 16 connections, one HTTP thread.',
    isPinned: true,
    generator: 'any',
    async run(context) {
      const idsFile = join(context.folder, 'ids')
      writeFileSync(idsFile, `${drawIds(sides.stores.old.million).join('\n')}\n`)
      const work = { kind: 'spread', idsFile } as const
      const load = { connections: 16, durationMs: context.roundMs, perSecond: null, work }
      const pace = context.isQuick ? { starts: 1, rounds: 2 } : { starts: 2, rounds: 5 }
      const start = () => startBoth(context, sides, { threads: 1 }, 'million')
      const results = await measureInTurns(context, pace, start, (server) =>
        measure(context, server, { ...load, port: server.port }),
      )
      return toReadRows({ name: 'cold GET', wanted: '0.90 or more', unit: 'req/s' }, results)
    },
  }
}

function toReadRows(figure: Figure, results: Pair<readonly Measured[]>): readonly Row[] {
  const toRates = (rounds: readonly Measured[]) => rounds.map(({ perSecond }) => perSecond)
  const rates = { old: toRates(results.old), new: toRates(results.new) }
  return [...toFigureRows(figure, rates), ...toCostRows(figure.name, results)]
}

/** Ids of live records: drafts need a token. */
function drawIds(path: string): readonly (number | undefined)[] {
  const db = new Database(path, { readonly: true })
  const ids = db.query<{ id: number }, []>('SELECT id FROM record WHERE state = 1').all()
  db.close()
  const random = createRandom(ids.length)
  return Array.from({ length: idCount }, () => ids[random.below(ids.length)]?.id)
}

const repeatedLists: readonly { readonly figure: Figure; readonly target: string }[] = [
  {
    figure: { name: 'the same list again', wanted: '0.90 or more', unit: 'req/s' },
    target: '/api/v2/video?ordering=title',
  },
  {
    figure: { name: 'the same search again', wanted: '0.90 or more', unit: 'req/s' },
    target: '/api/v2/video?q=data',
  },
]

export function createRepeatedLists(sides: Sides): Question {
  return {
    name: 'repeated-lists',
    asks: 'One list, and one search, asked for over and over by anonymous clients while nothing changes.',
    isPinned: true,
    generator: 'any',
    async run(context) {
      const pace = context.isQuick ? { starts: 1, rounds: 2 } : { starts: 1, rounds: 5 }
      const rows = []
      for (const { figure, target } of repeatedLists) {
        const start = () => startBoth(context, sides, { threads: 1 }, 'lists')
        const ask = { method: 'GET', target, headers: {} }
        const results = await measureInTurns(context, pace, start, (server) => repeat(context, server, ask))
        rows.push(...toReadRows(figure, results))
      }
      return rows
    },
  }
}
