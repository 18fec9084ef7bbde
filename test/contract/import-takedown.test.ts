import { describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { toCounts } from '../archive/command.ts'
import { withFolder } from '../faults/scratch.ts'
import { findBySlug, importServed, writeArchive, writeFile } from './importing.ts'
import { useService } from './service.ts'

const service = useService()
const find = (slug: string) => findBySlug(service, slug)

describe('A talk that the source wants nobody to see', () => {
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
