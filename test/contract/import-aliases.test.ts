import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { toCounts } from '../archive/command.ts'
import { withFolder } from '../faults/scratch.ts'
import { useNames } from './curated-names.ts'
import { resultsOf } from './every-answer.ts'
import { findBySlug, importServed, writeArchive, writeFile } from './importing.ts'
import { parseFields, useService } from './service.ts'

// Runner: slow, long PostgreSQL

const service = useService({ roles: ['publisher'] })
const { ask, get, findName, toNew, createTalk, undo } = useNames(service)

const read = async (id: unknown) => parseFields(await service.read(id))

/** Merges the first speaker into the second and returns the batch. */
async function mergeSpeakers(from: string, into: string): Promise<unknown> {
  const [a, b] = [await findName('speaker', from), await findName('speaker', into)]
  const answer = await ask('POST', `speaker/${a.id}/merge`, { into: b.id })
  expect(answer.status).toBe(200)
  return parseFields(answer).id
}

describe('A source with a name that is an alias', () => {
  test('changes nothing when it comes again after a merge, and after its undo', () =>
    withFolder(async (folder) => {
      const [old, name] = [toNew('Old Spelling'), toNew('New Spelling')]
      await createTalk('speaker', [name])
      const { archive, name: slug } = writeArchive(folder, { speakers: ['Guest', old, name] })
      expect(toCounts((await importServed(service, archive)).report)).toEqual([1, 0, 0, 0])
      const { id } = await findBySlug(service, slug)
      const batch = await mergeSpeakers(old, name)
      const merged = await read(id)
      expect(merged.speakers).toEqual(['Guest', name])
      const again = await importServed(service, archive)
      expect([again.exitCode, toCounts(again.report), again.report.kept]).toEqual([0, [0, 0, 1, 0], []])
      expect(again.report).toMatchObject({ mapped: [{ kind: 'speaker', from: old, to: name }] })
      expect(again.stdout).toContain(`1 former name replaced by the current one:`)
      expect(again.stdout).toContain(`speaker "${old}" is now "${name}" (1)`)
      expect(await read(id)).toEqual(merged)
      await undo(batch)
      const after = await importServed(service, archive)
      expect([toCounts(after.report), after.report.kept]).toEqual([[0, 0, 1, 0], []])
      expect(after.report).toMatchObject({ mapped: [] })
      expect((await read(id)).speakers).toEqual(['Guest', old, name])
    }))

  test('brings new talks in under the current names, also where people wrote the old one again', () =>
    withFolder(async (folder) => {
      const [old, name, tag, current] = [toNew('Was'), toNew('Is'), toNew('tag was'), toNew('tag is')]
      await service.create({ speakers: [old], tags: [tag] })
      const { id } = await findName('speaker', old)
      await ask('PATCH', `speaker/${id}`, { name })
      await ask('PATCH', `tag/${(await findName('tag', tag)).id}`, { name: current })
      await service.create({ speakers: [old] })
      const { archive, name: slug } = writeArchive(folder, { speakers: [old], tags: [tag, 'plain'] })
      const { report, exitCode } = await importServed(service, archive)
      expect([exitCode, toCounts(report)]).toEqual([0, [1, 0, 0, 0]])
      expect(report).toMatchObject({
        mapped: [
          { from: old, to: name },
          { from: tag, to: current },
        ],
      })
      expect(await findBySlug(service, slug)).toMatchObject({ speakers: [name], tags: [current, 'plain'] })
    }))

  test('gets a change of the source in with the current names', () =>
    withFolder(async (folder) => {
      const [old, name] = [toNew('Then'), toNew('Now')]
      await createTalk('speaker', [name])
      const { archive, name: slug, made } = writeArchive(folder, { speakers: [old] })
      await importServed(service, archive)
      await mergeSpeakers(old, name)
      const path = `event-${made}/videos/${slug}.json`
      const file = JSON.parse(readFileSync(`${archive}/${path}`, 'utf8'))
      writeFile(archive, path, { ...file, speakers: [old, 'Second'] })
      const { report } = await importServed(service, archive)
      expect([toCounts(report), report.kept]).toEqual([[0, 1, 0, 0], []])
      expect((await findBySlug(service, slug)).speakers).toEqual([name, 'Second'])
    }))
})

test('The folder of a merged category belongs to the other one, with new talks too', () =>
  withFolder(async (folder) => {
    const title = toNew('Joint Event')
    await service.create({ category: title })
    const { archive, name: slug, made } = writeArchive(folder)
    await importServed(service, archive)
    const { id } = await findBySlug(service, slug)
    const slugOf = async (wanted: string) =>
      resultsOf(await get(`category?page_size=100&q=${encodeURIComponent(wanted)}`)).find(
        (each) => each.title === wanted,
      )?.slug
    const answer = await ask('POST', `category/${await slugOf(`Event ${made}`)}/merge`, { into: await slugOf(title) })
    expect(answer.status).toBe(200)
    writeFile(archive, `event-${made}/videos/more.json`, { title: 'More', slug: `more-${made}` })
    const { report, exitCode } = await importServed(service, archive)
    expect([exitCode, toCounts(report), report.kept]).toEqual([0, [1, 0, 1, 0], []])
    expect(report).toMatchObject({
      mapped: [
        { kind: 'category', to: title },
        { kind: 'category', to: title },
      ],
    })
    expect([(await read(id)).category, (await findBySlug(service, `more-${made}`)).category]).toEqual([title, title])
    expect(await slugOf(`Event ${made}`)).toBeUndefined()
    await undo(parseFields(answer).id)
    expect((await read(id)).category).toBe(`Event ${made}`)
  }))
