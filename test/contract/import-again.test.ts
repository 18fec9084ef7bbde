import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { toCounts } from '../archive/command.ts'
import { withFolder } from '../faults/scratch.ts'
import { exportServed, findBySlug, importServed, writeArchive, writeFile, writeRecords } from './importing.ts'
import { parseFields, useService } from './service.ts'

// Runner: slow, long PostgreSQL

const service = useService()

const find = (slug: string) => findBySlug(service, slug)

const read = async (id: unknown) => parseFields(await service.read(id))

async function undo(batch: number | null): Promise<void> {
  const answer = await service.call({ method: 'POST', path: `/api/v2/batches/${batch}/undo`, as: 'admin', json: {} })
  expect([200, 201, 202]).toContain(answer.status)
}

describe('What people changed stays', () => {
  test('when a file of records comes again that is not the first source of the record', () =>
    withFolder(async (folder) => {
      const { archive, name } = writeArchive(folder)
      await importServed(service, archive)
      const exported = await exportServed(service, join(folder, 'all.ndjson'))
      const mine = exported.filter((record) => record.slug === name)
      const file = writeRecords(folder, 'fix.ndjson', [{ ...mine[0], whiteboard: 'from the file' }])
      expect(toCounts((await importServed(service, file)).report)).toEqual([0, 1, 0, 0])
      const id = mine[0]?.id
      await service.patch(id, { title: 'Edited by a person', description: '' })
      const again = await importServed(service, file)
      expect(toCounts(again.report)).toEqual([0, 0, 1, 0])
      expect(again.report.kept).toEqual([{ file: `id ${id}`, id: Number(id), fields: ['title', 'description'] }])
      expect(again.stdout).toContain(`kept in record ${id} (id ${id}): title, description`)
      expect(await read(id)).toMatchObject({
        title: 'Edited by a person',
        description: '',
        whiteboard: 'from the file',
      })
      // What people take away stays away, though the exported version had nothing there either.
      await service.patch(id, { whiteboard: '' })
      await importServed(service, file)
      expect(await read(id)).toMatchObject({ whiteboard: '' })
      // And the folder, which says nothing of the whiteboard, leaves all of it.
      const folderAgain = await importServed(service, archive)
      expect(folderAgain.report.kept).toMatchObject([{ id: Number(id), fields: ['title', 'description'] }])
      expect(await read(id)).toMatchObject({ title: 'Edited by a person', description: '', whiteboard: '' })
    }))

  test('when an edited export comes in that is older than the change', () =>
    withFolder(async (folder) => {
      const { archive, name } = writeArchive(folder)
      await importServed(service, archive)
      const [mine] = (await exportServed(service, join(folder, 'all.ndjson'))).filter(({ slug }) => slug === name)
      await service.patch(mine?.id, { title: "A colleague's title" })
      const file = writeRecords(folder, 'fix.ndjson', [{ ...mine, whiteboard: 'edited' }])
      const { report } = await importServed(service, file)
      expect(report.kept).toMatchObject([{ fields: ['title'] }])
      expect(await read(mine?.id)).toMatchObject({ title: "A colleague's title", whiteboard: 'edited' })
    }))

  test('of a record made here too, and an edited export of it comes in', () =>
    withFolder(async (folder) => {
      const { id } = await service.create({ title: 'Made here', summary: 'One', description: 'Two' })
      await service.patch(id, { summary: 'One, corrected' })
      const exported = (await exportServed(service, join(folder, 'all.ndjson'))).filter((each) => each.id === id)
      await service.patch(id, { description: 'Two, by a colleague' })
      const edited = { ...exported[0], summary: 'One, from the file', tags: ['edited'] }
      const { report } = await importServed(service, writeRecords(folder, 'fix.ndjson', [edited]))
      expect([toCounts(report), report.kept]).toEqual([
        [0, 1, 0, 0],
        [{ file: `id ${id}`, id: Number(id), fields: ['description'] }],
      ])
      const now = { summary: 'One, from the file', description: 'Two, by a colleague', tags: ['edited'] }
      expect(await read(id)).toMatchObject(now)
    }))

  test('of a record of which nobody knows what it was: only what is empty is filled, and the report names the rest', () =>
    withFolder(async (folder) => {
      const { archive, name, made } = writeArchive(folder, { summary: 'Of the source', language: 'eng' })
      const url = `https://youtu.be/again${String(made).padStart(6, '0')}`
      const { id } = await service.create({ title: 'By hand', summary: 'By hand', source_url: url })
      const { report } = await importServed(service, archive)
      expect(toCounts(report)).toEqual([0, 1, 0, 0])
      expect(report.kept).toMatchObject([{ id, fields: ['category', 'title', 'summary', 'source_url'] }])
      const now = { title: 'By hand', summary: 'By hand', description: 'As it came', language: 'English' }
      expect(await read(id)).toMatchObject({ ...now, source_url: url })
      expect(await find(name)).toEqual({})
      expect(toCounts((await importServed(service, archive)).report)).toEqual([0, 0, 1, 0])
    }))

  test('and the source still changes what nobody has touched', () =>
    withFolder(async (folder) => {
      const { archive, name, made } = writeArchive(folder)
      await importServed(service, archive)
      const { id } = await find(name)
      await service.patch(id, { title: 'Edited' })
      writeFile(archive, `event-${made}/videos/${name}.json`, { title: 'Renamed', slug: name, description: 'New' })
      const { report } = await importServed(service, archive)
      expect(report.kept).toMatchObject([{ fields: ['title'] }])
      expect(await read(id)).toMatchObject({ title: 'Edited', description: 'New', source_url: '' })
    }))

  test('when a record was made a draft, whatever state the file has', () =>
    withFolder(async (folder) => {
      const { archive, name } = writeArchive(folder)
      await importServed(service, archive)
      const [mine] = (await exportServed(service, join(folder, 'all.ndjson'))).filter(({ slug }) => slug === name)
      await service.patch(mine?.id, { state: 2 })
      const file = writeRecords(folder, 'fix.ndjson', [{ ...mine }])
      for (const source of [file, file, archive]) {
        const { report } = await importServed(service, source)
        expect(report.kept.map(({ fields }) => fields)).toEqual(source === file ? [['state']] : [])
        expect(await read(mine?.id)).toMatchObject({ state: 2 })
      }
    }))
})

describe('A record is found again', () => {
  test('by a second source that knew it once, though its address, event and title were changed here', () =>
    withFolder(async (folder) => {
      const { archive, name, made } = writeArchive(folder)
      await importServed(service, archive)
      const { id, ...record } = await find(name)
      const theirs = { ...record, id: 900_000 + made, summary: 'Theirs' }
      const file = writeRecords(folder, 'other.ndjson', [theirs])
      expect(toCounts((await importServed(service, file)).report)).toEqual([0, 1, 0, 0])
      await service.patch(id, { source_url: 'https://example.org/moved', category: 'Moved', title: 'Moved' })
      expect(toCounts((await importServed(service, file)).report)).toEqual([0, 0, 1, 0])
      expect(await read(id)).toMatchObject({ title: 'Moved', category: 'Moved', summary: 'Theirs' })
      expect((await importServed(service, archive)).report).toMatchObject({ created: 0, kept: [{ id }] })
      expect(await read(id)).toMatchObject({ title: 'Moved', category: 'Moved' })
    }))

  test('by its id and slug in an export of this store, whatever was changed here', () =>
    withFolder(async (folder) => {
      const { archive, name } = writeArchive(folder)
      await importServed(service, archive)
      const [mine] = (await exportServed(service, join(folder, 'all.ndjson'))).filter(({ slug }) => slug === name)
      await service.patch(mine?.id, { source_url: 'https://example.org/x', category: 'Elsewhere' })
      const { report } = await importServed(service, writeRecords(folder, 'fix.ndjson', [{ ...mine, tags: ['new'] }]))
      expect(toCounts(report)).toEqual([0, 1, 0, 0])
      expect(await read(mine?.id)).toMatchObject({ tags: ['new'], category: 'Elsewhere' })
    }))
})

describe('After an import was undone', () => {
  test('the same import makes its records live again, but not those that somebody touched, nor with --draft', () =>
    withFolder(async (folder) => {
      const { archive, name, made } = writeArchive(folder)
      writeFile(archive, `event-${made}/videos/touched.json`, { title: `Touched ${made}`, slug: `touched-${made}` })
      const first = await importServed(service, archive)
      await undo(first.report.batch)
      expect(await find(name)).toMatchObject({ state: 2 })
      const { id: touched } = await find(`touched-${made}`)
      await service.patch(touched, { whiteboard: 'Not this one' })
      const asDrafts = await importServed(service, archive, '--draft')
      expect([toCounts(asDrafts.report), asDrafts.report.live_again]).toEqual([[0, 0, 2, 0], []])
      const { report, stdout } = await importServed(service, archive)
      const record = await find(name)
      expect(toCounts(report)).toEqual([0, 1, 1, 0])
      expect(report.live_again).toEqual([{ file: expect.stringContaining(name), id: Number(record.id) }])
      expect(stdout).toContain('1 live again')
      expect([record.state, (await read(touched)).state]).toEqual([1, 2])
    }))

  test('its changes come in again too', () =>
    withFolder(async (folder) => {
      const { archive, name, made } = writeArchive(folder)
      await importServed(service, archive)
      const changed = { title: name, slug: name, description: 'A second time' }
      writeFile(archive, `event-${made}/videos/${name}.json`, changed)
      const second = await importServed(service, archive)
      await undo(second.report.batch)
      expect(await find(name)).toMatchObject({ description: 'As it came', state: 1 })
      await importServed(service, archive)
      expect(await find(name)).toMatchObject({ description: 'A second time', state: 1 })
    }))
})

test('a talk is the record of the same video in any form of its address, at the same start time', () =>
  withFolder(async (folder) => {
    const key = 'forms_of-it'
    const forms = [`http://youtu.be/${key}`, `https://www.youtube.com/watch?v=${key}&list=PL1&index=2`]
    const { id } = await service.create({ title: 'The video', source_url: forms[0] })
    for (const [i, url] of [...forms, `https://m.youtube.com/embed/${key}?start=0`].entries()) {
      const file = writeRecords(folder, `${i}.ndjson`, [{ title: 'Another title', category: 'Any', source_url: url }])
      expect((await importServed(service, file)).report).toMatchObject({ created: 0, kept: [{ id }] })
      const list = await service.call({ method: 'GET', path: `/api/v2/video?source_url=${encodeURIComponent(url)}` })
      expect(parseFields(list)).toMatchObject({ count: 1, results: [{ id }] })
    }
    const later = `https://youtu.be/${key}?t=1m30s`
    const file = writeRecords(folder, 'later.ndjson', [{ title: 'Part two', category: 'Any', source_url: later }])
    expect((await importServed(service, file)).report).toMatchObject({ created: 1 })
    const same = encodeURIComponent(`https://www.youtube.com/watch?v=${key}&t=90s`)
    const list = await service.call({ method: 'GET', path: `/api/v2/video?source_url=${same}` })
    expect(parseFields(list)).toMatchObject({ count: 1, results: [{ title: 'Part two' }] })
  }))
