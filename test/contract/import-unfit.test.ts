import { expect, test } from 'bun:test'
import { toCounts } from '../archive/command.ts'
import { withFolder } from '../faults/scratch.ts'
import { findBySlug, importServed, writeArchive, writeFile, writeRecords } from './importing.ts'
import { parseFields, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService()

const readExtras = async (id: unknown) =>
  parseFields(await service.call({ method: 'GET', path: `/api/v2/video/${id}/extras`, as: 'admin' }))

const good = {
  language: 'eng',
  recorded: '2020-01-02',
  duration: 60,
  speakers: ['Ada', 'Bob'],
  videos: [{ type: 'mp4', url: 'https://media.example/a.mp4', length: 5 }],
}
const bad = {
  language: 'Klingonese',
  recorded: '01/02/2020',
  duration: '1h',
  speakers: ['Ada', 5],
  videos: [{ type: 'mp4', url: 'nowhere' }],
}

test('a value that does not fit leaves what the record has, and is kept beside it', () =>
  withFolder(async (folder) => {
    const { archive, name, made } = writeArchive(folder, good)
    await importServed(service, archive)
    const before = await findBySlug(service, name)
    expect(before).toMatchObject({ language: 'English', source_url: 'https://media.example/a.mp4' })
    const write = (talk: object) =>
      writeFile(archive, `event-${made}/videos/${name}.json`, { title: name, slug: name, summary: 'New', ...talk })
    write(bad)
    for (const updated of [1, 0]) {
      const { report, stdout } = await importServed(service, archive)
      expect([toCounts(report), report.kept]).toEqual([[0, updated, 1 - updated, 0], []])
      expect(report.unfit.map(({ field, kept }) => [field, kept]).sort()).toEqual(
        Object.keys(bad)
          .sort()
          .map((field) => [field, true]),
      )
      expect(stdout).toContain('5 values that do not fit their fields, kept with the record')
      expect(stdout).toContain(`left as it was in event-${made}/videos/${name}.json, language: `)
    }
    const { updated: _, description: __, ...rest } = before
    expect(await findBySlug(service, name)).toMatchObject({ ...rest, summary: 'New' })
    expect(await readExtras(before.id)).toMatchObject({ extras: bad })
    write({ ...good, language: 'fra', speakers: ['Ada'] })
    expect((await importServed(service, archive)).report).toMatchObject({ updated: 1, kept: [], unfit: [] })
    expect(await findBySlug(service, name)).toMatchObject({ language: 'French', speakers: ['Ada'], duration: 60 })
  }))

test('of another source it is not said to be kept, and it makes no draft of a live record', () =>
  withFolder(async (folder) => {
    const { archive, name } = writeArchive(folder, {
      ...good,
      videos: [{ type: 'mp4', url: 'https://media.example/b.mp4' }],
      related_urls: ['x'],
    })
    await importServed(service, archive)
    const { id, ...record } = await findBySlug(service, name)
    const theirs = { ...record, language: 'Klingonese', category: 7, state: 9, summary: 'Theirs' }
    const { report, stdout } = await importServed(service, writeRecords(folder, 'other.ndjson', [theirs]))
    expect([toCounts(report), report.kept]).toEqual([[0, 1, 0, 0], []])
    expect(report.unfit.map(({ field, kept }) => [field, kept]).sort()).toEqual([
      ['category', false],
      ['language', false],
      ['state', false],
    ])
    expect(stdout).not.toContain('kept with the record')
    expect(stdout).toContain('3 values that do not fit their fields, not kept')
    const { category, language, state } = record
    expect(await findBySlug(service, name)).toMatchObject({ category, language, state, summary: 'Theirs' })
    expect(await readExtras(id)).toMatchObject({ extras: { related_urls: ['x'] } })
  }))
