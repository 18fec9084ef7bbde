import { beforeAll, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { createToken, revokeToken } from '../harness/server.ts'
import { until } from '../harness/until.ts'
import { type Curator, createCurator } from './curator.ts'
import { parseFields, toPath, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['editor', 'publisher'], args: ['--threads', '1'] })

let editor: Curator
let publisher: Curator

beforeAll(async () => {
  ;[editor, publisher] = [createCurator(service), createCurator(service)]
  await editor.signIn(service.keyOf('editor'))
  await publisher.signIn(service.keyOf('publisher'))
}, 180_000)

const day = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)
const noon = `${day}T12:00`

async function createDraft(title: string): Promise<number> {
  return Number((await service.create({ title, state: 2 })).id)
}

/** Sends a form, and follows it. */
async function send(id: number, fields: { readonly [name: string]: string }, curator = publisher) {
  const answer = await curator.post(`/edit/video/${id}/publish-at`, Object.entries(fields))
  const location = headerOf(answer, 'Location') ?? ''
  return { status: answer.status, location, body: location === '' ? answer.body : (await curator.get(location)).body }
}

async function readAt(id: number): Promise<unknown> {
  return parseFields(await service.call({ method: 'GET', path: `${toPath(id)}/publish-at`, as: 'publisher' })).at
}

/** The fields of the form with the button Undo. */
function readUndo(body: string): { readonly [name: string]: string } {
  const form =
    [...body.matchAll(/<form[^>]*publish-at.*?<\/form>/gs)].find(([text]) => text.includes('Undo'))?.[0] ?? ''
  const fields = [...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value])
  return Object.fromEntries(fields.filter(([name]) => name !== 'csrf'))
}

test('A publisher sets the time on the form of a draft, and takes it back with Undo', async () => {
  const id = await createDraft('Goes live at noon')
  expect((await publisher.get(`/edit/video/${id}`)).body).toMatch(/Date and time \(UTC\).*type="datetime-local"/s)
  const set = await send(id, { at: noon, back: 'talk' })
  expect([set.status, await readAt(id)]).toEqual([303, `${noon}:00.000Z`])
  expect(set.body).toMatch(/This talk goes live <time[^>]*>[^<]*, 12:00 UTC/)
  const changed = await send(id, { at: `${day}T13:00`, back: 'talk' })
  await send(id, readUndo(changed.body))
  expect(await readAt(id)).toBe(`${noon}:00.000Z`)
  await send(id, readUndo(set.body))
  expect(await readAt(id)).toBeNull()
})

test('Editors see the time but cannot set it', async () => {
  const id = await createDraft('Seen by editors')
  expect((await editor.get(`/edit/video/${id}`)).body).not.toContain('Publish later')
  await send(id, { at: noon, back: 'talk' })
  const { body } = await editor.get(`/edit/video/${id}`)
  expect(body).toMatch(/Publish later.*Goes live/s)
  expect(body).not.toContain('datetime-local')
  expect((await send(id, { at: noon }, editor)).status).toBe(403)
})

test.each(['', 'noon', '2020-01-01T12:00', '2099-01-01T12:00', '2027-02-30T12:00', '"><script>'])(
  'The time %j is not set, and the page says why',
  async (at) => {
    const id = await createDraft('Stays a draft')
    const { status, body } = await send(id, { at, back: 'talk' })
    expect([status, await readAt(id)]).toEqual([303, null])
    expect(body).toContain('must be in the future')
    expect(body).not.toContain('"><script>')
  },
)

test('The overview counts the talks, and their list takes one back', async () => {
  const id = await createDraft('Counted on the overview')
  await send(id, { at: noon, back: 'talk' })
  expect((await publisher.get('/edit')).body).toMatch(/href="\/edit\/list\?scheduled=1">\d+ talks? will go live</)
  const row = (await publisher.get('/edit/list?state=2')).body.split(`data-row="${id}"`)[1]?.split('</tr>')[0]
  expect(row).toMatch(/goes live <time/)
  const list = (await publisher.get('/edit/list?scheduled=1')).body
  expect(list).toContain(`aria-label="Keep as draft: Counted on the overview"`)
  const kept = await send(id, { do: 'remove', list: 'scheduled=1' })
  expect(kept.body).toMatch(new RegExp(`Talk ${id}</a> stays a draft`))
  expect([kept.body.includes(`data-row="${id}"`), await readAt(id)]).toEqual([false, null])
  const again = await send(id, readUndo(kept.body))
  expect([again.location.startsWith('/edit/list?scheduled=1'), await readAt(id)]).toEqual([true, `${noon}:00.000Z`])
})

test('A talk stays a draft if the publisher has lost the role, and the pages say why', async () => {
  const [gone, moved] = [await createDraft('Its token ends'), await createDraft('Moves away')]
  const put = (id: number, key: string, at: string) =>
    service.call({
      ...{ method: 'PUT', path: `${toPath(id)}/publish-at`, json: { at } },
      headers: { Authorization: `Token ${key}`, Accept: 'application/json' },
    })
  const key = await createToken(service.server(), 'short-lived', 'publisher')
  await service.patch(moved, { category: 'Own Days' })
  const limited = await createToken(service.server(), 'tina', 'publisher', '--events', 'own-days')
  // Later than the token is revoked, even on a busy machine.
  const at = new Date(Date.now() + 8_000).toISOString()
  expect([(await put(gone, key, at)).status, (await put(gone, limited, at)).status]).toEqual([200, 403])
  expect((await put(moved, limited, at)).status).toBe(200)
  await service.patch(moved, { category: 'Other Days' })
  await revokeToken(service.server(), 'short-lived')
  const readFailure = async (id: number) =>
    parseFields(await service.call({ method: 'GET', path: `${toPath(id)}/publish-at`, as: 'publisher' })).failure
  await until('both have failed', async () => (await readFailure(gone)) !== null && (await readFailure(moved)) !== null)
  expect([await readFailure(gone), await readFailure(moved)]).toEqual(['token_gone', 'outside_event'])
  const { body } = await publisher.get('/edit')
  expect(body).toMatch(/talks? did not go live/)
  expect(body).toMatch(/Its token ends.*the token of <bdi>short-lived<\/bdi> has ended/s)
  expect(body).toMatch(/Moves away.*the token of <bdi>tina<\/bdi> is limited to other events/s)
  expect((await publisher.get(`/edit/video/${gone}`)).body).toContain('and stayed a draft')
  expect(parseFields(await service.call({ method: 'GET', path: toPath(gone), as: 'publisher' })).state).toBe(2)
}, 180_000)
