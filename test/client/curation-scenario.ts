import type { Client, VideoFilters } from '../../src/client/client.ts'
import { collectValues, type Seen, toStatus, unwrap } from './seen.ts'

/** Many records at once, from the preview to the undo. */
export async function changeMany(client: Client, run: string): Promise<Seen> {
  const { batches } = client
  const category = `Many of ${run}`
  const ids: number[] = []
  for (const title of ['a', 'b', 'c']) {
    ids.push(unwrap(await client.create({ category, title, tags: ['old', 'kept'] })).id)
  }
  const change = {
    select: { query: { category, tag: ['old', 'kept'] } },
    patch: { language: 'de', tags: { add: ['new'], remove: ['old'] } },
  } as const
  const preview = unwrap(await batches.preview(change))
  const guarded = { ...change, expect: preview.total, as_of: preview.as_of }
  const options = { reason: `Много: ${run}`, idempotencyKey: `many-${run}` }
  const made = unwrap(await batches.create(guarded, options))
  const again = unwrap(await batches.create(guarded, options))
  return {
    preview: [preview.id, preview.total, preview.differences.map(({ fields }) => Object.keys(fields).sort())],
    made: [made.state, made.kind, made.changed, made.reason === options.reason],
    isSame: again.id === made.id,
    records: (await collectValues(client.list({ category }))).map(({ language, tags }) => [language, tags.join(' ')]),
    refusals: await meetRefusals(client, category, ids),
    undone: unwrap(await batches.undo(made.id ?? 0)).left.map(({ why, fields }) => [why, ...fields]),
    after: (await collectValues(client.list({ category }))).map(({ language, tags }) => [language, tags.join(' ')]),
    restored: await restoreAuthor(client, ids),
  }
}

async function meetRefusals({ batches }: Client, category: string, ids: readonly number[]): Promise<Seen> {
  const [first = 0] = ids
  const patch = { language: 'fr' }
  const refused = await batches.create({ select: { ids: [first, 999_999] }, patch })
  const partial = unwrap(await batches.create({ select: { ids: [first, 999_999] }, patch, partial: true }))
  const unexpected = await batches.create({ select: { query: { category } }, patch, expect: 99 })
  const unguarded = await batches.create({ select: { query: `category=${encodeURIComponent(category)}` }, patch })
  return {
    refused: refused.ok ? [] : [refused.problem.status, ...(refused.problem.refused ?? []).map(({ id }) => id)],
    partial: [partial.changed, partial.refused.map(({ id }) => id)],
    unexpected: unexpected.ok ? [] : [unexpected.problem.status, unexpected.problem.count],
    unguarded: unguarded.ok ? [] : [unguarded.problem.status, ...Object.keys(unguarded.problem.errors ?? {})],
  }
}

/** Takes back what the author of this token has changed from now on. */
async function restoreAuthor(client: Client, [id = 0]: readonly number[]): Promise<Seen> {
  const { batches } = client
  const [{ by, at } = { by: '', at: '' }] = await collectValues(client.history(id))
  // Versions are dated in milliseconds, so the next one is later than this.
  const since = new Date(Date.parse(at) + 1).toISOString()
  const { summary } = unwrap(await client.update(id, { summary: 'A mistake.' }))
  const restore = { select: { by, since }, restore: true } as const
  const { total } = unwrap(await batches.preview(restore))
  const made = unwrap(await batches.create({ ...restore, expect: total }))
  const nobody = unwrap(
    await batches.preview({ ...restore, select: { by: 'nobody', since: '2024-01-01', until: since } }),
  )
  return {
    batch: [made.kind, total, made.changed],
    summaries: [summary, unwrap(await client.get(id)).summary],
    nobody: nobody.total,
    missing: toStatus(await batches.undo(1_000_000)),
  }
}

/** Two spellings of a name become one, and two again. */
export async function cleanNames(client: Client, run: string): Promise<Seen> {
  const { speakers, batches } = client
  const [right, wrong] = [`Zoë Quill ${run}`, `Zoe Quill ${run}`]
  const { id } = unwrap(await client.create({ category: `Cleaned by ${run}`, title: 'A', speakers: [right] }))
  const other = unwrap(await client.create({ category: `Cleaned by ${run}`, title: 'B', speakers: [wrong] }))
  const group = (await collectValues(speakers.variants())).find(({ names }) => names.some(({ name }) => name === wrong))
  const idOf = (wanted: string) => group?.names.find(({ name }) => name === wanted)?.id ?? 0
  const tried = unwrap(await speakers.merge(idOf(wrong), idOf(right), { dryRun: true }))
  const merged = unwrap(await speakers.merge(idOf(wrong), idOf(right), { reason: 'One person' }))
  const taken = await speakers.merge(idOf(wrong), idOf(right))
  const found = unwrap(await speakers.get(idOf(wrong)))
  const undone = unwrap(await batches.undo(merged.id ?? 0)).changed
  const [before] = unwrap(await client.get(other.id)).speakers
  const renamed = unwrap(await speakers.rename(idOf(right), `${right} III`, { idempotencyKey: `rename-${run}` }))
  const [after] = unwrap(await client.get(id)).speakers
  return {
    reason: group?.reason,
    tried: [tried.id, tried.changed],
    merged: [merged.kind, merged.changed],
    taken: taken.ok ? [] : [taken.problem.status, taken.problem.id === idOf(right)],
    leadsTo: [found.id === idOf(right), found.aliases?.length],
    undone: [undone, before === wrong],
    renamed: [renamed.id === idOf(right), renamed.name === after],
    dismissed: await dismiss(client, run),
    tag: await renameTag(client, run),
    categories: await mergeCategories(client, run),
  }
}

async function dismiss(client: Client, run: string): Promise<Seen> {
  const names = [`Li Wei ${run}`, `Lí Wei ${run}`]
  unwrap(await client.create({ category: `Cleaned by ${run}`, title: 'C', speakers: names }))
  const find = async () =>
    (await collectValues(client.speakers.variants())).filter((group) =>
      group.names.some(({ name }) => name === names[0]),
    )
  const ids = (await find()).flatMap((group) => group.names.map(({ id }) => id))
  const hidden = unwrap(await client.speakers.dismissVariants(ids, { reason: 'Two people' }))
  const left = (await find()).length
  const shown = unwrap(await client.speakers.dismissVariants(ids, { dismissed: false }))
  return { ids: ids.length, dismissed: [hidden.dismissed, shown.dismissed], left: [left, (await find()).length] }
}

async function renameTag({ tags, ...client }: Client, run: string): Promise<Seen> {
  const name = `sicence ${run}`
  const { id } = unwrap(await client.create({ category: `Cleaned by ${run}`, title: 'D', tags: [name] }))
  const [found] = await collectValues(tags.list({ q: name }))
  const read = await tags.get(found?.id ?? 0)
  const renamed = unwrap(await tags.rename(found?.id ?? 0, `science ${run}`, { etag: read.ok ? read.etag : null }))
  const stale = await tags.rename(found?.id ?? 0, `sciences ${run}`, { etag: read.ok ? read.etag : null })
  const variants = await collectValues(tags.variants())
  return {
    aliases: renamed.aliases?.map((alias) => alias === name),
    record: unwrap(await client.get(id)).tags[0] === renamed.name,
    stale: toStatus(stale),
    self: toStatus(await tags.merge(renamed.id, renamed.id)),
    unknown: toStatus(await tags.dismissVariants([renamed.id])),
    variants: variants.some(({ names }) => names.some(({ id }) => id === renamed.id)),
  }
}

async function mergeCategories({ categories, batches, ...client }: Client, run: string): Promise<Seen> {
  const first = unwrap(await categories.create({ title: `First of ${run}`, url: 'https://example.org/' }))
  const second = unwrap(await categories.create({ title: `Second of ${run}` }))
  const { id } = unwrap(await client.create({ category: first.title, title: 'E' }))
  const merged = unwrap(await categories.merge(first.slug, second.slug, { idempotencyKey: `merge-${run}` }))
  const moved = unwrap(await client.get(id)).category === second.title
  const { slug, url } = unwrap(await categories.get(first.slug))
  unwrap(await batches.undo(merged.id ?? 0))
  return {
    merged: [merged.kind, merged.changed, moved],
    leadsTo: [slug === second.slug, url],
    undone: unwrap(await client.get(id)).category === first.title,
  }
}

async function acceptFinding(client: Client, id: number) {
  const code = 'shouting_title'
  const { as_of: asOf } = unwrap(await client.allFindings(id))
  const accepted = unwrap(await client.acceptFinding(id, code, { asOf })).accepted.map((each) => each.code)
  const isFound = async () => unwrap(await client.findings(id)).some((each) => each.code === code)
  const [wasFound] = [await isFound(), unwrap(await client.withdrawAcceptance(id, code))]
  const hidden = [unwrap(await client.hideFinding(code, true)).hidden, await isFound()]
  return [...accepted, wasFound, ...hidden, unwrap(await client.hideFinding(code, false)).hidden, await isFound()]
}

/** Lists of what needs work. */
/** Nobody checks addresses here, so none has moved. */
export async function judgeLinks({ create, links }: Client, run: string): Promise<Seen> {
  const category = `Links of ${run}`
  const url = `https://example.org/links-of-${run}`
  unwrap(await create({ category, title: 'A talk', source_url: url }))
  const list = async () => (await collectValues(links.list({ category }))).map(({ state, host }) => `${state} ${host}`)
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  const before = await list()
  const ignored = unwrap(await links.ignore(url, tomorrow)).until?.slice(0, 10) === tomorrow
  const select = { query: { category } }
  const { total } = unwrap(await links.previewMoved(select))
  return {
    states: [before, await list(), unwrap(await links.ignore(url, null)).until, await list()],
    ignored,
    counts: (await collectValues(links.count({ category }))).map(({ host, unknown, gone }) => [host, unknown, gone]),
    accepted: [total, unwrap(await links.acceptMoved(select, { expect: total, reason: 'moved' })).changed],
    unexpected: toStatus(await links.acceptMoved({ urls: [url] }, { expect: 5 })),
    missing: toStatus(await links.ignore('https://example.org/missing', null)),
  }
}

export async function findWork(client: Client, run: string): Promise<Seen> {
  const category = `Work of ${run}`
  const source_url = `http://example.org/${run}`
  const { id } = unwrap(await client.create({ category, title: 'SHOUTING TITLE', source_url, language: 'en' }))
  const other = unwrap(await client.create({ category, title: 'Shouting title', whiteboard: 'check', language: 'en' }))
  const count = async (filters: VideoFilters) => (await collectValues(client.list({ ...filters, category }))).length
  return {
    missing: [await count({ missing: 'language' }), await count({ missing: 'recorded,duration' })],
    finding: await count({ finding: 'shouting_title' }),
    whiteboard: [await count({ whiteboard: 1 }), await count({ whiteboard: 0 })],
    host: await count({ host: 'example.org' }),
    by: await count({ by: 'nobody' }),
    findings: unwrap(await client.findings(id)).flatMap(({ code, field }) =>
      code.startsWith('missing_') ? [] : [`${code} ${field}`],
    ),
    counts: (await collectValues(client.countFindings({ code: 'shouting_title', category }))).map(({ count }) => count),
    totals: unwrap(await client.totalFindings({ category, code: 'missing_recorded' })).map(({ count }) => count),
    duplicates: (await collectValues(client.duplicates())).flatMap(({ reason, ids }) =>
      ids.includes(other.id) ? [reason, ids.length, ids.includes(id)] : [],
    ),
    accepted: await acceptFinding(client, id),
    unknown: toStatus(await client.findings(999_999)),
    added: [await count({ added_after: '2020-01-01' }), await count({ updated_before: '2020-01-01T00:00:00' })],
  }
}
