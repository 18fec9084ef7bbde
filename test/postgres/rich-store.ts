import type { Database } from 'bun:sqlite'
import type { Command } from '../../src/record/command.ts'
import { movedTables } from '../../src/store/maintain/move-store.ts'
import { openForWriting } from '../../src/store/sqlite/connection.ts'
import { createWriter } from '../../src/store/sqlite/writer.ts'
import { importInto, runRostrum, talksFolder } from '../archive/command.ts'
import { type Rows, readRows, readTables } from './databases.ts'

const author = { name: 'ann', role: 'admin' } as const

const wish: Command = {
  kind: 'create',
  author,
  idempotencyKey: 'once',
  changes: {
    category: 'Höhe',
    title: 'Zoë — 東京 <b>&amp;</b>',
    state: 1,
    speakers: ['Łukasz', 'ZOE', 'Zoë'],
    tags: ['C++', 'C'],
  },
}

/** A file that has something of everything; gives the key of an editor and one that was revoked. */
export async function createRichStore(db: string): Promise<{ readonly key: string; readonly revoked: string }> {
  await must(importInto(db, talksFolder))
  const key = (await must(runRostrum('token', 'create', '--name', 'ed', '--role', 'editor', '--db', db))).stdout.trim()
  const revoked = (
    await must(runRostrum('token', 'create', '--name', 'x', '--role', 'admin', '--db', db))
  ).stdout.trim()
  await must(runRostrum('token', 'revoke', '--name', 'x', '--db', db))
  await must(importInto(db, talksFolder, '--source', 'a second source'))
  await change(db)
  const last = (await readRows(db, 'SELECT max(id) AS id FROM record'))[0]?.id
  await must(runRostrum('purge', '101', '--yes', '--db', db))
  await must(runRostrum('purge', String(last), '--yes', '--db', db))
  return { key, revoked }
}

/** Edits, a renamed category, an undone batch, a withdrawal, and a record that is to be erased. */
async function change(path: string): Promise<void> {
  const db = openForWriting(path, 0)
  const writer = createWriter({ db, now: Date.now, onError: rethrow })
  const commands: readonly Command[] = [
    wish,
    { kind: 'category', slug: 'hohe', author, changes: { title: 'Tiefe' }, reason: 'wrong name' },
    { kind: 'undo', batch: 2, author },
    { kind: 'create category', author, idempotencyKey: 'event', changes: { title: 'Empty', description: 'Größe' } },
    { kind: 'category', slug: 'empty', author, changes: { start_date: '2020-02-29' }, reason: 'known now' },
    { kind: 'create', author, changes: { category: 'Draft', title: 'Nothing', state: 2 } },
    {
      kind: 'create',
      author,
      changes: { category: 'Draft', title: 'Names', speakers: ['Ann Alias', 'Bo'], tags: ['a', 'b'] },
    },
    { kind: 'create', author, changes: { category: 'Draft', title: 'To be erased', speakers: ['Nobody else'] } },
  ]
  const nameOf = (kind: string, name: string) =>
    Number(db.query<{ id: number }, [string]>(`SELECT id FROM ${kind} WHERE name = ?`).get(name)?.id)
  for (const toCommand of [
    ...commands.map((command) => () => command),
    (): Command => ({
      kind: 'rename name',
      of: 'speaker',
      nameId: nameOf('speaker', 'Ann Alias'),
      name: 'Ann',
      profile: { note: 'Größe', links: ['https://ann.example/'] },
      author,
    }),
    (): Command => ({
      kind: 'rename name',
      of: 'speaker',
      nameId: nameOf('speaker', 'Nobody else'),
      profile: { note: 'To be erased, too' },
      author,
    }),
    (): Command => ({
      kind: 'merge names',
      of: 'speaker',
      nameId: nameOf('speaker', 'Ann'),
      into: nameOf('speaker', 'Bo'),
      author,
    }),
    (): Command => ({ kind: 'merge names', of: 'tag', nameId: nameOf('tag', 'a'), into: nameOf('tag', 'b'), author }),
    (): Command => ({ kind: 'merge categories', slug: 'empty', into: 'draft', author }),
  ]) {
    const command = toCommand()
    const [outcome] = (await writer.run([command], new Set([1]))) as readonly { readonly is: string }[]
    if (outcome === undefined || /refused|failed/.test(outcome.is)) throw new Error(JSON.stringify([command, outcome]))
  }
  db.run(`INSERT INTO dismissed_variant VALUES ('speaker', '[1,2]', '2026-01-01T00:00:00.000', 'ann')`)
  addDecisions(db)
  await writer.close()
}

/** What curators decided beside the records; some of it about a record that is to be erased. */
function addDecisions(db: Database): void {
  const [gone, kept, third, fourth] = db
    .query<{ id: number }, []>('SELECT id FROM record ORDER BY id DESC LIMIT 4')
    .all()
    .map(({ id }) => id)
  for (const row of [
    `accepted_finding VALUES (${gone}, 'missing_media', 'ann', '2026-01-01T00:00:00.000')`,
    `accepted_finding VALUES (${kept}, 'missing_media', 'ann', '2026-01-01T00:00:00.000')`,
    `hidden_finding VALUES ('missing_media', 'ann', '2026-01-01T00:00:00.000')`,
    `distinct_pair VALUES (${third}, ${kept}, 'ann', '2026-01-01T00:00:00.000')`,
    `distinct_pair VALUES (${third}, ${gone}, 'ann', '2026-01-01T00:00:00.000')`,
    `merged_record VALUES (${kept}, ${third}, 1, '2026-01-01T00:00:00.000')`,
    `merged_record VALUES (${fourth}, ${gone}, 1, '2026-01-01T00:00:00.000')`,
    `token_category VALUES (1, 1)`,
    `scheduled_publish VALUES (${kept}, '2027-01-01T00:00:00.000', 'ann', 'admin', '2026-01-01T00:00:00.000', 'no')`,
    `scheduled_publish VALUES (${gone}, '2027-01-01T00:00:00.000', 'ann', 'admin', '2026-01-01T00:00:00.000', NULL)`,
    `link_host VALUES ('example.org', '2026-01-01T00:00:00.000', 2)`,
    `link_run VALUES (1, '{}', '2026-01-01T00:00:00.000', NULL, 'node', '2026-01-01T00:01:00.000')`,
  ])
    db.run(`INSERT INTO ${row}`)
  db.run("UPDATE link SET state = 'gone', since = '2026-01-01T00:00:00.000', failures = 3, status = 404")
}

/** Everything of a store that can be compared, table by table. */
export function readWhole(db: string): Promise<{ readonly [table: string]: Rows }> {
  const keys = { ...movedTables, record: 'id', listing: 'id', record_speaker: '1, 2', record_tag: '1, 2' }
  return readTables(db, keys)
}

async function must<T extends { readonly exitCode: number | null; readonly stderr: string }>(
  ending: Promise<T>,
): Promise<T> {
  const ended = await ending
  if (ended.exitCode !== 0 && ended.exitCode !== 65) throw new Error(`${ended.exitCode}: ${ended.stderr}`)
  return ended
}

function rethrow(error: unknown): never {
  throw error
}
