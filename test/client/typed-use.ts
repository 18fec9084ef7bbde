import {
  type Client,
  type ClientProblem,
  createClient,
  type Result,
  type VideoRecord,
} from '../../src/client/client.ts'

// Is compiled by users' compilers with users' settings and never run. It needs neither DOM nor Node.js.

/** A value from each call, with the type that users see. */
export async function useAll(baseUrl: string): Promise<readonly string[]> {
  const client: Client = createClient({ baseUrl, token: 'key' })
  return [...(await useRecords(client)), ...(await useNames(client)), ...(await useBatches(client))]
}

function unwrap<T>(result: Result<T>): T {
  if (result.ok) return result.value
  const problem: ClientProblem = result.problem
  throw new Error(`${problem.status} ${problem.detail} ${problem.errors?.title?.[0]} ${result.retryAfter ?? 0}`)
}

async function useRecords(client: Client): Promise<readonly string[]> {
  const talk: VideoRecord = unwrap(await client.get(1))
  const made = unwrap(
    await client.create({ category: 'Event', title: 'Talk' }, { idempotencyKey: 'key', reason: 'new' }),
  )
  const changed = unwrap(await client.update(1, ({ tags }) => (tags.includes('a') ? null : { tags: [...tags, 'a'] })))
  const put = unwrap(await client.replace(1, { category: 'Event', title: 'Talk' }, { etag: '"1"', dryRun: true }))
  const seen = [talk.title, made.slug, String(changed.duration?.toFixed()), put.recorded ?? '']
  for await (const each of client.list({ tag: ['a', 'b'], page_size: 10 })) seen.push(unwrap(each).title)
  for await (const each of client.list({ q: 'a', highlight: true })) seen.push(unwrap(each).record.title)
  for await (const each of client.history(1)) seen.push(unwrap(each).by)
  for await (const each of client.changes(0, { store: 'a', by: 'ann' })) seen.push(unwrap(each).reason ?? '')
  for await (const each of client.countFindings({ code: 'missing_language' })) seen.push(unwrap(each).category)
  for await (const each of client.duplicates()) seen.push(unwrap(each).reason, ...unwrap(each).ids.map(String))
  seen.push(unwrap(await client.mergeRecord(2, 1, { take: ['title'], reason: 'twice' })).kind)
  seen.push(...unwrap(await client.dismissDuplicates([1, 2], { dismissed: false })).ids.map(String))
  for await (const each of client.links.list({ state: 'gone,moved', host: 'example.org' }))
    seen.push(unwrap(each).target ?? '', ...unwrap(each).videos.map(String))
  for await (const each of client.links.count({ category: 'event' })) seen.push(`${unwrap(each).gone}`)
  seen.push(unwrap(await client.links.previewMoved({ urls: ['https://example.org/'] })).kind)
  seen.push(unwrap(await client.links.ignore('https://example.org/', null)).until ?? '')
  seen.push(...unwrap(await client.findings(1)).map(({ detail }) => detail))
  seen.push(...unwrap(await client.totalFindings({ category: 'event' })).map(({ code, count }) => `${code} ${count}`))
  const { accepted, as_of } = unwrap(await client.allFindings(1))
  seen.push(...accepted.map(({ by, at }) => `${by} ${at}`))
  seen.push(...unwrap(await client.acceptFinding(1, 'missing_tags', { asOf: as_of })).results.map(({ code }) => code))
  seen.push(
    ...unwrap(await client.withdrawAcceptance(1, 'missing_tags', { dryRun: true })).results.map(({ code }) => code),
  )
  seen.push(String(unwrap(await client.hideFinding('missing_media', false)).hidden))
  const then = unwrap(await client.version(1, 1)).record.title
  const restored = unwrap(await client.restore(1, 1, { reason: 'mistake' })).title
  const origin = unwrap(await client.extras(1)).origin?.path ?? ''
  return [...seen, then, restored, origin, ...unwrap(await client.suggest('a')).map(({ text }) => text)]
}

async function useNames({ speakers, tags, languages, categories }: Client): Promise<readonly string[]> {
  const seen = [unwrap(await speakers.get(1)).name, unwrap(await tags.get(1)).slug]
  for await (const each of speakers.list({ q: 'a' })) seen.push(unwrap(each).name)
  for await (const each of tags.list()) seen.push(unwrap(each).name)
  for await (const each of languages.list()) seen.push(unwrap(each).name)
  for await (const each of categories.list()) seen.push(...unwrap(each).videos)
  for await (const each of categories.history('event')) seen.push(...unwrap(each).changed)
  for await (const each of speakers.variants({ reason: 'case' }))
    seen.push(unwrap(each).reason, ...unwrap(each).names.map(({ name }) => name))
  const renamed = unwrap(await tags.rename(1, 'science', { etag: '"1"', reason: 'spelling' }))
  const merged = unwrap(await speakers.merge(1, 2, { idempotencyKey: 'key', wait: false }))
  const dismissed = unwrap(await tags.dismissVariants([1, 2], { dismissed: false })).dismissed
  seen.push(...(renamed.aliases ?? []), merged.kind, String(dismissed))
  seen.push(unwrap(await categories.merge('old', 'new', { dryRun: true })).state)
  const event = unwrap(await categories.create({ title: 'Event', start_date: null }))
  const dated = unwrap(await categories.update(event.slug, { start_date: '2024-05-01' }))
  return [
    ...seen,
    unwrap(await categories.get('event')).url,
    dated.slug,
    unwrap(await categories.version('event', 1)).by,
  ]
}

async function useBatches({ batches }: Client): Promise<readonly string[]> {
  const seen: string[] = []
  for await (const each of batches.list()) seen.push(unwrap(each).kind)
  const select = { query: { category: 'Event', missing: 'language' } }
  const patch = { language: 'en', tags: { add: ['a'] } }
  const { total, as_of, differences } = unwrap(await batches.preview({ select, patch }))
  seen.push(...differences.map(({ fields }) => String(fields.tags?.after)))
  const made = unwrap(await batches.create({ select, patch, expect: total, as_of, partial: true }, { wait: false }))
  seen.push(made.by, ...made.refused.map(({ problem }) => problem))
  unwrap(await batches.create({ select: { by: 'ann', since: '2024-01-01' }, restore: true, expect: 2 }))
  const undone = unwrap(await batches.undo(1, { reason: 'mistake', onProgress: ({ done }) => seen.push(`${done}`) }))
  const waited = unwrap(await batches.wait(undone.id ?? unwrap(await batches.get(1)).id))
  return [...seen, waited.state, ...waited.left.map(({ why }) => why)]
}

/** What the compiler must refuse: types that resolve to nothing would let it pass. */
export async function misuse(client: Client): Promise<void> {
  // @ts-expect-error an id is a number
  await client.get('1')
  // @ts-expect-error a record needs a category
  await client.create({ title: 'Talk' })
  // @ts-expect-error the list has no such filter
  client.list({ spaeker: 'Ada' })
  // @ts-expect-error a result may be a failure
  await client.get(1).then(({ value }) => value)
  // @ts-expect-error only what an author changed can be restored
  await client.batches.create({ select: { ids: [1] }, restore: true })
  // @ts-expect-error there is no such finding
  client.countFindings({ code: 'missing_everything' })
  // @ts-expect-error a batch has no pages
  await client.batches.preview({ select: { query: { page: 2 } }, patch: {} })
  // @ts-expect-error a state is 1 or 2
  await client.update(1, { state: 3 })
}
