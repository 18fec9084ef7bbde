import { type Client, createClient, type FetchInit } from '../../src/client/client.ts'
import { changeMany, cleanNames, findWork, judgeLinks } from './curation-scenario.ts'
import { collect, collectValues, type Seen, toStatus, toTitle, unwrap } from './seen.ts'
import { changeCategory, readNames } from './vocabulary-scenario.ts'

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
    replaced: await replace(client, run),
    companions: await useCompanions(client, run),
    names: await readNames(client, run),
    category: await changeCategory(client, run),
    many: await changeMany(client, run),
    cleaned: await cleanNames(client, run),
    work: await findWork(client, run),
    links: await judgeLinks(client, run),
    failures: await meetFailures(baseUrl, token),
  }
}

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
    const interfere = async (url: string, init: FetchInit) => {
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
  await client.update(id, { title: 'Second' }, { reason: 'Better' })
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
    audit: own.map(({ reason, fields }) => [reason, fields?.length]),
    by: (await collectValues(client.changes(0, { by: last?.by ?? '' }))).some((each) => each.id === id),
    byNobody: (await collectValues(client.changes(0, { by: 'nobody' }))).length,
    later: (await collect(client.changes(last?.seq ?? 0, { store: last?.store ?? '' }))).filter(
      (each) => each.ok && each.value.id === id,
    ).length,
    missing: toStatus(await client.restore(id, 99)),
    otherStore: (await collect(client.changes(0, { store: '0123456789abcdef' }))).map(toStatus),
    ahead: (await collect(client.changes(1e9))).map(toStatus),
  }
}

async function useCompanions(client: Client, run: string): Promise<Seen> {
  const { id } = unwrap(await client.create({ category: `Companions of ${run}`, title: 'Linked' }))
  const none = await client.companion(id, 'related')
  const links = [{ url: 'https://example.org/slides.pdf', label: 'Slides' }]
  const set = await client.setCompanion(id, 'related', { links }, { etag: none.ok ? none.etag : null, reason: 'found' })
  const stale = await client.setCompanion(id, 'related', { links: [] }, { etag: none.ok ? none.etag : null })
  const chapters = unwrap(await client.setCompanion(id, 'chapters', { chapters: [{ start: 0, title: 'All' }] }))
  const patch = { related: { add: [{ url: 'https://example.org/code' }], remove: ['https://example.org/slides.pdf'] } }
  await client.batches.create({ select: { ids: [id] }, patch })
  const changed = unwrap(await client.companion(id, 'related')).links
  const cleared = unwrap(await client.clearCompanion(id, 'related')).links
  return {
    counts: [unwrap(none).links?.length, unwrap(set).links?.length, cleared?.length],
    ...{ kind: unwrap(set).links?.[0]?.kind, changed: changed?.map(({ url }) => url), stale: toStatus(stale) },
    ...{ title: chapters.chapters?.[0]?.title, isOther: set.ok && none.ok && set.etag !== none.etag },
  }
}

async function replace(client: Client, run: string): Promise<Seen> {
  const reason = 'Été: 二 😀'
  const made = await client.create({ category: `Replaced by ${run}`, title: 'Old', summary: 'Gone.' }, { reason })
  const { id } = unwrap(made)
  const etag = made.ok ? made.etag : null
  const record = { category: `Replaced by ${run}`, title: 'New' }
  const tried = unwrap(await client.replace(id, record, { dryRun: true, etag }))
  const kept = unwrap(await client.get(id)).title
  const replaced = unwrap(await client.replace(id, record, { etag, reason: 'Anew' }))
  const extras = unwrap(await client.extras(id))
  const first = unwrap(await client.version(id, 1))
  return {
    titles: [tried.title, kept, replaced.title],
    summary: replaced.summary,
    stale: toStatus(await client.replace(id, record, { etag })),
    reason: first.reason === reason,
    first: [first.record.title, first.version],
    extras: [extras.origin, Object.keys(extras.extras).length],
    triedUpdate: unwrap(await client.update(id, { title: 'Never' }, { dryRun: true })).title,
    title: unwrap(await client.get(id)).title,
  }
}

async function meetFailures(baseUrl: string, token: string): Promise<Seen> {
  const nobody = createClient({ baseUrl: 'http://127.0.0.1:1', token })
  const stranger = createClient({ baseUrl, token: 'rst_wrong', fetch })
  const page = createClient({ baseUrl, fetch: async () => new Response('<html>', { status: 502 }) })
  const busy = createClient({
    baseUrl,
    fetch: async () => new Response('{}', { status: 503, headers: { 'Retry-After': '7' } }),
  })
  const refused = await busy.get(1)
  const { signal } = new AbortController()
  return {
    retryAfter: !refused.ok && refused.retryAfter,
    notAborted: toStatus(await stranger.get(1, { signal })),
    aborted: toStatus(await stranger.get(1, { signal: AbortSignal.abort() })),
    network: toStatus(await nobody.get(1)),
    list: (await collect(nobody.list())).map(toStatus),
    wrongToken: toStatus(await stranger.get(1)),
    noJson: toStatus(await page.get(1)),
  }
}
