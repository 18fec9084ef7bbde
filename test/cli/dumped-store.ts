import { expect } from 'bun:test'
import type { Command } from '../../src/record/command.ts'
import { createDatabase, openForWriting } from '../../src/store/sqlite/connection.ts'
import { createWriter } from '../../src/store/sqlite/writer.ts'

const author = { name: 'ann', role: 'admin' } as const

/** Three records with some history: edits, a rename, a withdrawal, an undo. */
export async function fillStore(path: string): Promise<void> {
  await createDatabase(path)
  const db = openForWriting(path, 0)
  const writer = createWriter({ db, now: Date.now, onError: fail })
  const create = (title: string): Command => {
    return { kind: 'create', author, reason: 'because', changes: { category: 'Höhe', title, state: 1, tags: ['x'] } }
  }
  const change = (id: number, changes: object): Command => {
    return { kind: 'merge', id, author, precondition: {}, changes }
  }
  const commands: Command[] = [
    ...['One', 'Two', 'Drei <b>'].map(create),
    change(1, { title: 'Uno', recorded: '2012-03-07' }),
    { kind: 'category', slug: 'hohe', author, changes: { title: 'Tiefe' } },
    // What the undo leaves, and says so.
    change(2, { state: 2, category: 'Anderswo' }),
    { kind: 'create category', author, reason: 'soon', changes: { title: 'Empty', url: 'https://e.example/' } },
    { kind: 'category', slug: 'empty', author, changes: { description: 'Größe <b>' } },
    { kind: 'undo', batch: 1, author },
    // Names with aliases, of which one is an entry again, and a merged category.
    change(1, { speakers: ['Ann', 'Bob'] }),
    change(3, { speakers: ['Anne'] }),
    { kind: 'rename name', of: 'speaker', nameId: 1, name: 'Anna', author },
    {
      kind: 'rename name',
      of: 'speaker',
      nameId: 3,
      profile: { note: 'Größe <b>', links: ['https://a.example/'] },
      author,
    },
    { kind: 'merge names', of: 'speaker', nameId: 3, into: 1, author },
    change(2, { speakers: ['Anne'] }),
    { kind: 'rename name', of: 'tag', nameId: 1, name: 'y', author },
    { kind: 'merge categories', slug: 'empty', into: 'hohe', author },
  ]
  const outcomes = await writer.run(commands, new Set())
  expect(outcomes === 'busy' ? [] : outcomes.map(({ is }) => is)).not.toContain('failed')
  db.run(`INSERT INTO origin (record_id, source, path, imported) VALUES (1, 'src', 'a/videos/b.json', '{}')`)
  db.run(`INSERT INTO extras VALUES (1, CAST('{"alias":"é"}' AS BLOB), CAST('{"said":{},"absent":[]}' AS BLOB), 'é')`)
  db.run(`INSERT INTO origin_alias VALUES ('other', 'c.json', 1, '{"title":"C"}', 2)`)
  db.run(`INSERT INTO tombstone VALUES (9, '2026-01-01T00:00:00.000', 99, 2, 1)`)
  db.run(`INSERT INTO retired_name VALUES ('speaker', 77, CAST('0123456789abcdef0123456789abcdef' AS BLOB))`)
  db.run(`INSERT INTO dismissed_variant VALUES ('speaker', '[1,2]', '2026-01-01T00:00:00.000', 'ann')`)
  for (const row of [
    `accepted_finding VALUES (1, 'shouting_title', 'ann', '2026-01-01T00:00:00.000')`,
    `hidden_finding VALUES ('missing_media', 'ann', '2026-01-01T00:00:00.000')`,
    `distinct_pair VALUES (1, 3, 'ann', '2026-01-01T00:00:00.000')`,
    `merged_record VALUES (2, 1, 1, '2026-01-01T00:00:00.000')`,
    `scheduled_publish VALUES (2, '2027-01-01T00:00:00.000', 'ann', 'publisher', '2026-01-01T00:00:00.000', NULL)`,
  ])
    db.run(`INSERT INTO ${row}`)
  await writer.close()
}

export function fail(error: unknown): never {
  throw error
}
