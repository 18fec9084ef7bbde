import { describe, expect, test } from 'bun:test'
import { headerOf, type RawAnswer } from '../harness/raw.ts'
import { parsePage } from '../site/page-tree.ts'
import { type Curator, createCurator, type FieldList, listForms } from './curator.ts'
import { type Fields, fail, parseFields, useService } from './service.ts'
import { getHistory } from './versions.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader', 'editor', 'publisher'], args: ['--threads', '1'] })

async function signIn(role: 'reader' | 'editor' | 'publisher'): Promise<Curator> {
  const curator = createCurator(service)
  await curator.signIn(service.keyOf(role))
  return curator
}

const toText = (html: string) => parsePage(html).one('main').text
const locationOf = (answer: RawAnswer) => headerOf(answer, 'Location') ?? fail('no Location')

/** A talk with three versions. */
async function createTalk(fields: Fields = {}): Promise<number> {
  const id = Number((await service.create({ title: 'Harbours', summary: 'Of ships and slow tides.', ...fields })).id)
  await service.patch(id, { summary: 'Of ships and quick tides.' }, { 'Change-Reason': 'they are quick' })
  await service.patch(id, { tags: ['sea'] })
  return id
}

const toPath = (id: number, version: number) => `/edit/video/${id}/history/${version}`

/** What the form on the page of a version sends. */
async function restoreFields(curator: Curator, id: number, version: number, reason = ''): Promise<FieldList> {
  const { body } = await curator.get(toPath(id, version))
  const form = listForms(body).find(({ action }) => action === toPath(id, version)) ?? fail('no form to restore it')
  return [...form.fields.filter(([name]) => name !== 'csrf'), ['reason', reason], ['do', 'restore']]
}

const restore = async (curator: Curator, id: number, version: number, reason = '') =>
  curator.post(toPath(id, version), await restoreFields(curator, id, version, reason))

const readSummary = async (id: number) => parseFields(await service.read(id)).summary

test('All pages of a talk lead back to the work list that the person came from', async () => {
  const id = await createTalk({ state: 2 })
  const list = 'state=2&missing=language'
  const inList = `list=${encodeURIComponent(list)}`
  const curator = await signIn('editor')
  const back = `href="/edit/video/${id}?${inList}"`
  for (const page of ['history', 'compare', 'history/1', 'related', 'preview']) {
    const path = `/edit/video/${id}/${page}?${inList}`
    expect([page, (await curator.get(path)).body.includes(back)]).toEqual([page, page !== 'history/1'])
  }
  const { body } = await curator.get(`/edit/video/${id}?${inList}`)
  for (const page of ['history', 'related', 'preview']) {
    expect([page, body.includes(`href="/edit/video/${id}/${page}?${inList}"`)]).toEqual([page, true])
  }
  const fields = await restoreFields(curator, id, 1)
  expect(locationOf(await curator.post(`${toPath(id, 1)}?${inList}`, fields))).toBe(
    `/edit/video/${id}/history?restored=1&${inList}`,
  )
})

describe('The history of a talk', () => {
  test('has every version with its author, reason, state and words that changed', async () => {
    const id = await createTalk({ state: 2 })
    await service.patch(id, { state: 1 })
    await service.patch(id, { state: 2 })
    const page = parsePage((await (await signIn('reader')).get(`/edit/video/${id}/history`)).body)
    const items = page
      .one('ol')
      .all('li')
      .filter((each) => each.attribute('id')?.startsWith('version-') === true)
    expect(items.map((item) => item.attribute('id'))).toEqual([5, 4, 3, 2, 1].map((n) => `version-${n}`))
    const [withdrawn, published, tagged, changed, first] = items.map(({ text }) => text)
    expect(withdrawn).toContain('Withdrawn')
    expect(published).toContain('Published')
    expect(tagged).toMatch(/Tags.*added: sea/)
    expect(changed).toContain('they are quick')
    expect(changed).toContain('Of ships and removed: slow (end of change) added: quick (end of change) tides.')
    expect(first).toMatch(/Version 1 .* by ROSTRUM_ADMIN_TOKEN New talk, draft/)
  })

  test('is paged, and each page compares with the version before its last one', async () => {
    const id = Number((await service.create({ title: 'Paged' })).id)
    for (let i = 2; i <= 23; i++) await service.patch(id, { whiteboard: `note ${i}.` })
    const curator = await signIn('reader')
    const read = async (page: number) => toText((await curator.get(`/edit/video/${id}/history?page=${page}`)).body)
    const [first, second] = [await read(1), await read(2)]
    expect(first).toMatch(/Version 4 .*removed: 3/)
    expect([first.includes('Version 3 '), second.includes('Version 3 ')]).toEqual([false, true])
    expect((await curator.get(`/edit/video/${id}/history?page=3`)).status).toBe(404)
  })

  test('shows the changes of long texts up to the limit of a page, and links to the others', async () => {
    const id = Number((await service.create({ title: 'Long' })).id)
    const toLong = (i: number) => Array.from({ length: 10_000 }, (_, k) => `w${(k * i * 7_919) % 9_973}`).join(' ')
    for (let i = 2; i <= 9; i++) await service.patch(id, { description: toLong(i) })
    const { status, body } = await (await signIn('reader')).get(`/edit/video/${id}/history`)
    expect([status, body.length < 1_000_000]).toEqual([200, true])
    expect(body).toContain('Description: too long to show here.')
    expect(body).toContain(`href="/edit/video/${id}/compare?from=6&amp;to=7"`)
  })

  test('is missing for an unknown talk, and says so for an unknown version', async () => {
    const curator = await signIn('reader')
    expect((await curator.get('/edit/video/99999/history')).status).toBe(404)
    const id = await createTalk()
    expect(toText((await curator.get('/edit/batches/99999')).body)).toContain(
      'There is no bulk change with this number.',
    )
    const answers = [
      await curator.get(`/edit/video/${id}/compare?from=1&to=9`),
      await curator.get(`/edit/video/${id}/compare?from=x`),
      await curator.get(toPath(id, 9)),
    ]
    for (const { status, body } of answers) {
      expect(status).toBe(404)
      expect(toText(body)).toContain('The talk has no such version.')
    }
  })
})

describe('Comparing', () => {
  test('any two versions shows what differs, in either direction', async () => {
    const id = await createTalk()
    const curator = await signIn('reader')
    const forth = toText((await curator.get(`/edit/video/${id}/compare?from=1&to=3`)).body)
    expect(forth).toContain('removed: slow (end of change) added: quick')
    expect(forth).toMatch(/Tags.*added: sea/)
    const back = (await curator.get(`/edit/video/${id}/compare?from=3&to=1`)).body
    expect(toText(back)).toContain('removed: quick (end of change) added: slow')
    expect(back).toContain(`href="/edit/video/${id}/compare?from=1&amp;to=3"`)
  })

  test('without numbers is with the current version and the one before', async () => {
    const id = await createTalk()
    const curator = await signIn('reader')
    expect(toText((await curator.get(`/edit/video/${id}/compare`)).body)).toContain('Version 2 and version 3')
    expect(toText((await curator.get(`/edit/video/${id}/compare?from=1`)).body)).toContain('Version 1 and version 3')
    expect(toText((await curator.get(`/edit/video/${id}/compare?from=2&to=2`)).body)).toContain('the same version')
  })
})

describe('Undoing a version', () => {
  const undo = (curator: Curator, id: number, version: number) => curator.post(toPath(id, version), [['do', 'undo']])

  test('reverts only what it changed, whatever came after it', async () => {
    const id = await createTalk()
    const curator = await signIn('publisher')
    expect((await curator.get(`/edit/video/${id}/history`)).body).toContain(`formaction="${toPath(id, 2)}"`)
    const answer = await undo(curator, id, 2)
    expect(locationOf(answer)).toBe(`/edit/video/${id}/history?undone=2&made=4`)
    expect(toText((await curator.get(locationOf(answer))).body)).toContain('Version 2 undone. See what that changed')
    expect(parseFields(await service.read(id))).toMatchObject({ summary: 'Of ships and slow tides.', tags: ['sea'] })
  })

  test('keeps what was changed since, and says by whom', async () => {
    const id = await createTalk()
    await service.patch(id, { summary: 'Of tides.' })
    const curator = await signIn('publisher')
    const { body } = await curator.get(locationOf(await undo(curator, id, 2)))
    expect(toText(body)).toMatch(
      /Nothing was undone\. ?Not undone, because it was changed since: Summary \(by ROSTRUM_ADMIN_TOKEN, /,
    )
    expect((await getHistory(service, id)).count).toBe(4)
  })

  test('keeps a player that was changed since its video', async () => {
    const id = Number((await service.create({ source_url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ' })).id)
    await service.patch(id, { source_url: 'https://vimeo.com/76979871' })
    const embed = '<iframe src="https://video.example.org/1"></iframe>'
    await service.patch(id, { embed })
    await undo(await signIn('publisher'), id, 2)
    const { source_url, ...rest } = parseFields(await service.read(id))
    expect([source_url, rest.embed]).toEqual(['https://www.youtube.com/watch?v=dQw4w9WgXcQ', embed])
  })

  test('is not offered for the first one, to readers, or to editors of a live talk', async () => {
    const id = await createTalk()
    expect((await undo(await signIn('publisher'), id, 1)).status).toBe(404)
    for (const role of ['reader', 'editor'] as const) {
      const curator = await signIn(role)
      expect((await curator.get(`/edit/video/${id}/history`)).body).not.toContain('value="undo"')
      const refused = await undo(curator, id, 2)
      expect([role, refused.status]).toEqual([role, 403])
      if (role === 'editor') expect(toText(refused.body)).toContain('Only publishers may change a live talk')
    }
    expect((await getHistory(service, id)).count).toBe(3)
  })
})

describe('Restoring', () => {
  test('shows what would change, then makes a new version with its reason', async () => {
    const id = await createTalk()
    const curator = await signIn('publisher')
    expect(toText((await curator.get(toPath(id, 1))).body)).toContain('removed: quick (end of change) added: slow')
    const answer = await restore(curator, id, 1, 'it was right')
    expect([answer.status, locationOf(answer)]).toEqual([303, `/edit/video/${id}/history?restored=1`])
    expect(toText((await curator.get(locationOf(answer))).body)).toContain('Version 1 restored.')
    expect(await readSummary(id)).toBe('Of ships and slow tides.')
    const [newest] = (await getHistory(service, id)).results
    expect(newest).toMatchObject({ version: 4, by: 'the publisher', reason: 'it was right' })
  })

  test('after somebody else changed the talk shows that change and asks again', async () => {
    const id = await createTalk()
    const curator = await signIn('publisher')
    const fields = await restoreFields(curator, id, 1, 'kept <reason>')
    await service.patch(id, { language: 'Dutch' })
    const stale = await curator.post(toPath(id, 1), fields)
    expect(stale.status).toBe(412)
    expect(toText(stale.body)).toMatch(
      /nothing was restored.*Changes since you opened this page.*Language.*added: Dutch/,
    )
    expect(stale.body).toContain('value="kept &lt;reason>"')
    expect(await readSummary(id)).toBe('Of ships and quick tides.')
    const again = listForms(stale.body).find(({ action }) => action === toPath(id, 1)) ?? fail('no form')
    const answer = await curator.post(toPath(id, 1), [...again.fields, ['do', 'restore']], { token: null })
    expect(answer.status).toBe(303)
    expect(parseFields(await service.read(id))).toMatchObject({ summary: 'Of ships and slow tides.', language: '' })
  })

  test('twice with the same form makes one version', async () => {
    const id = await createTalk()
    const curator = await signIn('publisher')
    const fields = await restoreFields(curator, id, 2)
    expect(locationOf(await curator.post(toPath(id, 2), fields))).toEndWith('?restored=2')
    const second = await curator.post(toPath(id, 2), fields)
    expect(locationOf(second)).toEndWith('?saved=unchanged')
    expect((await getHistory(service, id)).count).toBe(4)
    expect(toText((await curator.get(locationOf(second))).body)).toContain('Nothing to change')
  })

  test('a version that equals the current talk offers no form', async () => {
    const id = await createTalk()
    await service.patch(id, { tags: [] })
    const curator = await signIn('publisher')
    const same = (await curator.get(toPath(id, 2))).body
    expect(toText(same)).toContain('Nothing to change: the talk is the same as in this version.')
    expect(same).not.toContain('value="restore"')
    expect(toText((await curator.get(toPath(id, 4))).body)).toContain('This is the current version.')
  })

  test('is for publishers if the talk or the version is live, for editors among drafts, never for readers', async () => {
    const [live, draft] = [await createTalk(), await createTalk({ state: 2 })]
    const mixed = await createTalk()
    await service.patch(mixed, { state: 2 })
    const outlook = async (role: 'reader' | 'editor' | 'publisher', id: number) => {
      const { body } = await (await signIn(role)).get(toPath(id, 1))
      return [
        body.includes('value="restore"'),
        /The talk is live|This version is live|Readers may not/.exec(toText(body))?.[0],
      ]
    }
    expect(await outlook('reader', draft)).toEqual([false, 'Readers may not'])
    expect(await outlook('reader', live)).toEqual([false, 'Readers may not'])
    expect(await outlook('editor', live)).toEqual([false, 'The talk is live'])
    expect(await outlook('editor', mixed)).toEqual([false, 'This version is live'])
    expect(await outlook('editor', draft)).toEqual([true, undefined])
    expect(await outlook('publisher', live)).toEqual([true, undefined])
    const [publisher, editor] = [await signIn('publisher'), await signIn('editor')]
    const fields = await restoreFields(publisher, live, 1)
    const refused = await editor.post(toPath(live, 1), fields)
    expect(refused.status).toBe(403)
    expect(toText(refused.body)).toContain('Only publishers may change a live talk or publish one.')
    expect((await getHistory(service, live)).count).toBe(3)
  })

  test('refuses a broken form and a reason that is too long, and keeps what was typed', async () => {
    const id = await createTalk()
    const curator = await signIn('publisher')
    const post = (fields: FieldList) => curator.post(toPath(id, 1), fields)
    expect((await post([])).status).toBe(400)
    expect((await post([['do', 'restore']])).status).toBe(400)
    expect(
      (
        await post([
          ['do', 'restore'],
          ['etag', '*'],
        ])
      ).status,
    ).toBe(400)
    const long = await post(await restoreFields(curator, id, 1, 'x'.repeat(501)))
    expect([long.status, long.body.includes('x'.repeat(501))]).toEqual([400, true])
    expect((await getHistory(service, id)).count).toBe(3)
  })
})
