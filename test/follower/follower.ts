import { Database } from 'bun:sqlite'

/**
 * A program that keeps a copy of everything public, as anybody could write it: it knows the HTTP API and nothing else.
 * Run with the address of the service, a file for the copy, and `pages` or `stream`. It may be killed at any moment.
 */

type Change = { readonly seq: number; readonly id: number; readonly kind: string }
/** Up to which change of which store the copy is right; of a new copy the store is not known yet. */
type Place = { readonly seq: number; readonly store: string | null }

const [address = '', path = '', mode = 'pages'] = process.argv.slice(2)
const pauseMs = 25
const retryMs = 100
const fetchesAtOnce = 4

const copy = openCopy(path)
for (;;) await (mode === 'stream' ? followStream() : followPages()).catch(() => Bun.sleep(retryMs))

function openCopy(file: string) {
  const db = new Database(file, { strict: true })
  db.run('PRAGMA busy_timeout = 2000')
  // A process that is killed loses nothing by this; only a machine that loses its power does.
  db.run('PRAGMA synchronous = OFF')
  db.run('CREATE TABLE IF NOT EXISTS record (id INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT')
  const placeColumns = 'one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL, store TEXT'
  db.run(`CREATE TABLE IF NOT EXISTS place (${placeColumns}) STRICT`)
  db.run('INSERT OR IGNORE INTO place VALUES (1, 0, NULL)')
  const read = db.query<Place, []>('SELECT seq, store FROM place')
  const put = db.query('INSERT OR REPLACE INTO record VALUES ($id, $body)')
  const remove = db.query('DELETE FROM record WHERE id = $id')
  const move = db.query('UPDATE place SET seq = $seq, store = $store')
  return {
    place: () => read.get() ?? { seq: 0, store: null },
    /** Records and place at once, or neither. */
    save: db.transaction((bodies: ReadonlyMap<number, Uint8Array | null>, place: Place) => {
      for (const [id, body] of bodies) body === null ? remove.run({ id }) : put.run({ id, body })
      move.run(place)
    }),
    forget: db.transaction(() => {
      db.run('DELETE FROM record')
      db.run('UPDATE place SET seq = 0, store = NULL')
    }),
  }
}

async function followPages(): Promise<void> {
  const { seq, store: known } = copy.place()
  const answer = await fetch(`${address}/api/v2/changes?since=${seq}${known === null ? '' : `&store=${known}`}`)
  if (!isGood(answer)) return
  const { changes, store }: { changes: Change[]; store: string } = JSON.parse(await answer.text())
  if (changes.length === 0) await Bun.sleep(pauseMs)
  else await take(changes, store)
}

async function followStream(): Promise<void> {
  const { seq, store } = copy.place()
  const headers = { 'Last-Event-ID': store === null ? String(seq) : `${store}.${seq}` }
  const leaving = new AbortController()
  const answer = await fetch(`${address}/api/v2/changes/stream`, { headers, signal: leaving.signal })
  if (!isGood(answer)) return
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of answer.body ?? []) {
    const blocks = (text + decoder.decode(chunk, { stream: true })).split('\n\n')
    text = blocks.pop() ?? ''
    const events = blocks.map(parseEvent)
    if (events.some(({ isReset }) => isReset)) {
      copy.forget()
      return leaving.abort()
    }
    const changes = events.flatMap(({ change }) => change)
    await take(changes, events.findLast(({ store: of }) => of !== null)?.store ?? null)
  }
}

/** A service that does not know our place is another one, or an older copy: all begins again. */
function isGood({ status }: Response): boolean {
  if (status === 400 || status === 409) copy.forget()
  else if (status !== 200) throw new Error(`status ${status}`)
  return status === 200
}

function parseEvent(text: string) {
  const lines = text.split('\n')
  const find = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
  const data = find('data')
  const change: Change[] = data === undefined || find('event') === 'reset' ? [] : [JSON.parse(data)]
  return { change, isReset: find('event') === 'reset', store: find('id')?.split('.')[0] ?? null }
}

/** What is read now is at least as new as the change; a newer one will be told of later, and read again. */
async function take(changes: readonly Change[], store: string | null): Promise<void> {
  const last = changes.at(-1)
  if (last === undefined) return
  const kinds = new Map(changes.map(({ id, kind }) => [id, kind]))
  const bodies = new Map<number, Uint8Array | null>()
  const waiting = [...kinds]
  const work = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [id, kind] = next
      bodies.set(id, kind === 'withdrawn' ? null : await read(id))
    }
  }
  await Promise.all(Array.from({ length: fetchesAtOnce }, work))
  copy.save(bodies, { seq: last.seq, store })
}

async function read(id: number): Promise<Uint8Array | null> {
  const answer = await fetch(`${address}/api/v2/video/${id}?format=json`)
  if (answer.status === 404) return null
  if (answer.status !== 200) throw new Error(`record ${id}: status ${answer.status}`)
  return answer.bytes()
}
