import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from '../../src/record/command.ts'
import { createImporter } from '../../src/store/sql/importer.ts'
import { createDatabase, openForWriting } from '../../src/store/sqlite/connection.ts'
import { createWriter } from '../../src/store/sqlite/writer.ts'

const author = { name: 'ann', role: 'admin' } as const
const count = 450

test('a large batch is undone slice by slice, each record judged when its turn comes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rostrum-slices-'))
  try {
    const path = join(folder, 'store.db')
    createDatabase(path)
    const db = openForWriting(path, 0)
    importTalks(db)
    const writer = createWriter({ db, now: Date.now, onError: fail })
    const run = (command: Command) => {
      const outcomes = writer.run([command], new Set())
      const [outcome] = outcomes === 'busy' ? [] : outcomes
      return outcome?.is === 'undone' ? outcome : fail(outcome)
    }
    const first = run({ kind: 'undo', batch: 1, author })
    expect([first.batch, first.ids.length, first.rest.length]).toEqual([2, 200, 250])
    // Somebody changes one of the rest in between.
    writer.run([{ kind: 'merge', id: 300, author, precondition: {}, changes: { title: 'Mine' } }], new Set())
    const second = run({ kind: 'undo', batch: 1, author, rest: { into: 2, ids: first.rest } })
    expect(second).toMatchObject({ batch: 2, rest: [], left: [{ id: 300, version: 2, why: 'changed since' }] })
    expect(second.ids).toHaveLength(249)
    expect(db.query('SELECT records FROM batch ORDER BY id').values()).toEqual([[450], [449]])
    expect(db.query('SELECT state, count(*) AS n FROM record GROUP BY state ORDER BY state').values()).toEqual([
      [1, 1],
      [2, 449],
    ])
    writer.close()
  } finally {
    rmSync(folder, { recursive: true })
  }
})

function importTalks(db: ReturnType<typeof openForWriting>): void {
  const options = { source: 'test', author: 'import', reason: null, state: 1, isRehearsal: false } as const
  const importer = createImporter(db, { ...options, hasPath: () => true, now: Date.now })
  const talks = Array.from({ length: count }, (_, i) => ({
    path: `${i}`,
    id: null,
    slug: null,
    added: null,
    updated: null,
    isTakenDown: false,
    changes: { category: 'Event', title: `Talk ${i}` },
    words: null,
    toExtras: () => null,
  }))
  expect(importer.run(talks, [])).toHaveLength(count)
}

function fail(what: unknown): never {
  throw what instanceof Error ? what : new Error(`unexpected: ${JSON.stringify(what)}`)
}
