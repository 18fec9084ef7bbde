import { describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { toCounts } from '../archive/command.ts'
import { withFolder } from '../faults/scratch.ts'
import {
  type Archive,
  exportServed,
  findBySlug,
  importServed,
  writeArchive,
  writeFile,
  writeRecords,
} from './importing.ts'
import { type Fields, parseFields, useService } from './service.ts'

// Runner: long checkout, long PostgreSQL

const service = useService()

const read = async (id: unknown) => parseFields(await service.read(id))

/** An archive of one talk that is in, and the id of its record. */
async function bringIn(folder: string): Promise<Archive & { readonly id: number }> {
  const archive = writeArchive(folder)
  await importServed(service, archive.archive)
  const { id } = await findBySlug(service, archive.name)
  return { ...archive, id: Number(id) }
}

const writeTalk = ({ archive, name, made }: Archive, talk: Fields) =>
  writeFile(archive, `event-${made}/videos/${name}.json`, { title: name, slug: name, ...talk })

/** The record as an export has it now. */
async function exportOne(folder: string, id: number): Promise<Fields> {
  const out = join(folder, 'all.ndjson')
  rmSync(out, { force: true })
  const [mine = {}] = (await exportServed(service, out)).filter((each) => each.id === id)
  return mine
}

async function undo(batch: number | null): Promise<void> {
  const answer = await service.call({ method: 'POST', path: `/api/v2/batches/${batch}/undo`, as: 'admin', json: {} })
  expect([200, 201, 202]).toContain(answer.status)
}

describe('A source that says what it said before changes nothing', () => {
  test('not what people changed, though an untouched export came in since', () =>
    withFolder(async (folder) => {
      const { archive, id } = await bringIn(folder)
      await service.patch(id, { title: 'Ann fixed this' })
      const file = writeRecords(folder, 'all-of-it.ndjson', [await exportOne(folder, id)])
      expect(toCounts((await importServed(service, file)).report)).toEqual([0, 0, 1, 0])
      for (let night = 0; night < 2; night++) {
        const { report } = await importServed(service, archive)
        expect([toCounts(report), report.kept]).toMatchObject([[0, 0, 1, 0], [{ id, fields: ['title'] }]])
        expect(await read(id)).toMatchObject({ title: 'Ann fixed this' })
      }
    }))

  test('not what was corrected in an export, which may be corrected there again', () =>
    withFolder(async (folder) => {
      const { archive, id } = await bringIn(folder)
      await service.patch(id, { summary: 'By Ann' })
      const mine = await exportOne(folder, id)
      for (const title of ['Corrected', 'Corrected again']) {
        const file = writeRecords(folder, 'fix.ndjson', [{ ...mine, title, summary: title }])
        expect(toCounts((await importServed(service, file)).report)).toEqual([0, 1, 0, 0])
        expect(toCounts((await importServed(service, archive)).report)).toEqual([0, 0, 1, 0])
        expect(await read(id)).toMatchObject({ title, summary: title })
      }
      // A new export under the same name is compared with the versions in it.
      await service.patch(id, { title: 'By Ann' })
      const next = { ...(await exportOne(folder, id)), title: 'From the new export' }
      const { report } = await importServed(service, writeRecords(folder, 'fix.ndjson', [next]))
      expect([toCounts(report), report.kept]).toEqual([[0, 1, 0, 0], []])
      expect(await read(id)).toMatchObject({ title: 'From the new export' })
    }))

  test('so two sources that disagree do not take turns, and each still brings what is new in it', () =>
    withFolder(async (folder) => {
      const one = await bringIn(folder)
      const { archive, id, name, made } = one
      const theirs = { id: 800_000 + made, slug: name, category: `Event ${made}`, title: 'Theirs', summary: 'Theirs' }
      const file = writeRecords(folder, 'other.ndjson', [theirs])
      expect(toCounts((await importServed(service, file)).report)).toEqual([0, 1, 0, 0])
      for (const source of [archive, file]) {
        const { report } = await importServed(service, source)
        expect([toCounts(report), report.kept]).toEqual([[0, 0, 1, 0], []])
        expect(await read(id)).toMatchObject({ title: 'Theirs' })
      }
      writeTalk(one, { description: 'New in the folder' })
      await importServed(service, archive)
      expect(await read(id)).toMatchObject({ title: 'Theirs', summary: 'Theirs', description: 'New in the folder' })
    }))
})

test("a correction that the source has taken over is the source's to change, and another one is not", () =>
  withFolder(async (folder) => {
    const one = await bringIn(folder)
    await service.patch(one.id, { title: 'Right', description: 'By Ann' })
    writeTalk(one, { title: 'Right', description: 'As it came' })
    await importServed(service, one.archive)
    writeTalk(one, { title: 'Right, too', description: 'Upstream' })
    const { report } = await importServed(service, one.archive)
    expect(report.kept).toMatchObject([{ id: one.id, fields: ['description'] }])
    expect(await read(one.id)).toMatchObject({ title: 'Right, too', description: 'By Ann' })
  }))

test('where an undone import gave way to what a person wrote, only that import brings its own again', () =>
  withFolder(async (folder) => {
    const { archive, id } = await bringIn(folder)
    await service.patch(id, { title: 'By Ann' })
    const file = writeRecords(folder, 'fix.ndjson', [{ ...(await exportOne(folder, id)), title: 'Of the file' }])
    await undo((await importServed(service, file)).report.batch)
    expect(await read(id)).toMatchObject({ title: 'By Ann' })
    const { report } = await importServed(service, archive)
    expect(report.kept).toMatchObject([{ id, fields: ['title'] }])
    expect(await read(id)).toMatchObject({ title: 'By Ann' })
    await importServed(service, file)
    expect(await read(id)).toMatchObject({ title: 'Of the file' })
    await importServed(service, archive)
    expect(await read(id)).toMatchObject({ title: 'Of the file' })
  }))
