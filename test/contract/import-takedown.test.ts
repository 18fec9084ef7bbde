import { describe, expect, test } from 'bun:test'
import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { toCounts } from '../archive/command.ts'
import { withFolder } from '../faults/scratch.ts'
import { exportServed, findBySlug, importServed, writeArchive, writeFile, writeRecords } from './importing.ts'
import { parseFields, useService } from './service.ts'

// Runner: slow, long PostgreSQL

const service = useService()
const find = (slug: string) => findBySlug(service, slug)

describe('A talk that its source takes down', () => {
  test('is not brought in, or becomes a draft, by its file or by the id that its file had', () =>
    withFolder(async (folder) => {
      const { archive, name, made } = writeArchive(folder, { id: 6_000_000_001 })
      const gone = writeFile(archive, `event-${made}/videos/gone.json`, {
        title: 'Gone',
        slug: `gone-${made}`,
        id: 6_000_000_002,
      })
      await importServed(service, archive)
      await service.patch((await find(name)).id, { summary: 'A person was here' })
      rmSync(gone)
      writeFile(archive, `event-${made}/videos/new.json`, { title: 'New', slug: `new-${made}`, id: 6_000_000_003 })
      writeFile(archive, 'NO_PUBLISH.json', [6_000_000_001, 6_000_000_002, 6_000_000_003])
      for (const flags of [['--dry-run'], []]) {
        const { exitCode, report } = await importServed(service, archive, ...flags)
        expect([exitCode, toCounts(report)]).toEqual([0, [0, 0, 0, 0]])
        expect(report.taken_down.map(({ id, was_live }) => [id, was_live]).sort()).toEqual([
          [6_000_000_001, true],
          [6_000_000_002, true],
          [6_000_000_003, false],
        ])
        const states = [(await find(name)).state, (await find(`gone-${made}`)).state, (await find(`new-${made}`)).state]
        expect(states).toEqual(flags.length === 0 ? [2, 2, undefined] : [1, 1, undefined])
      }
    }))

  test('becomes a draft though its folder has another name now, by id, alias, address or slug', () =>
    withFolder(async (folder) => {
      const { archive, name, made } = writeArchive(folder, { alias: 'video/6000000011/x' })
      const others = [
        { title: `Id ${made}`, slug: `by-id-${made}`, id: 6_000_000 + made },
        { title: `Slug ${made}`, slug: `by-slug-${made}`, alias: 'video/6000000013/x' },
      ]
      for (const talk of others) writeFile(archive, `event-${made}/videos/${talk.slug}.json`, talk)
      writeFile(archive, `event-${made}/videos/stays.json`, { title: `Stays ${made}`, slug: `stays-${made}` })
      await importServed(service, archive)
      await service.patch((await find(name)).id, { title: 'Another title' })
      const moved = join(folder, `renamed-${made}`)
      renameSync(archive, moved)
      writeFile(moved, 'NO_PUBLISH.json', [6_000_000_011, 6_000_000 + made, 6_000_000_013])
      for (let run = 0; run < 2; run++) {
        const { report, stdout } = await importServed(service, moved)
        expect(toCounts(report)).toEqual([0, 0, 1, 0])
        expect(report.taken_down.map(({ was_live }) => was_live)).toEqual(Array(3).fill(run === 0))
        expect(stdout).toContain('3 taken down')
        const states = [name, `by-id-${made}`, `by-slug-${made}`, `stays-${made}`].map(
          async (slug) => (await find(slug)).state,
        )
        expect(await Promise.all(states)).toEqual([2, 2, 2, 1])
      }
    }))

  test('stays a draft when an older export comes in, and when it is listed no more, and the report names it', () =>
    withFolder(async (folder) => {
      const own = 6_100_000_001
      const { archive, name } = writeArchive(folder, { alias: `video/${own}/x` })
      await importServed(service, archive)
      const { id, ...record } = await find(name)
      const mine = (await exportServed(service, join(folder, 'all.ndjson'))).filter((each) => each.id === id)
      const files = [
        writeRecords(folder, 'older.ndjson', mine),
        writeRecords(folder, 'foreign.ndjson', [{ ...record, id: 700_000_001, updated: null }]),
      ]
      const list = writeFile(archive, 'NO_PUBLISH.json', [own])
      await importServed(service, archive)
      rmSync(list)
      for (const source of [...files, ...files, archive, archive]) {
        const { exitCode, report } = await importServed(service, source)
        expect([exitCode, toCounts(report)]).toEqual([0, [0, 0, 1, 0]])
        expect(report.kept).toMatchObject([{ id, fields: ['state'] }])
        expect(await find(name)).toMatchObject({ state: 2 })
      }
      // Whoever makes it live again decides that, here or in an export of the draft.
      const draft = parseFields(await service.read(id))
      await importServed(service, writeRecords(folder, 'decided.ndjson', [{ ...draft, state: 1 }]))
      expect(await find(name)).toMatchObject({ state: 1 })
      for (const source of [...files, archive]) {
        expect((await importServed(service, source)).report.kept).toEqual([])
        expect(await find(name)).toMatchObject({ state: 1 })
      }
    }))
})

test('an event that was renamed here keeps its name without a word, in a dry run too', () =>
  withFolder(async (folder) => {
    const { archive, name, made } = writeArchive(folder)
    await importServed(service, archive)
    const path = `/api/v2/category/event-${made}`
    const json = { title: `Renamed ${made}` }
    expect((await service.call({ method: 'PATCH', path, as: 'admin', json })).status).toBe(200)
    for (const flags of [['--dry-run'], []]) {
      const { report } = await importServed(service, archive, ...flags)
      expect([toCounts(report), report.kept]).toEqual([[0, 0, 1, 0], []])
      expect(await find(name)).toMatchObject({ category: `Renamed ${made}` })
    }
  }))
