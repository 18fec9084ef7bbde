import { beforeAll, describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { createChecked } from './checked-records.ts'
import { type Curator, createCurator } from './curator.ts'
import { type Fields, toPath, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader', 'editor', 'publisher'] })
const { create, get } = createChecked(service)

let reader: Curator
let editor: Curator
let publisher: Curator

beforeAll(async () => {
  ;[reader, editor, publisher] = [createCurator(service), createCurator(service), createCurator(service)]
  await reader.signIn(service.keyOf('reader'))
  await editor.signIn(service.keyOf('editor'))
  await publisher.signIn(service.keyOf('publisher'))
}, 180_000)

const code = 'shouting_title'
const shouting = { title: 'LOOK AT THIS TALK', tags: [] }
const list = `finding=${code}`

async function listShown(id: unknown): Promise<unknown[]> {
  const { results } = await get(`${toPath(id)}/findings`)
  return (results as readonly Fields[]).map((each) => each.code) // as described
}

async function post(curator: Curator, form: readonly (readonly [string, string])[], path = '/edit/findings') {
  const answer = await curator.post(path, form)
  return { status: answer.status, location: headerOf(answer, 'Location') ?? '' }
}

const readAsOf = (body: string) => /name="as_of" value="(\d+)"/.exec(body)?.[1] ?? ''

describe('A list of one issue', () => {
  test('names it first in each row, and removes a row that is marked as fine', async () => {
    const { id } = await create({ ...shouting, summary: '' })
    const { body } = await publisher.get(`/edit/list?${list}`)
    const row = body.slice(body.indexOf(`data-row="${id}"`))
    expect(row.slice(0, row.indexOf('</tr>'))).toMatch(/is-own">capitals<.*no tags.*name="fine"/s)
    const form = [
      ['code', code],
      ['list', list],
      ['as_of', readAsOf(body)],
      ['fine', String(id)],
    ] as const
    const { status, location } = await post(publisher, form)
    expect([status, location]).toEqual([
      303,
      expect.stringMatching(/^\/edit\/list\?finding=shouting_title&done=fine&count=1/),
    ])
    expect(await listShown(id)).toEqual(['missing_tags', 'missing_summary'])
    const after = (await publisher.get(location)).body
    expect(after).toContain('Fine as it is: 1 talk left the list.')
    expect(after).not.toContain(`data-row="${id}"`)
    const at = /name="undo" value="([^"]+)"/.exec(after)?.[1] ?? ''
    const undone = await post(publisher, [
      ['code', code],
      ['list', list],
      ['undo', at],
    ])
    expect(undone.location).toBe(`/edit/list?${list}&done=again&count=1&code=${code}`)
    expect((await publisher.get(undone.location)).body).toContain('1 talk is in the list again.')
    expect(await listShown(id)).toContain(code)
  })

  test('removes the ticked talks, or all of them', async () => {
    const category = 'Loud event'
    const ids = [(await create({ ...shouting, category })).id, (await create({ ...shouting, category })).id].map(String)
    const loud = `${list}&category=loud-event`
    const base = [
      ['code', code],
      ['list', loud],
      ['scope', 'ticked'],
    ] as const
    expect((await post(publisher, base)).location).toContain('done=unticked')
    const [first = '', second = ''] = ids
    expect((await post(publisher, [...base, ['id', first]])).location).toContain('count=1')
    expect([await listShown(first), await listShown(second)]).toEqual([['missing_tags'], ['missing_tags', code]])
    expect((await post(publisher, [...base, ['scope', 'all']])).location).toContain('count=1')
    expect(await listShown(second)).toEqual(['missing_tags'])
    expect((await publisher.get(`/edit/list?${loud}`)).body).toContain('No talks match these filters.')
  })

  test('keeps talks that somebody has changed since, and those that only others may change', async () => {
    const [changed, live] = [await create(shouting), await create(shouting)]
    const asOf = readAsOf((await publisher.get(`/edit/list?${list}`)).body)
    await service.patch(changed.id, { title: 'SOMETHING NEW AND LOUD' })
    const toForm = (id: unknown) =>
      [
        ['code', code],
        ['list', list],
        ['as_of', asOf],
        ['fine', String(id)],
      ] as const
    expect((await post(publisher, toForm(changed.id))).location).toContain('count=0')
    expect((await post(editor, toForm(live.id))).location).toContain('left=1')
    expect([await listShown(changed.id), await listShown(live.id)]).toEqual(Array(2).fill(['missing_tags', code]))
    expect((await post(reader, toForm(live.id))).status).toBe(403)
  })

  test('has no such button for readers, for editors on live talks, and in lists of anything else', async () => {
    await create(shouting)
    expect((await reader.get(`/edit/list?${list}`)).body).not.toContain('data-acts-now')
    expect((await editor.get(`/edit/list?${list}`)).body).not.toContain('name="fine"')
    expect((await publisher.get('/edit/list?state=1')).body).not.toContain('data-acts-now')
    expect((await publisher.get(`/edit/list?${list},missing_tags`)).body).not.toContain('data-acts-now')
  })

  const code404: readonly (readonly (readonly [string, string])[])[] = [
    [['fine', '1']],
    [
      ['code', 'nothing'],
      ['fine', '1'],
    ],
    [
      ['code', code],
      ['fine', '01'],
    ],
    [
      ['code', code],
      ['undo', 'yesterday'],
    ],
  ]
  for (const form of code404) {
    test(`refuses the form ${JSON.stringify(form)}`, async () => {
      expect((await post(publisher, form)).status).toBe(400)
    })
  }
})

describe('The form of a talk', () => {
  test('marks an issue as fine, says who did, and shows it again', async () => {
    const { id } = await create(shouting)
    const { body } = await publisher.get(`/edit/video/${id}?list=${list}`)
    expect(body).toMatch(/name="fine" value="\d+"[^>]*>Fine as it is</)
    const base = [
      ['code', code],
      ['list', list],
      ['as_of', readAsOf(body)],
      ['back', 'talk'],
    ] as const
    const { location } = await post(publisher, [...base, ['fine', String(id)]])
    expect(location).toBe(`/edit/video/${id}?list=finding%3Dshouting_title&done=fine&count=1&code=${code}`)
    const after = (await publisher.get(location)).body
    expect(after).toContain('Title in capitals: fine as it is, until the field changes.')
    expect(after).toMatch(/Fine as it is: 1.*Accepted by <bdi>the publisher<\/bdi>/s)
    expect(after).toMatch(new RegExp(`<button[^>]* name="again" value="${id}"[^>]*>Undo</button>`))
    expect((await editor.get(location)).body).not.toContain('>Undo<')
    const again = await post(publisher, [...base, ['again', String(id)]])
    expect(await listShown(id)).toContain(code)
    expect((await publisher.get(again.location)).body).not.toContain('>Undo<')
  })

  test('has no such buttons for people who cannot change the talk', async () => {
    const { id } = await create(shouting)
    for (const curator of [reader, editor]) {
      const { body } = await curator.get(`/edit/video/${id}`)
      expect(body).toContain('The title is in capitals only.')
      expect(body).not.toContain('name="fine"')
    }
  })
})

describe('A whole list', () => {
  test('is hidden for everybody by publishers, folded at the end of the overview, and shown again', async () => {
    await create(shouting)
    expect((await editor.get(`/edit/list?${list}`)).body).not.toContain('Hide this list')
    expect((await publisher.get(`/edit/list?${list}`)).body).toContain('Hide this list')
    const [hide, show] = (['hide', 'show'] as const).map(
      (action) =>
        [
          ['code', code],
          ['do', action],
        ] as const,
    )
    const path = '/edit/findings/hidden'
    expect((await post(editor, hide ?? [], path)).status).toBe(403)
    const hidden = await post(publisher, hide ?? [], path)
    expect(hidden).toEqual({ status: 303, location: `/edit?hidden=${code}` })
    expect((await publisher.get(hidden.location)).body).toContain(
      'The list “Title in capitals” is hidden for everybody.',
    )
    const { body } = await editor.get('/edit')
    expect(body).toMatch(/<summary>1 hidden list<\/summary>.*Title in capitals/s)
    expect(body.slice(0, body.indexOf('hidden list'))).not.toContain('Title in capitals')
    expect(body).not.toContain('Show again')
    const listed = (await publisher.get(`/edit/list?${list}`)).body
    expect(listed).toMatch(/Show this list again.*is-own">capitals</s)
    const shown = await post(publisher, show ?? [], path)
    expect((await publisher.get(shown.location)).body).toContain('is shown again.')
    expect((await publisher.get('/edit')).body).not.toContain('hidden list')
  })
})
