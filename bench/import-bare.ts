import { Database } from 'bun:sqlite'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The smallest possible import: reads and parses the files, inserts bytes and search rows in one transaction. As
 * durable as ours and with the same index, except that SQLite splits and folds the words, which we do ourselves.
 */
const [source = '', path = ''] = process.argv.slice(2)

const db = new Database(path, { strict: true, create: true })
db.run('PRAGMA page_size = 8192')
db.run('PRAGMA journal_mode = WAL')
db.run('PRAGMA synchronous = FULL')
db.run('CREATE TABLE record (id INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT')
db.run(`CREATE VIRTUAL TABLE search USING fts5 (
  title, speakers, tags, category, summary, description, content = '', contentless_delete = 1, prefix = '1 2 3'
)`)
const insertRecord = db.query<null, [number, Uint8Array]>('INSERT INTO record (id, body) VALUES (?, ?)')
const insertWords = db.query<null, [number, ...string[]]>(
  `INSERT INTO search (rowid, title, speakers, tags, category, summary, description) VALUES (?, ?, ?, ?, ?, ?, ?)`,
)
const searched = ['title', 'speakers', 'tags', 'category', 'summary', 'description'] as const

db.transaction(() => {
  let id = 0
  for (const bytes of readTalks()) {
    const talk = JSON.parse(bytes.toString())
    insertRecord.run(++id, bytes)
    insertWords.run(id, ...searched.map((name) => String(talk[name] ?? '')))
  }
})()
db.close()

function* readTalks(): Iterable<Buffer> {
  if (!statSync(source).isDirectory()) {
    const bytes = readFileSync(source)
    for (let from = 0, end = bytes.indexOf(10); end >= 0; from = end + 1, end = bytes.indexOf(10, from)) {
      yield bytes.subarray(from, end)
    }
    return
  }
  for (const event of readdirSync(source)) {
    const videos = join(source, event, 'videos')
    for (const name of readdirSync(videos)) yield readFileSync(join(videos, name))
  }
}
