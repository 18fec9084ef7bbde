import { describe, expect, test } from 'bun:test'
import { runRostrum } from '../cli/store-command.ts'
import { until } from '../harness/until.ts'
import { parsePage } from '../site/page-tree.ts'
import { createCurator } from './curator.ts'
import { openForm, readForm, sendForm, toEditor as toPath, toText, useEditor } from './editor-form.ts'
import { useService } from './service.ts'

// Runner: long checkout, long PostgreSQL

const service = useService({ roles: ['reader', 'editor', 'publisher'] })
const { ann, eve, draft, read } = useEditor(service)

describe('Roles', () => {
  test('a reader and, of a live talk, an editor get values without a form', async () => {
    const live = await service.create({ title: 'Public', summary: 'Words <b>' })
    const { body } = await eve.get(toPath(live.id))
    expect(toText(body)).toContain('This talk is live. With your role (editor) you can only change drafts')
    expect(body).toContain('Words &lt;b>')
    expect(body).not.toContain('data-kept-as')
    const rob = createCurator(service)
    await rob.signIn(service.keyOf('reader'))
    const { id } = await draft()
    expect(toText((await rob.get(toPath(id))).body)).toContain('With your role (reader) you can view talks')
  })

  test('a reader who sends a form gets it back', async () => {
    const { id } = await draft()
    const rob = createCurator(service)
    await rob.signIn(service.keyOf('reader'))
    const answer = await rob.post(toPath(id), [
      ['etag', 'x'],
      ['field.title', 'Typed by a reader'],
    ])
    expect(answer.status).toBe(403)
    expect(answer.body).toContain('value="Typed by a reader"')
  })

  test('an editor cannot publish, and loses nothing by trying', async () => {
    const { id } = await draft()
    const form = await openForm(eve, toPath(id))
    expect(form.html).not.toContain('value="publish"')
    const answer = await sendForm(eve, form, { title: 'Typed' }, 'publish')
    expect(answer.status).toBe(403)
    expect(toText(answer.body)).toContain('With your role (editor) you cannot publish')
    expect((await sendForm(eve, readForm(answer))).status).toBe(303)
    expect(await read(id)).toMatchObject({ title: 'Typed', state: 2 })
  })

  test('an editor keeps what was typed while somebody published the talk', async () => {
    const { id } = await draft()
    const form = await openForm(eve, toPath(id))
    await service.patch(id, { state: 1 })
    const answer = await sendForm(eve, form, { title: 'Typed' })
    expect(answer.status).toBe(403)
    expect(toText(answer.body)).toContain('This talk has been published since')
    expect(toText(answer.body)).toMatch(/Live Version 2, changed .* by ROSTRUM_ADMIN_TOKEN/)
    expect(readForm(answer).toFields()).toContainEqual(['field.title', 'Typed'])
  })
})

test('a publisher whose form is older than the state of the talk can save it, and no more', async () => {
  const { id } = await draft()
  const form = await openForm(ann, toPath(id))
  await service.patch(id, { state: 1 })
  const answer = await sendForm(ann, form, { title: '' })
  expect(toText(answer.body)).toContain('Live Version 2')
  const actions = [...readForm(answer).html.matchAll(/name="do" value="([^"]*)"/g)].map(([, action]) => action)
  expect(actions).toEqual(['save', 'review'])
})

describe('A talk that is erased while somebody types', () => {
  async function erase(id: unknown): Promise<void> {
    await runRostrum('purge', String(id), '--yes', '--db', service.server().db)
    const isGone = async () => (await service.read(id)).status === 410
    await until('every thread has noticed', async () =>
      (await Promise.all(Array.from({ length: 8 }, isGone))).every(Boolean),
    )
  }

  test('cannot be saved, but what was typed can be copied', async () => {
    const { id } = await draft()
    const form = await openForm(ann, toPath(id))
    await erase(id)
    for (const path of ['', '/preview', '/history', '/related'])
      expect([path, (await ann.get(`${toPath(id)}${path}`)).status]).toEqual([path, 410])
    const answer = await sendForm(ann, form, { title: 'Typed <i>', summary: 'Long work', reason: 'It was wrong' })
    expect(answer.status).toBe(410)
    expect(answer.body).toContain('Typed &lt;i>')
    for (const text of ['Long work', 'It was wrong']) expect(toText(answer.body)).toContain(text)
    // What nobody typed: an empty form has it, too.
    expect(toText(answer.body)).not.toContain('Only for downloading')
  })

  test('leaves the list that it was in, and the next talk', async () => {
    const category = 'Erased in between'
    const [a, b, c] = [await draft({ category }), await draft({ category }), await draft({ category })]
    const list = 'category=erased-in-between&ordering=id'
    const form = await openForm(ann, `${toPath(b.id)}?${new URLSearchParams({ list, from: String(a.id) })}`)
    await erase(b.id)
    const { body } = await sendForm(ann, form, { title: 'Typed' }, 'next')
    const links = parsePage(body).one('nav.place').all('a')
    expect(links.map((link) => link.attribute('href'))).toEqual([
      `/edit/list?${list}`,
      `/edit/video/${c.id}?${new URLSearchParams({ list, from: String(a.id) })}`,
    ])
  })
})

describe('Too many changes', () => {
  const limited = useService({ roles: ['publisher'], args: ['--writes', '2'] })

  test('are kept in the page, to be sent again', async () => {
    const curator = createCurator(limited)
    await curator.signIn(limited.keyOf('publisher'))
    const { id } = await limited.create({ state: 2 })
    const form = await openForm(curator, toPath(id))
    const answers = []
    for (const title of ['One', 'Two', 'Three']) answers.push(await sendForm(curator, form, { title }))
    const last = answers.at(-1)
    expect(last?.status).toBe(429)
    expect(last?.body).toContain('name="field.title" value="Three"')
    expect(last?.body).toContain('Send again')
  })
})
