import type { CompanionName } from '../../src/record/companion/kinds.ts'
import { type Curator, type FieldList, listForms } from './curator.ts'
import { type Fields, fail, type Service } from './service.ts'
import { batchPath } from './versions.ts'

/** A form that is in order: sent by its page as an admin, it does something. */
export interface Deed {
  readonly address: string
  /** Without the token. */
  readonly fields: FieldList
  /** Whether it changes something in the store. */
  readonly changes: boolean
}

interface Stage {
  readonly service: Service
  readonly curator: Curator
}

type Prepare = (stage: Stage) => Promise<Deed>

let made = 0
/** A live talk with names of its own. */
async function createTalk({ service }: Stage, fields: Fields = {}): Promise<Fields & { readonly id: number }> {
  const number = ++made
  const own = { category: `Event ${number}`, speakers: [`Speaker ${number}`], tags: [`Tag ${number}`] }
  const talk = await service.create({ ...own, title: `Talk ${number}`, ...fields })
  return { ...talk, id: Number(talk.id) }
}

/** A hidden field of a page. */
async function readHidden({ curator }: Stage, path: string, name: string): Promise<string> {
  const { body } = await curator.get(path)
  const fields = listForms(body).flatMap((form) => form.fields)
  return fields.find(([each]) => each === name)?.[1] ?? fail(`No ${name} in ${path}: ${body}`)
}

async function typeLines(stage: Stage, name: CompanionName, lines: string): Promise<Deed> {
  const address = `/edit/video/${(await createTalk(stage)).id}/${name}`
  const base = await readHidden(stage, address, 'base')
  return { address, fields: Object.entries({ base, 'field.lines': lines, do: 'save' }), changes: true }
}

const createKey = () => crypto.randomUUID()

async function findNameId({ service }: Stage, kind: 'speaker' | 'tag', name: string): Promise<number> {
  const path = `/api/v2/${kind}?q=${encodeURIComponent(name)}`
  const { results } = JSON.parse((await service.call({ method: 'GET', path, as: 'admin' })).body)
  return results.find((each: { name: string }) => each.name === name)?.id ?? fail(`No ${kind} ${name}`)
}

const renameName =
  (kind: 'speaker' | 'tag'): Prepare =>
  async (stage) => {
    const { speakers, tags } = await createTalk(stage)
    const [name] = [kind === 'speaker' ? speakers : tags].flat()
    const address = `/edit/names/${kind}/${await findNameId(stage, kind, String(name))}`
    const tag = await readHidden(stage, address, 'tag')
    const fields = { name: `${name} renamed`, tag, key: createKey(), do: 'rename now' }
    return { address, fields: Object.entries(fields), changes: true }
  }

const dismissVariants =
  (kind: 'speaker' | 'tag'): Prepare =>
  async (stage) => {
    const word = `Ännchen ${++made}`
    const names = [word, word.toUpperCase()]
    await createTalk(stage, kind === 'speaker' ? { speakers: names } : { tags: names })
    const ids = await Promise.all(names.map((name) => findNameId(stage, kind, name)))
    const fields: FieldList = [
      ['group.1', ids.join()],
      ['key', createKey()],
      ['do', 'dismiss 1'],
    ]
    return { address: `/edit/variants/${kind}`, fields, changes: true }
  }

const mergeNames =
  (kind: 'speaker' | 'tag'): Prepare =>
  async (stage) => {
    const names = [`Merged ${++made}`, `Kept ${made}`]
    await createTalk(stage, kind === 'speaker' ? { speakers: names } : { tags: names })
    const [from, into] = await Promise.all(names.map((name) => findNameId(stage, kind, name)))
    const fields: FieldList = [
      ['keep.1', String(into)],
      ['merge.1', String(from)],
      [`name.${from}`, names[0] ?? ''],
      [`name.${into}`, names[1] ?? ''],
      ['key', createKey()],
      ['do', 'merge all'],
    ]
    return { address: `/edit/names/${kind}`, fields, changes: true }
  }

/** Each is hidden once. */
const hiddenCodes = ['missing_summary', 'missing_media', 'missing_licence', 'missing_embed', 'missing_tags']

/** By the path of the form. */
export const deeds: { readonly [path: string]: Prepare } = {
  '/edit/duplicates': async (stage) => {
    const same = { title: `Twice ${++made}`, category: `Event ${made}` }
    const [one, other] = [await createTalk(stage, same), await createTalk(stage, same)]
    const typed = { ids: `${one.id},${other.id}`, key: createKey(), do: 'distinct' }
    return { address: '/edit/duplicates', fields: Object.entries(typed), changes: true }
  },
  '/edit/links': async (stage) => {
    const url = `https://example.org/link${++made}`
    await createTalk(stage, { source_url: url })
    return { address: '/edit/links', fields: Object.entries({ url, do: 'fine' }), changes: true }
  },
  '/edit/findings': async (stage) => {
    const { id } = await createTalk(stage)
    const typed = { code: 'missing_thumbnail', fine: String(id) }
    return { address: '/edit/findings', fields: Object.entries(typed), changes: true }
  },
  '/edit/findings/hidden': async () => {
    const code = hiddenCodes.pop() ?? fail('No list is left to hide')
    return { address: '/edit/findings/hidden', fields: Object.entries({ code, do: 'hide' }), changes: true }
  },
  '/edit/park': async (stage) => {
    const { id } = await createTalk(stage, { state: 2 })
    return { address: '/edit/park', fields: Object.entries({ id: String(id), do: 'park' }), changes: true }
  },
  '/edit/video/:id/publish-at': async (stage) => {
    const { id } = await createTalk(stage, { state: 2 })
    const at = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16)
    return { address: `/edit/video/${id}/publish-at`, fields: Object.entries({ at, back: 'talk' }), changes: true }
  },
  '/edit/new': async () => {
    const typed = { 'field.title': `New ${++made}`, 'field.category': 'Contract tests', key: createKey() }
    return { address: '/edit/new', fields: Object.entries({ ...typed, do: 'create' }), changes: true }
  },
  '/edit/video/:id': async (stage) => {
    const address = `/edit/video/${(await createTalk(stage)).id}`
    const etag = await readHidden(stage, address, 'etag')
    return { address, fields: Object.entries({ etag, 'field.title': `Changed ${++made}`, do: 'save' }), changes: true }
  },
  '/edit/video/:id/related': (stage) => typeLines(stage, 'related', 'https://slides.example.org/a'),
  '/edit/video/:id/recordings': (stage) => typeLines(stage, 'recordings', 'https://tapes.example.org/a'),
  '/edit/video/:id/chapters': (stage) => typeLines(stage, 'chapters', '0:00 Beginning'),
  '/edit/video/:id/transcripts': async (stage) => {
    const { id } = await createTalk(stage)
    const path = `/api/v2/video/${id}/transcripts/en`
    const body = 'WEBVTT\n\n00:01.000 --> 00:02.000\nHello'
    await stage.service.call({ method: 'PUT', path, as: 'admin', headers: { 'Content-Type': 'text/vtt' }, body })
    const address = `/edit/video/${id}/transcripts`
    const base = await readHidden(stage, address, 'base')
    return { address, fields: Object.entries({ base, language: 'en', do: 'delete' }), changes: true }
  },
  '/edit/video/:id/history/:version': async (stage) => {
    const { id } = await createTalk(stage)
    await stage.service.patch(id, { summary: 'Second version' })
    const address = `/edit/video/${id}/history/1`
    const etag = await readHidden(stage, address, 'etag')
    return { address, fields: Object.entries({ etag, do: 'restore' }), changes: true }
  },
  '/edit/batches/:id': async (stage) => {
    const { id } = await createTalk(stage)
    const json = { select: { ids: [id] }, patch: { summary: 'By a batch' } }
    const answer = await stage.service.call({ method: 'POST', path: batchPath, as: 'admin', json })
    const address = `/edit/batches/${JSON.parse(answer.body).id}`
    return { address, fields: Object.entries({ key: createKey(), do: 'undo' }), changes: true }
  },
  '/edit/bulk': async (stage) => {
    const { id } = await createTalk(stage)
    const typed = { id: String(id), 'field.summary': 'By a form' }
    const preview = await stage.curator.post('/edit/bulk', Object.entries({ ...typed, do: 'preview' }))
    const form = listForms(preview.body).find(({ action }) => action === '/edit/bulk') ?? fail(preview.body)
    const fields = form.fields.filter(([name]) => name !== 'csrf')
    return { address: '/edit/bulk', fields: [...fields, ['do', 'apply']], changes: true }
  },
  '/edit/table': async (stage) => {
    const { id } = await createTalk(stage)
    const typed = { text: `id,summary\n${id},By a table`, do: 'read' }
    const preview = await stage.curator.post('/edit/table', Object.entries(typed))
    const form = listForms(preview.body).find(({ action }) => action === '/edit/table') ?? fail(preview.body)
    const fields = form.fields.filter(([name]) => name !== 'csrf')
    return { address: '/edit/table', fields: [...fields, ['do', 'apply']], changes: true }
  },
  '/edit/names/speaker/:id': renameName('speaker'),
  '/edit/names/tag/:id': renameName('tag'),
  '/edit/names/category/:slug': async (stage) => {
    const { category } = await createTalk(stage)
    const address = `/edit/names/category/${String(category).toLowerCase().replace(' ', '-')}`
    const etag = await readHidden(stage, address, 'etag')
    return { address, fields: Object.entries({ etag, 'field.description': 'Changed', do: 'save' }), changes: true }
  },
  '/edit/new-category': async () => {
    const fields = { 'field.title': `New event ${++made}`, key: createKey(), do: 'create' }
    return { address: '/edit/new-category', fields: Object.entries(fields), changes: true }
  },
  '/edit/names/speaker': mergeNames('speaker'),
  '/edit/names/tag': mergeNames('tag'),
  '/edit/variants/speaker': dismissVariants('speaker'),
  '/edit/variants/tag': dismissVariants('tag'),
  '/edit/preview': async () => {
    return { address: '/edit/preview', fields: [['field.title', 'Looked at']], changes: false }
  },
  '/edit/preview/:id': async (stage) => {
    const { id } = await createTalk(stage)
    return { address: `/edit/preview/${id}`, fields: [['field.title', 'Looked at']], changes: false }
  },
  '/edit/sessions': async () => ({ address: '/edit/sessions', fields: [['others', '1']], changes: true }),
  '/edit/sign-out': async () => ({ address: '/edit/sign-out', fields: [], changes: true }),
}
