import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteMigrations } from '../../src/store/schema/migrations.ts'
import { createStore, runRostrum, spoil, toTalk } from '../cli/store-command.ts'
import { runStatement } from '../harness/fresh-store.ts'
import { useDatabases } from './databases.ts'

// Runner: long (every former schema; postgres/upgrade has the last one)

const { createAddress } = useDatabases()
const folder = mkdtempSync(join(tmpdir(), 'rostrum-older-schemas-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Schema 6 found a length of one minute odd. */
const sixth = `
  UPDATE listing SET quality = quality | 131072 WHERE duration = 60;`

/** What schema 5 did not have either, but for a trigger, which each engine drops in its own way. */
const fifth = `${sixth}
  DROP TABLE moment_due;
  DROP TABLE moment_transcript;
  DROP TABLE moment_posting;`

/** What schema 4 did not have either. */
const fourth = `${fifth}
  DROP TABLE link;
  DROP TABLE link_use;
  DROP TABLE link_host;
  DROP TABLE link_run;`

/** What schema 3 did not have either. */
const third = `${fourth}
  DROP TABLE companion;
  DROP TABLE companion_trait;`

/** What schema 2 did not have either, and rules that were others. */
const second = `${third}
  UPDATE listing SET quality = 7;
  DROP TABLE accepted_finding;
  DROP TABLE hidden_finding;
  DROP TABLE distinct_pair;
  DROP TABLE merged_record;
  DROP TABLE token_category;
  DROP TABLE scheduled_publish;`

/** What schema 1 did not have either. */
const first = `${second}
  ALTER TABLE category DROP COLUMN end_date;
  ALTER TABLE category DROP COLUMN place;
  ALTER TABLE category DROP COLUMN series;
  DROP TABLE speaker_version;`

let files = 0

async function createFile(name: string): Promise<string> {
  const db = join(folder, name)
  await createStore(db, [
    { ...toTalk('First'), duration: 50_000 },
    { ...toTalk('Second'), duration: 60 },
  ])
  return db
}

const kinds = [
  {
    kind: 'as a file',
    async create(older: string, schema: number) {
      const db = await createFile(`${++files}.db`)
      const dropped = schema < 6 ? 'DROP TRIGGER transcript_due;' : ''
      spoil(db, `${dropped} ${older} PRAGMA user_version = ${schema}`)
      return db
    },
  },
  {
    kind: 'on PostgreSQL',
    async create(older: string, schema: number) {
      const address = await createAddress()
      const file = await createFile(`${++files}.db`)
      expect(await runRostrum('migrate-store', file, address)).toMatchObject({ exitCode: 0 })
      const dropped = schema < 6 ? 'DROP TRIGGER transcript_due ON companion;' : ''
      await runStatement(address, `${dropped} ${older} UPDATE store SET schema_number = ${schema}`)
      return address
    },
  },
]

describe.each([first, second, third, fourth, fifth, sixth].map((older, i) => ({ older, schema: i + 1 })))(
  'a store of schema $schema',
  ({ older, schema }) => {
    test.each(kinds)(
      '$kind is upgraded, and in order',
      async ({ create }) => {
        const db = await create(older, schema)
        const upgraded = await runRostrum('upgrade', '--db', db)
        const said = `from schema ${schema} to ${sqliteMigrations.length}`
        expect(upgraded).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(said) })
        expect(await runRostrum('doctor', '--db', db)).toMatchObject({ exitCode: 0, stdout: '' })
      },
      60_000,
    )
  },
)

/** Links of the first record as earlier builds had them: an import brought one, and two edits changed them. */
const links = {
  body: { room: 'Aft', related_urls: [{ label: 'Slides', url: 'https://example.org/b' }, 'not a link'] },
  basis: {
    ...{ said: {}, absent: [] },
    links: {
      imported: ['https://example.org/a'],
      edits: [
        { at: '2026-01-02T00:00:00.000', by: 'bob', reason: null, before: [] },
        { at: '2026-01-01T00:00:00.000', by: 'ann', reason: 'gone', before: ['https://example.org/a'] },
      ],
    },
  },
}

const toVersion = (number: number, author: string, reason: string) => `
  INSERT INTO version (seq, record_id, number, at, kind, state, author, reason, changed, checksum, body)
    SELECT (SELECT max(seq) + 1 FROM version), 1, ${number}, at, 'updated', state, '${author}', '${reason}', '[]', checksum, body
    FROM version WHERE record_id = 1 AND number = 2;`

const toEdited = (toBytes: (value: unknown) => string) => `
  ${toVersion(3, 'ann', 'Related links: gone')}
  ${toVersion(4, 'bob', 'Related links')}
  UPDATE record SET version = 4, mark = '4' || substr(mark, 2) WHERE id = 1;
  INSERT INTO extras (record_id, body, basis) VALUES (1, ${toBytes(links.body)}, ${toBytes(links.basis)});`

const toHex = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('hex')
const bytes = {
  'as a file': (value: unknown) => `x'${toHex(value)}'`,
  'on PostgreSQL': (value: unknown) => `decode('${toHex(value)}', 'hex')`,
}

test.each(kinds)(
  'links of schema 3 $kind become a companion with the history that they had',
  async ({ kind, create }) => {
    const toBytes = kind === 'as a file' ? bytes['as a file'] : bytes['on PostgreSQL']
    const db = await create(`${toEdited(toBytes)} ${third}`, 3)
    expect((await runRostrum('upgrade', '--db', db)).exitCode).toBe(0)
    expect(await runRostrum('doctor', '--db', db)).toMatchObject({ exitCode: 0, stdout: '' })
    const out = join(folder, `${kind.replaceAll(' ', '-')}.ndjson`)
    expect((await runRostrum('export', '--format', 'dump', '--out', out, '--db', db)).exitCode).toBe(0)
    const lines = readFileSync(out, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const contents = lines.flatMap(({ companion }) =>
      companion ? [[companion.number, companion.alone, JSON.parse(companion.body)]] : [],
    )
    expect(contents).toEqual([
      [1, 0, { links: [{ url: 'https://example.org/a', kind: 'other' }] }],
      [3, 1, { links: [] }],
      [4, 1, { links: [{ url: 'https://example.org/b', label: 'Slides', kind: 'slides' }] }],
    ])
    const versions = lines.flatMap(({ version }) => (version?.record_id === 1 && version.number > 2 ? [version] : []))
    expect(versions).toMatchObject([
      { number: 3, author: 'ann', changed: ['related'], reason: 'gone' },
      { number: 4, author: 'bob', changed: ['related'], reason: null },
    ])
    const [origin] = lines.flatMap((line) => (line.origin ? [line.origin] : []))
    expect([JSON.parse(origin.body), JSON.parse(origin.basis)]).toEqual([
      { room: 'Aft', related_urls: ['https://example.org/a'] },
      { said: {}, absent: [] },
    ])
  },
  60_000,
)
