import { describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { useNames } from './curated-names.ts'
import { resultsOf } from './every-answer.ts'
import { type Fields, parseFields, type Role, tagOf, useService } from './service.ts'

const service = useService({ roles: ['reader', 'editor', 'publisher'] })
const { ask, get, toNew, createTalk, findName, undo, readBatch } = useNames(service)

/** A speaker with one live talk. */
async function createSpeaker(word: string, profile: Fields = {}) {
  const name = toNew(word)
  await createTalk('speaker', [name])
  const { id } = await findName('speaker', name)
  if (Object.keys(profile).length > 0) expect((await ask('PATCH', `speaker/${id}`, profile)).status).toBe(200)
  return { name, id: Number(id) }
}

const read = async (id: number, as: Role = 'none') => parseFields(await get(`speaker/${id}`, as))
const said = { note: 'Keeps *lamps*.', links: ['https://ada.example/', 'http://social.example/@ada'] }

describe('The profile of a speaker', () => {
  test('is empty at first, set by PATCH, and shown to everybody', async () => {
    const { id, name } = await createSpeaker('Ada')
    expect(Object.keys(await read(id))).toEqual(['id', 'name', 'slug', 'count', 'note', 'links'])
    expect(await read(id)).toMatchObject({ name, note: '', links: [] })
    const before = await readBatch()
    const answer = await ask('PATCH', `speaker/${id}`, said)
    expect([answer.status, parseFields(answer)]).toMatchObject([200, { id, name, ...said, aliases: [] }])
    expect(await read(id)).toMatchObject(said)
    expect(await readBatch()).toEqual(before)
    expect(resultsOf(await get(`speaker?q=${encodeURIComponent(name)}`, 'none'))[0]).not.toHaveProperty('note')
    expect(parseFields(await ask('PATCH', `speaker/${id}`, { note: '', links: [] }))).toMatchObject({
      note: '',
      links: [],
    })
  })

  test('is for publishers, and tags have none of it', async () => {
    const { id } = await createSpeaker('Ben')
    expect((await ask('PATCH', `speaker/${id}`, said, 'editor')).status).toBe(403)
    expect((await ask('PATCH', `speaker/${id}`, said, 'none')).status).toBe(401)
    await createTalk('tag', ['lamps'])
    const tag = await findName('tag', 'lamps')
    const answer = await ask('PATCH', `tag/${tag.id}`, { note: 'x' })
    expect([answer.status, Object.keys(Object(parseFields(answer).errors))]).toEqual([400, ['note', 'name']])
    expect(parseFields(await get(`tag/${tag.id}`))).not.toHaveProperty('note')
  })

  test.each([
    [{ note: 'x'.repeat(2_001) }, 'note'],
    [{ note: null }, 'note'],
    [{ links: 'https://a.example' }, 'links'],
    [{ links: ['javascript:alert(1)'] }, 'links'],
    [{ links: [''] }, 'links'],
    [{ links: Array.from({ length: 11 }, (_, i) => `https://a.example/${i}`) }, 'links'],
    [{ note: 'fine', colour: 'red' }, 'colour'],
    [{}, 'name'],
  ])('is refused as %j, with the field %s, and stays as it was', async (json, field) => {
    const { id } = await createSpeaker('Wrong', said)
    const answer = await ask('PATCH', `speaker/${id}`, json)
    expect([answer.status, Object.keys(Object(parseFields(answer).errors))]).toEqual([400, [field]])
    expect(await read(id)).toMatchObject(said)
  })

  test('has versions with author, reason and changes; what changes nothing makes none', async () => {
    const { id } = await createSpeaker('Cid')
    expect(resultsOf(await get(`speaker/${id}/history`))).toEqual([])
    await ask('PATCH', `speaker/${id}`, said, 'publisher', { 'Change-Reason': 'she asked' })
    await ask('PATCH', `speaker/${id}`, said)
    await ask('PATCH', `speaker/${id}`, { note: 'Other' })
    const lines = resultsOf(await get(`speaker/${id}/history`, 'reader'))
    expect(lines).toMatchObject([
      { version: 2, reason: null, changed: ['note'] },
      { version: 1, by: 'the publisher', reason: 'she asked', changed: ['note', 'links'] },
    ])
    const second = parseFields(await get(`speaker/${id}/history/2`, 'reader'))
    expect(second).toMatchObject({
      changed: { note: { from: said.note, to: 'Other' } },
      speaker: { id, note: 'Other', links: said.links },
    })
    expect((await get(`speaker/${id}/history/3`)).status).toBe(404)
    expect((await get('speaker/999999/history')).status).toBe(404)
    expect((await get(`speaker/${id}/history`, 'none')).status).toBe(401)
  })

  test('is guarded by If-Match, and dry runs store nothing', async () => {
    const { id } = await createSpeaker('Dot')
    const tag = tagOf(await get(`speaker/${id}`))
    const patchIf = (json: Fields) => ask('PATCH', `speaker/${id}`, json, 'publisher', { 'If-Match': tag })
    expect(parseFields(await ask('PATCH', `speaker/${id}?dry_run=1`, said))).toMatchObject(said)
    expect(await read(id)).toMatchObject({ note: '' })
    const first = await patchIf(said)
    expect([first.status, headerOf(first, 'ETag') === tag]).toEqual([200, false])
    expect((await patchIf({ note: 'Late' })).status).toBe(412)
    expect((await patchIf({ name: toNew('Late') })).status).toBe(412)
    expect(await read(id)).toMatchObject(said)
  })

  test('stays with the id in a rename; both in one request are undone together', async () => {
    const { id, name } = await createSpeaker('Eve', said)
    const renamed = toNew('Eva')
    expect(parseFields(await ask('PATCH', `speaker/${id}`, { name: renamed, note: 'Renamed' }))).toMatchObject({
      ...{ id, name: renamed, note: 'Renamed', links: said.links },
    })
    await undo((await readBatch()).id)
    expect(await read(id)).toMatchObject({ name, ...said })
  })

  test('fills what the target of a merge lacks; undo gives everything back', async () => {
    const from = await createSpeaker('Fay', said)
    const into = await createSpeaker('Faye', { note: 'Ours' })
    expect((await ask('POST', `speaker/${from.id}/merge`, { into: into.id })).status).toBe(200)
    expect(await read(into.id)).toMatchObject({ note: 'Ours', links: said.links })
    const { id } = await readBatch()
    await undo(id)
    expect(await read(into.id)).toMatchObject({ note: 'Ours', links: [] })
    expect(await read(from.id)).toMatchObject(said)
  })

  test('keeps what people have changed since a merge', async () => {
    const from = await createSpeaker('Gus', said)
    const into = await createSpeaker('Guss')
    await ask('POST', `speaker/${from.id}/merge`, { into: into.id })
    const { id } = await readBatch()
    await ask('PATCH', `speaker/${into.id}`, { note: 'Mine' })
    await undo(id)
    expect(await read(into.id)).toMatchObject({ note: 'Mine', links: [] })
  })

  test('is on the page of the speaker, as safe Markdown and links', async () => {
    const { id } = await createSpeaker('Hal', { ...said, note: 'Keeps *lamps* <script>x</script>' })
    const { slug } = await read(id)
    const { body } = await service.call({
      method: 'GET',
      path: `/speaker/${id}/${slug}`,
      headers: { Accept: 'text/html' },
    })
    expect(body).toContain('Keeps <em>lamps</em> &lt;script&gt;x&lt;/script&gt;')
    expect(body).toContain('<a href="https://ada.example/" rel="me nofollow noopener ugc">ada.example</a>')
    expect(body).toContain('>social.example/@ada</a>')
    await ask('PATCH', `speaker/${id}`, { note: 'Changed' })
    const again = await service.call({
      method: 'GET',
      path: `/speaker/${id}/${slug}`,
      headers: { Accept: 'text/html' },
    })
    expect(again.body).toContain('<p>Changed</p>')
  })
})
