import { type Client, createClient, type Result, type VideoRecord } from '../../src/client/client.ts'

/** What a client sees on its way through everything it can do; the same wherever it runs. */
export async function runScenario(baseUrl: string, token: string, run: string): Promise<Seen> {
  const client = createClient({ baseUrl: `${baseUrl}/`, token })
  return {
    read: await readSome(client),
    created: await createTwice(client, run),
    updated: await updateAtOnce(client, run),
    conflicts: await meetConflicts(baseUrl, token, run),
    listed: await listPages(client, run),
    suggested: [await suggest(client, ' '), await suggest(client, 'x'.repeat(201))],
    history: await goBack(client, run),
    failures: await meetFailures(baseUrl, token),
  }
}

export type Seen = Readonly<Record<string, unknown>>

const toStatus = (result: Result<unknown>) => (result.ok ? 'ok' : result.problem.status)

async function readSome(client: Client): Promise<Seen> {
  const one = await client.get(1)
  return {
    id: one.ok && one.value.id,
    hasTag: one.ok && one.etag !== null,
    missing: toStatus(await client.get(999_999)),
  }
}

async function createTwice(client: Client, run: string): Promise<Seen> {
  const record = { category: `Created by ${run}`, title: 'Once', speakers: ['Ada'] }
  const key = { idempotencyKey: `key-of-${run}` }
  const [first, second] = [await client.create(record, key), await client.create(record, key)]
  const isSame = first.ok && second.ok && first.value.id === second.value.id
  // A program without types may send anything.
  const bad = await client.create({ category: '', title: '', duration: 'long' } as never)
  return { title: first.ok && first.value.title, isSame, errors: bad.ok ? [] : Object.keys(bad.problem.errors ?? {}) }
}

async function updateAtOnce(client: Client, run: string): Promise<Seen> {
  const made = await client.create({ category: `Updated by ${run}`, title: 'Many hands' })
  if (!made.ok) return { problem: made.problem }
  const { id } = made.value
  const words = ['a', 'b', 'c', 'd', 'e']
  const add = (word: string) => client.update(id, ({ tags }) => ({ tags: [...tags, word] }))
  const statuses = (await Promise.all(words.map(add))).map(toStatus)
  const plain = await client.update(id, { summary: 'Plain.' })
  const kept = await client.update(id, () => null)
  const tags = kept.ok ? [...kept.value.tags].sort() : []
  return { statuses, plain: plain.ok && plain.value.summary, tags, missing: toStatus(await client.update(999_999, {})) }
}

/** Somebody else is always faster: before each PATCH the record is changed once more, `times` times. */
async function meetConflicts(baseUrl: string, token: string, run: string): Promise<Seen> {
  const other = createClient({ baseUrl, token })
  const made = await other.create({ category: `Conflicts of ${run}`, title: 'Contended' })
  if (!made.ok) return { problem: made.problem }
  const { id } = made.value
  const update = async (times: number, retries: number) => {
    let left = times
    const interfere = async (url: string, init: RequestInit) => {
      if (init.method === 'PATCH' && left-- > 0) await other.update(id, { whiteboard: `${times} ${left}` })
      return fetch(url, init)
    }
    const client = createClient({ baseUrl, token, fetch: interfere })
    return toStatus(await client.update(id, { summary: `${times} ${retries}` }, { retries }))
  }
  return { none: await update(1, 0), enough: await update(2, 2), tooFew: await update(3, 2) }
}

async function listPages(client: Client, run: string): Promise<Seen> {
  const category = `Listed by ${run}`
  const made: number[] = []
  for (const title of ['e', 'd', 'c', 'b', 'a']) {
    const one = await client.create({ category, title })
    if (one.ok) made.push(one.value.id)
  }
  const byCursor = await collect(client.list({ category, page_size: 2 }))
  const byPage = await collect(client.list({ category, page_size: 2, page: 2, ordering: '-title' }))
  const marked = await collect(client.list({ category, q: 'c', highlight: true }))
  const bad = await collect(client.list({ recorded_after: 'yesterday' }))
  return {
    marks: marked.map((each) => each.ok && [each.value.record.title, ...each.value.highlight.title]),
    titles: byCursor.map(toTitle),
    isWhole: byCursor.length === made.length,
    second: byPage.map(toTitle),
    bad: bad.map(toStatus),
  }
}

/** How many suggestions there are, or the status of the failure. */
async function suggest(client: Client, text: string): Promise<string | number> {
  const found = await client.suggest(text)
  return found.ok ? `${found.value.length} found` : found.problem.status
}

async function goBack(client: Client, run: string): Promise<Seen> {
  const made = await client.create({ category: `History of ${run}`, title: 'First' })
  if (!made.ok) return { problem: made.problem }
  const { id } = made.value
  await client.update(id, { title: 'Second' })
  const restored = await client.restore(id, 1)
  const versions = (await collect(client.history(id))).map((each) =>
    each.ok ? each.value.changed.length : each.problem,
  )
  const changes = await collect(client.changes())
  const own = changes.flatMap((each) => (each.ok && each.value.id === id ? [each.value] : []))
  const last = own.at(-1)
  return {
    title: restored.ok && restored.value.title,
    hasTag: restored.ok && restored.etag !== null,
    versions: versions.slice(0, 2),
    changes: own.map(({ version, kind }) => `${version} ${kind}`),
    later: (await collect(client.changes(last?.seq ?? 0, { store: last?.store ?? '' }))).filter(
      (each) => each.ok && each.value.id === id,
    ).length,
    missing: toStatus(await client.restore(id, 99)),
    otherStore: (await collect(client.changes(0, { store: '0123456789abcdef' }))).map(toStatus),
    ahead: (await collect(client.changes(1e9))).map(toStatus),
  }
}

const toTitle = (result: Result<VideoRecord>) => (result.ok ? result.value.title : result.problem.detail)

async function collect<T>(results: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const result of results) all.push(result)
  return all
}

async function meetFailures(baseUrl: string, token: string): Promise<Seen> {
  const nobody = createClient({ baseUrl: 'http://127.0.0.1:1', token })
  const stranger = createClient({ baseUrl, token: 'rst_wrong' })
  const page = createClient({ baseUrl, fetch: async () => new Response('<html>', { status: 502 }) })
  return {
    network: toStatus(await nobody.get(1)),
    list: (await collect(nobody.list())).map(toStatus),
    wrongToken: toStatus(await stranger.get(1)),
    noJson: toStatus(await page.get(1)),
  }
}
