import type { Database } from 'bun:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fromBodyText } from '../../src/record/record.ts'
import { addSample } from '../../src/serve/sample/sample.ts'
import { openEngine, withStore } from '../../src/store/open.ts'
import { openForReading } from '../../src/store/sqlite/connection.ts'
import type { Talk } from './talk.ts'

const program = resolve(import.meta.dir, '../../bin/rostrum')
/** Of an import that refused some of the talks, and stored the others. */
const badData = 65

/** A temporary store with the talks of the folder, or with the sample, open for reading until the process exits. */
export async function openTalks(data: string | null): Promise<Database> {
  const folder = mkdtempSync(join(tmpdir(), 'rostrum-quality-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'store.db')
  await (data === null ? fillWithSample(path) : importFolder(data, path))
  return openForReading(path)
}

/** The live records of a store, in the order of their ids. */
export function readTalks(db: Database): readonly Talk[] {
  const rows = db
    .query<{ text: string }, []>('SELECT CAST(body AS TEXT) AS text FROM record WHERE state = 1 ORDER BY id')
    .all()
  return rows.map(({ text }) => fromBodyText(text))
}

async function fillWithSample(path: string): Promise<void> {
  await withStore(await openEngine(path), { mayCreate: true }, (db) => addSample(db, 'http://127.0.0.1'))
}

async function importFolder(data: string, path: string): Promise<void> {
  const child = Bun.spawn(['sh', program, 'import', resolve(data), '--db', path], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const code = await child.exited
  if (code !== 0 && code !== badData) throw new Error(`the import ended with ${code}: ${await child.stderr.text()}`)
}
