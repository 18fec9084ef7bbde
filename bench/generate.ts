import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { sqliteMigrations } from '../src/store/schema/migrations.ts'
import { createDatabase, openForWriting } from '../src/store/sqlite/connection.ts'
import { createWriter } from '../src/store/sqlite/writer.ts'
import { toGeneratedChanges } from './generated/record.ts'
import type { Context } from './harness/question.ts'

const author = { name: 'generator', role: 'publisher' } as const
const groupSize = 20
/** The time between two groups, so that creation times differ as in a real store. */
const groupMs = 60_000
const startMs = Date.UTC(2024, 0, 1)
/** Folders of `src` that determine, besides the schema, the contents of the indexes. */
const derivations = ['store/derive', 'record/text']

/**
 * A store of `records` generated records, written by the writer itself, so that every index is realistic. It is kept
 * for the next run by its size and schema; a benchmark that changes it works on a copy.
 */
export async function toGeneratedStore(records: number, say: (progress: string) => void): Promise<string> {
  const folder = join(tmpdir(), 'rostrum-generated')
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${records}-${toKey()}.db`)
  if (existsSync(path)) return path
  const draft = `${path}.${process.pid}`
  try {
    await createDatabase(draft)
    await fill(draft, records, say)
    renameSync(draft, path)
  } finally {
    for (const rest of ['', '-wal', '-shm']) rmSync(`${draft}${rest}`, { force: true })
  }
  return path
}

/** A copy that a server may change; returns the name that `startRostrum` takes. */
export async function copyGeneratedStore(
  records: number,
  { folder, say }: Pick<Context, 'folder' | 'say'>,
  name = 'generated',
): Promise<string> {
  copyFileSync(await toGeneratedStore(records, say), join(folder, `${name}.db`))
  return name
}

function toKey(): string {
  const folders = derivations.map((folder) => resolve(import.meta.dir, '../src', folder))
  const files = folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
  const sources = files.sort().map((file) => readFileSync(file, 'utf8'))
  const sample = Array.from({ length: 20 }, (_, i) => toGeneratedChanges(i + 1))
  return Bun.hash(JSON.stringify([sqliteMigrations, sources, sample])).toString(36)
}

/** Adds generated records to an empty store. */
export async function fill(path: string, records: number, say: (progress: string) => void): Promise<void> {
  const db = openForWriting(path, 10_000)
  // Nothing here has to survive a power cut, so nothing waits for the disk.
  db.run('PRAGMA synchronous = OFF')
  let done = 0
  const now = () => startMs + Math.floor(done / groupSize) * groupMs
  const writer = createWriter({ db, now, onError: rethrow })
  while (done < records) {
    // The writer stores as much of a group as its time allows; the rest is sent again with the same time.
    const size = Math.min(groupSize - (done % groupSize), records - done)
    const commands = Array.from({ length: size }, (_, i) => {
      return { kind: 'create', author, changes: toGeneratedChanges(done + i + 1) } as const
    })
    const outcomes = await writer.run(commands, new Set())
    if (outcomes === 'busy' || outcomes.some(({ is }) => is !== 'stored')) throw new Error('a record was not stored')
    done += outcomes.length
    if (done % 10_000 === 0) say(`${done} of ${records} records`)
  }
  await writer.close()
}

function rethrow(error: unknown): never {
  throw error
}

if (import.meta.main) {
  const records = Number(process.argv[2] ?? 100_000)
  if (!Number.isInteger(records) || records < 1) throw new Error('How many records? A whole number.')
  console.log(await toGeneratedStore(records, (progress) => console.error(progress)))
}
