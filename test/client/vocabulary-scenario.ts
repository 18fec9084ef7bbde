import type { Client } from '../../src/client/client.ts'
import { collect, collectValues, type Seen, toStatus, unwrap } from './seen.ts'

/** Speakers, tags and languages. */
export async function readNames(client: Client, run: string): Promise<Seen> {
  const [speaker, tag] = [`Nadia ${run}`, `tagged by ${run}`]
  unwrap(
    await client.create({
      category: `Names of ${run}`,
      title: 'Names',
      speakers: [speaker],
      tags: [tag],
      language: 'fr',
    }),
  )
  const [nadia] = await collectValues(client.speakers.list({ q: speaker }))
  const [tagged] = await collectValues(client.tags.list({ q: tag }))
  const languages = await collectValues(client.languages.list({ q: 'fren' }))
  const found = await client.speakers.get(nadia?.id ?? 0)
  return {
    speaker: found.ok && [found.value.name === speaker, found.value.count],
    tag: toStatus(await client.tags.get(tagged?.id ?? 0)),
    listed: await collectValues(client.list({ speaker_id: nadia?.id ?? 0 })).then((all) => all.length),
    languages: languages.map(({ name }) => name),
    ...(await changeSpeaker(client, nadia?.id ?? 0)),
    missing: [toStatus(await client.speakers.get(999_999)), toStatus(await client.tags.get(999_999))],
  }
}

/** The profile of a speaker, with its versions. */
async function changeSpeaker({ speakers }: Client, id: number): Promise<Seen> {
  const read = await speakers.get(id)
  const etag = read.ok ? read.etag : null
  const links = ['https://nadia.example/']
  const said = unwrap(await speakers.update(id, { note: 'Reads maps.', links }, { etag, reason: 'She asked' }))
  const stale = await speakers.update(id, { note: 'Too late' }, { etag })
  const lines = await collectValues(speakers.history(id))
  const first = unwrap(await speakers.version(id, 1))
  return {
    said: [said.note, said.links],
    stale: toStatus(stale),
    versions: lines.map(({ version, changed, reason }) => [version, changed, reason]),
    first: [first.speaker.note, first.changed.links?.to],
  }
}

/** A category from its creation to its rename, and the undo of that. */
export async function changeCategory(client: Client, run: string): Promise<Seen> {
  const { categories } = client
  const title = `Event of ${run}`
  const tried = await categories.create({ title }, { dryRun: true })
  const made = unwrap(await categories.create({ title }, { idempotencyKey: `event-of-${run}` }))
  const again = unwrap(await categories.create({ title }, { idempotencyKey: `event-of-${run}` }))
  const { id } = unwrap(await client.create({ category: title, title: 'A talk' }))
  const read = await categories.get(made.slug)
  const etag = read.ok ? read.etag : null
  const dated = await categories.update(made.slug, { start_date: '2024-05-01' }, { etag, reason: 'Датa: «1 мая»' })
  const stale = await categories.update(made.slug, { start_date: '2024-05-02' }, { etag })
  const renamed = unwrap(await categories.update(made.slug, { title: `${title}, renamed` }))
  const versions = await collectValues(categories.history(made.slug))
  const first = unwrap(await categories.version(made.slug, 1))
  return {
    tried: toStatus(tried),
    taken: toStatus(await categories.create({ title: renamed.title })),
    isOne: again.slug === made.slug,
    dated: dated.ok && dated.value.start_date,
    stale: toStatus(stale),
    reasons: versions.map(({ reason }) => reason),
    first: first.category.title === title,
    found: (await collectValues(categories.list({ q: `Event of ${run}` }))).length,
    missing: toStatus(await categories.get('no-such-event')),
    ...(await undoRename(client, id)),
  }
}

/** Undoes the newest batch, which is that of the rename. */
async function undoRename(client: Client, id: number): Promise<Seen> {
  const { batches } = client
  const [newest] = await collectValues(batches.list())
  const tried = unwrap(await batches.undo(newest?.id ?? 0, { dryRun: true }))
  const undone = unwrap(
    await batches.undo(newest?.id ?? 0, { reason: 'A mistake.', idempotencyKey: `undo-${newest?.id}` }),
  )
  const waited = unwrap(await batches.wait(undone.id ?? 0))
  return {
    kind: newest?.kind,
    triedUndo: [tried.id, tried.changed],
    undone: [undone.state, undone.changed, undone.reason],
    waited: [waited.state, waited.undoes === newest?.id],
    state: unwrap(await batches.get(newest?.id ?? 0)).undone_by === undone.id,
    category: unwrap(await client.get(id)).category.includes('renamed'),
    missingBatch: [toStatus(await batches.undo(999_999)), toStatus(await batches.wait(999_999))],
    failedList: (await collect(batches.list({ signal: AbortSignal.abort() }))).map(toStatus),
  }
}
