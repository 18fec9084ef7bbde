import type { Database } from 'bun:sqlite'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fromBodyText } from '../../src/record/record.ts'
import { addSample } from '../../src/serve/sample/sample.ts'
import { openEngine, withStore } from '../../src/store/open.ts'
import { openForReading } from '../../src/store/sqlite/connection.ts'
import type { Talk } from './talk.ts'

const program = resolve(import.meta.dir, '../../bin/rostrum')
/** Of an import that refused some of the talks, and stored the others. */
const badData = 65

/**
 * A temporary store with the talks of a folder, or of a file of lines, or with the sample; open for reading until the
 * process exits.
 */
export async function openTalks(data: string | null): Promise<Database> {
  const folder = mkdtempSync(join(tmpdir(), 'rostrum-quality-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'store.db')
  if (data === null) await fillWithSample(path)
  else await importFolder(statSync(data).isFile() ? unpackLines(data, join(folder, 'talks')) : data, path)
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

interface Line {
  /** The path of the talk in the folder of the archive. */
  readonly file: string
  /** The title of its event. */
  readonly category: string
}

/** Writes the talks of a file of JSON lines, which may be compressed, as a folder that can be imported. */
function unpackLines(path: string, folder: string): string {
  const bytes = readFileSync(path)
  const text = (path.endsWith('.gz') ? Buffer.from(Bun.gunzipSync(bytes)) : bytes).toString()
  for (const line of text.split('\n').filter((each) => each !== '')) {
    // The file is named by whoever runs the benchmark; an import refuses what is no talk.
    const { file, category, ...talk } = JSON.parse(line) as Line
    const target = join(folder, file)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(join(dirname(dirname(target)), 'category.json'), JSON.stringify({ title: category }))
    writeFileSync(target, JSON.stringify(talk))
  }
  return folder
}

async function importFolder(data: string, path: string): Promise<void> {
  const child = Bun.spawn(['sh', program, 'import', resolve(data), '--db', path], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const code = await child.exited
  if (code !== 0 && code !== badData) throw new Error(`the import ended with ${code}: ${await child.stderr.text()}`)
}
