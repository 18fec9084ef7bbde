import { beforeAll, describe, expect, test } from 'bun:test'
import type { RawAnswer } from '../harness/raw.ts'
import { parsePage } from '../site/page-tree.ts'
import { type NameKind, useNames } from './curated-names.ts'
import type { Curator, FieldList } from './curator.ts'
import { hiddenOf, locationOf, signInAs, textOf, valuesOf, withFields } from './name-pages.ts'
import { useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader', 'editor', 'publisher'], args: ['--threads', '1'] })
const { ask, findName, toNew, createTalk, readNames, readBatch, undo } = useNames(service)

let publisher: Curator
beforeAll(async () => {
  publisher = await signInAs(service, 'publisher')
})

const kinds: readonly NameKind[] = ['speaker', 'tag']

describe.each(kinds)('The list of %ss', (kind) => {
  const get = (query: string) => publisher.get(`/edit/names/${kind}${query}`)

  test('has the numbers of talks and drafts, with links to the work lists, and the aliases', async () => {
    const [name, alias] = [toNew('Counted'), toNew('Alias')]
    await createTalk(kind, [name])
    await createTalk(kind, [name], { state: 2 })
    await createTalk(kind, [alias])
    const { id } = await findName(kind, name)
    await ask('POST', `${kind}/${(await findName(kind, alias)).id}/merge`, { into: id })
    const page = parsePage((await get(`?q=${encodeURIComponent(name)}`)).body)
    const row = page.all('tr').find((each) => each.text.includes(name))
    expect(row?.all('td').map((cell) => cell.text.trim())).toEqual(['', '3', '1', alias])
    expect(row?.all('a').map((link) => link.attribute('href'))).toEqual([
      `/edit/names/${kind}/${id}`,
      `/edit/list?${kind}_id=${id}`,
      `/edit/list?${kind}_id=${id}&state=2`,
    ])
  })

  test('has the most used first, can be sorted by name, narrowed to an initial, searched and paged', async () => {
    for (const word of ['Zulu rare', 'Zulu used', 'Yankee']) await createTalk(kind, [word])
    await createTalk(kind, ['Zulu used'])
    const names = async (query: string) =>
      parsePage((await get(query)).body)
        .all('th')
        .filter((cell) => cell.attribute('scope') === 'row')
        .map((cell) => cell.one('a').text)
    expect(await names('?letter=z')).toEqual(['Zulu used', 'Zulu rare'])
    expect(await names('?q=zul')).toEqual(['Zulu used', 'Zulu rare'])
    expect(await names('?letter=z&sort=name')).toEqual(['Zulu rare', 'Zulu used'])
    expect(await names('?q=no such word')).toEqual([])
    expect((await get('?page=99')).status).toBe(404)
    expect((await get('?page=0')).status).toBe(404)
  })
})

describe.each(kinds)('Ticked %ss', (kind) => {
  const path = `/edit/names/${kind}`

  async function createTicked() {
    const names = [toNew('tick one'), toNew('Tick two'), toNew('tick three')] as const
    const talks: number[] = []
    for (const name of [...names, names[0]]) talks.push(await createTalk(kind, [name]))
    const ids: string[] = []
    for (const name of names) ids.push(String((await findName(kind, name)).id))
    return { names, talks, ids }
  }

  const tickedOf = (choose: RawAnswer, ids: readonly string[]): FieldList => [
    ...hiddenOf(choose, `name.${ids[0]}`),
    ...ids.map((id) => ['merge.1', id] as const),
  ]

  test('are merged into the chosen one after a preview, and come back with one undo', async () => {
    const { names, talks, ids } = await createTicked()
    const choose = await publisher.post(`${path}?q=tick`, [
      ['id', ids[0] ?? ''],
      // Ticks of other pages.
      ['id', ids.slice(1).join()],
      ['do', 'choose'],
    ])
    expect(textOf(choose)).toContain('Merge 3 names')
    const shown = tickedOf(choose, ids)
    const preview = await publisher.post(`${path}?q=tick`, [...shown, ['keep.1', ids[1] ?? ''], ['do', 'preview']])
    expect(textOf(preview)).toContain('Merge 2 names?')
    expect(textOf(preview)).toContain('Up to 3 talks change.')
    const done = locationOf(await publisher.post(`${path}?q=tick`, [...hiddenOf(preview, 'key'), ['do', 'merge all']]))
    expect(done).toMatch(new RegExp(`^${path}\\?q=tick&merged=\\d+&into=${ids[1]}$`))
    for (const talk of talks) expect(await readNames(kind, talk)).toEqual([names[1]])
    const after = await publisher.get(done)
    expect(textOf(after)).toContain(`Merged into “${names[1]}”: 3 talks changed.`)
    await publisher.post(path, [...hiddenOf(after, 'batch'), ['do', 'undo']])
    expect(await Promise.all(talks.map((talk) => readNames(kind, talk)))).toEqual(
      [...names, names[0]].map((name) => [name]),
    )
  })

  test('must be two or more, and are for publishers', async () => {
    const { ids } = await createTicked()
    const one: FieldList = [
      ['id', ids[0] ?? ''],
      ['do', 'choose'],
    ]
    expect(textOf(await publisher.post(path, one))).toContain('Tick at least two names.')
    expect((await publisher.post(path, [['do', 'x']])).status).toBe(400)
    const editor = await signInAs(service, 'editor')
    expect((await editor.post(path, one)).status).toBe(403)
    expect(
      parsePage((await editor.get(path)).body)
        .one('main')
        .all('form').length,
    ).toBe(1)
  })

  test('that somebody has renamed meanwhile are not merged', async () => {
    const { talks, ids } = await createTicked()
    const choose = await publisher.post(path, [
      ['id', ids.join()],
      ['do', 'choose'],
    ])
    await ask('PATCH', `${kind}/${ids[0]}`, { name: toNew('Another') })
    const sent: FieldList = [...tickedOf(choose, ids), ['keep.1', ids[1] ?? ''], ['do', 'preview']]
    expect(textOf(await publisher.post(path, sent))).toContain('renamed or merged one of these')
    expect(await readNames(kind, talks[2] ?? 0)).not.toEqual(await readNames(kind, talks[1] ?? 0))
  })
})

describe.each(kinds)('The page of a %s', (kind) => {
  const own = (id: unknown) => `/edit/names/${kind}/${id}`

  async function createName(word: string) {
    const name = toNew(word)
    const talk = await createTalk(kind, ['Before', name])
    const { id } = await findName(kind, name)
    return { name, talk, id: Number(id) }
  }

  test('renames after a preview, as one batch that can be undone', async () => {
    const { name, talk, id } = await createName('Old')
    const wanted = toNew('New')
    const form = hiddenOf(await publisher.get(own(id)), 'tag')
    const preview = await publisher.post(own(id), [
      ...form,
      ['do', 'rename'],
      ['name', ` ${wanted} `],
      ['reason', 'why'],
    ])
    expect(textOf(preview)).toContain('The name changes in 1 talk.')
    expect(await readNames(kind, talk)).toEqual(['Before', name])
    const apply = [...hiddenOf(preview, 'key'), ['do', 'rename now']] as const
    const done = locationOf(await publisher.post(own(id), apply))
    const batch = await readBatch()
    expect(done).toBe(`/edit/batches/${batch.id}?done=1`)
    expect(batch).toMatchObject({ kind: `rename ${kind}`, reason: 'why', by: 'the publisher', changed: 1 })
    expect(await readNames(kind, talk)).toEqual(['Before', wanted])
    // A second click on the same form does nothing more.
    expect(locationOf(await publisher.post(own(id), apply))).toBe(done)
    await undo(batch.id)
    expect(await readNames(kind, talk)).toEqual(['Before', name])
  })

  test('offers to merge if the new name is taken', async () => {
    const [a, b] = [await createName('Taken by'), await createName('Taken')]
    const form = hiddenOf(await publisher.get(own(a.id)), 'tag')
    const answer = await publisher.post(own(a.id), [...form, ['do', 'rename'], ['name', b.name]])
    expect(textOf(answer)).toContain(`“${b.name}” already exists`)
    await publisher.post(own(a.id), [...hiddenOf(answer, 'into_key'), ['do', 'merge now']])
    expect(await readNames(kind, a.talk)).toEqual(['Before', b.name])
  })

  test('says what is wrong with a name and keeps what was typed', async () => {
    const { id, name } = await createName('Kept')
    const form = hiddenOf(await publisher.get(own(id)), 'tag')
    const send = (typed: string, reason = 'my reason') =>
      publisher.post(own(id), [...form, ['do', 'rename'], ['name', typed], ['reason', reason]])
    for (const [typed, problem] of [
      [' ', 'blank'],
      ['x'.repeat(256), 'characters'],
      [name, 'already has this name'],
    ] as const) {
      const answer = await send(typed)
      expect(parsePage(answer.body).one('.field-error').text).toContain(problem)
      expect(valuesOf(answer, 'id', 'rename-name')).toEqual([typed])
      expect(valuesOf(answer, 'id', 'rename-reason')).toEqual(['my reason'])
    }
    expect(textOf(await send('Fine', 'r'.repeat(501)))).toContain('500')
  })

  test('refuses a rename of a name that was renamed meanwhile, and keeps what was typed', async () => {
    const { id } = await createName('Meanwhile')
    const form = hiddenOf(await publisher.get(own(id)), 'tag')
    const other = toNew('Faster')
    await ask('PATCH', `${kind}/${id}`, { name: other })
    const answer = await publisher.post(own(id), [...form, ['do', 'rename'], ['name', 'Mine']])
    const page = parsePage(answer.body)
    expect(page.one('h1').text).toBe(other)
    expect(page.one('.edit-problem').text).toContain('Somebody has renamed it')
    expect(valuesOf(answer, 'id', 'rename-name')).toEqual(['Mine'])
  })

  test('redirects to the other name after a merge, and says so', async () => {
    const [a, b] = [await createName('Gone'), await createName('There')]
    const form = hiddenOf(await publisher.get(own(a.id)), 'tag')
    await ask('POST', `${kind}/${a.id}/merge`, { into: b.id })
    expect(locationOf(await publisher.get(own(a.id)))).toBe(`${own(b.id)}?from=${a.id}`)
    expect(textOf(await publisher.get(`${own(b.id)}?from=${a.id}`))).toContain('was merged into this one')
    expect(textOf(await publisher.get(`${own(b.id)}?from=999`))).not.toContain('was merged into this one')
    for (const action of ['rename', 'merge']) {
      const answer = await publisher.post(own(a.id), [...form, ['do', action], ['name', 'X'], ['into', b.name]])
      expect(textOf(answer)).toContain('has been merged into another')
      expect(answer.body).toContain(`href="${own(b.id)}?from=${a.id}"`)
    }
    expect((await publisher.get(own(99_999))).status).toBe(404)
  })

  test('is read only for those who may not change it', async () => {
    const { id } = await createName('Read only')
    for (const role of ['reader', 'editor'] as const) {
      const page = parsePage((await (await signInAs(service, role)).get(own(id))).body)
      expect(page.one('main').all('form')).toHaveLength(0)
      expect(page.one('main').text).toContain('Publishers can rename and merge them')
    }
  })

  test('merges into a name that is typed, by its number or its beginning, or lets choose', async () => {
    const [a, b, c] = [await createName('Qfrom'), await createName('Qinto first'), await createName('Qinto second')]
    const form = hiddenOf(await publisher.get(own(a.id)), 'tag')
    const send = (into: string) => publisher.post(own(a.id), [...form, ['do', 'merge'], ['into', into]])
    for (const typed of [b.name, String(b.id), b.name.toLowerCase()]) {
      const preview = await send(typed)
      expect(textOf(preview)).toContain('1 talk changes')
      expect(hiddenOf(preview, 'into_key')).toContainEqual(['into_key', String(b.id)])
    }
    const choose = await send('qinto')
    const keys = valuesOf(choose, 'name', 'into_key')
    expect(keys.toSorted()).toEqual([String(b.id), String(c.id)].toSorted())
    const chosen = withFields(hiddenOf(choose, 'into'), { into_key: String(c.id), do: 'merge' })
    expect(textOf(await publisher.post(own(a.id), chosen))).toContain(c.name)
    for (const [typed, problem] of [
      ['', 'Type the name'],
      ['no such name', 'There is no “no such name”'],
      [a.name, 'the same name'],
      ['99999', 'There is no'],
    ] as const) {
      const answer = await send(typed)
      expect(parsePage(answer.body).one('.field-error').text).toContain(problem)
      expect(valuesOf(answer, 'id', 'merge-into')).toEqual([typed])
    }
  })

  test('merges what the preview showed, and nothing else', async () => {
    const [a, b] = [await createName('Shown from'), await createName('Shown into')]
    const form = hiddenOf(await publisher.get(own(a.id)), 'tag')
    const preview = await publisher.post(own(a.id), [...form, ['do', 'merge'], ['into', b.name]])
    const apply = [...hiddenOf(preview, 'into_key'), ['do', 'merge now']] as const
    await ask('PATCH', `${kind}/${b.id}`, { name: toNew('Another') })
    const refused = await publisher.post(own(a.id), apply)
    expect(textOf(refused)).toContain('has been renamed or merged since')
    expect(await readNames(kind, a.talk)).toEqual(['Before', a.name])
    await ask('PATCH', `${kind}/${b.id}`, { name: b.name })
    const done = locationOf(await publisher.post(own(a.id), apply))
    expect(done).toMatch(/^\/edit\/batches\/\d+\?done=1$/)
    expect(await readNames(kind, a.talk)).toEqual(['Before', b.name])
    expect(locationOf(await publisher.post(own(a.id), apply))).toBe(done)
  })

  test('merges into a name with a line break, which browsers send as another', async () => {
    const [a, b] = [await createName('Straight'), await createName('Line\nbreak')]
    const form = hiddenOf(await publisher.get(own(a.id)), 'tag')
    const preview = await publisher.post(own(a.id), [...form, ['do', 'merge'], ['into', String(b.id)]])
    await publisher.post(own(a.id), [...hiddenOf(preview, 'into_name'), ['do', 'merge now']])
    expect(await readNames(kind, a.talk)).toEqual(['Before', b.name])
  })

  test('refuses invalid forms', async () => {
    const { id } = await createName('Forms')
    for (const fields of [[], [['do', 'x']], [['do', 'merge now']]] as const) {
      expect((await publisher.post(own(id), fields)).status).toBe(400)
    }
    // Only speakers have fields to save, and a form without its version conflicts with all of them.
    expect((await publisher.post(own(id), [['do', 'save']])).status).toBe(kind === 'speaker' ? 409 : 400)
  })
})
