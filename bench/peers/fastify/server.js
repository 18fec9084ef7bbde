// One record per id from SQLite, as one would write it with Fastify and better-sqlite3: prepared once, read per request.
import { readFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import Fastify from 'fastify'

const [port, recordsFile, path] = process.argv.slice(2)
const db = new Database(path)
db.pragma('journal_mode = WAL')
db.pragma('synchronous = FULL')
db.exec('CREATE TABLE IF NOT EXISTS record (id INTEGER PRIMARY KEY, etag TEXT NOT NULL, body TEXT NOT NULL)')
const insert = db.prepare('INSERT OR REPLACE INTO record (id, etag, body) VALUES (?, ?, ?)')
for (const body of readFileSync(recordsFile, 'utf8').trim().split('\n')) insert.run(JSON.parse(body).id, '"1"', body)

const find = db.prepare('SELECT etag, body FROM record WHERE id = ?')
const app = Fastify()
app.get('/api/v2/video/:id', (request, reply) => {
  const row = find.get(Number(request.params.id))
  if (row === undefined) return reply.code(404).send({ detail: 'Not found.' })
  reply.header('ETag', row.etag).header('Cache-Control', 'public, max-age=0, must-revalidate').header('Vary', 'Accept')
  if (request.headers['if-none-match'] === row.etag) return reply.code(304).send()
  return reply.type('application/json; charset=utf-8').send(row.body)
})
await app.listen({ host: '127.0.0.1', port: Number(port) })
