import { expect, test } from 'bun:test'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withFolder } from '../faults/scratch.ts'
import { importInto, toCounts } from './command.ts'
import { readStored } from './stored.ts'
import { writeTalk } from './talk-files.ts'

type Places = { readonly talks: string; readonly outside: string; readonly db: string }

/** An archive with one talk, and beside it a folder with things that are nobody's business. */
async function withPlaces(work: (places: Places) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const places = { talks: join(folder, 'talks'), outside: join(folder, 'talks-outside'), db: join(folder, 'a.db') }
    writeTalk(places.talks, 'event/category.json', { title: 'Event' })
    writeTalk(places.talks, 'event/videos/good.json', { title: 'Good' })
    writeTalk(places.outside, 'secret.json', { title: 'Secret', api_key: 'SECRET-7', ids: [1] })
    writeTalk(places.outside, 'category.json', { title: 'Secret' })
    writeTalk(places.outside, 'videos/secret.json', { title: 'Secret' })
    await work(places)
  })
}

type Case = readonly [what: string, named: string, make: (places: Places) => void]

const cases: readonly Case[] = [
  [
    'a file',
    'event/videos/a.json',
    ({ talks, outside }) => symlinkSync(join(outside, 'secret.json'), join(talks, 'event/videos/a.json')),
  ],
  [
    'a file by way of another link',
    'event/videos/b.json',
    ({ talks, outside }) => {
      symlinkSync(join(outside, 'secret.json'), join(talks, 'event/hidden'))
      symlinkSync('../hidden', join(talks, 'event/videos/b.json'))
    },
  ],
  ['an event', 'linked', ({ talks, outside }) => symlinkSync(outside, join(talks, 'linked'))],
  ['an event by a relative path', 'linked', ({ talks }) => symlinkSync('../talks-outside', join(talks, 'linked'))],
  [
    'a folder of videos',
    'other/videos',
    ({ talks, outside }) => {
      writeTalk(talks, 'other/category.json', { title: 'Other' })
      symlinkSync(join(outside, 'videos'), join(talks, 'other/videos'))
    },
  ],
  [
    "an event's own file",
    'other/category.json',
    ({ talks, outside }) => {
      mkdirSync(join(talks, 'other/videos'), { recursive: true })
      symlinkSync(join(outside, 'category.json'), join(talks, 'other/category.json'))
    },
  ],
]

test.each(cases)('%s that is a link out of the folder is not read, and the report names it', (_what, named, make) =>
  withPlaces(async (places) => {
    make(places)
    const { exitCode, report } = await importInto(places.db, places.talks)
    expect([exitCode, toCounts(report).slice(0, 3)]).toEqual([65, [1, 0, 0]])
    const reasons = report.refused.map(({ reason }) => reason.includes('leads out of the folder'))
    expect([report.refused.map(({ file }) => file).includes(named), reasons.includes(false)]).toEqual([true, false])
    const { records, categories } = readStored(places.db)
    expect([records.map(({ title }) => title), categories.includes('Secret')]).toEqual([['Good'], false])
  }),
)

test('a takedown list that is a link out of the folder stops the import', () =>
  withPlaces(async ({ talks, outside, db }) => {
    symlinkSync(join(outside, 'secret.json'), join(talks, 'NO_PUBLISH.json'))
    const { exitCode, report } = await importInto(db, talks)
    expect([exitCode, toCounts(report), report.refused[0]?.file]).toEqual([65, [0, 0, 0, 1], 'NO_PUBLISH.json'])
  }))

test('links that stay in the folder are followed, also where the folder itself is named by a link', () =>
  withPlaces(async ({ talks, db }) => {
    writeFileSync(join(talks, 'event/elsewhere'), JSON.stringify({ title: 'Linked' }))
    symlinkSync('../elsewhere', join(talks, 'event/videos/linked.json'))
    const link = `${talks}-link`
    symlinkSync(talks, link)
    const { exitCode, report } = await importInto(db, link)
    expect([exitCode, toCounts(report)]).toEqual([0, [2, 0, 0, 0]])
  }))

test('the import does not wait for pipes and devices, as files, lists or folders', () =>
  withPlaces(async ({ talks, db }) => {
    for (const name of ['event/videos/pipe.json', 'NO_PUBLISH.json']) {
      expect(Bun.spawnSync(['mkfifo', join(talks, name)]).exitCode).toBe(0)
    }
    symlinkSync('/dev/zero', join(talks, 'event/videos/zero.json'))
    const { exitCode, report } = await importInto(db, talks)
    expect([exitCode, report.refused.map(({ file }) => file)]).toEqual([65, ['NO_PUBLISH.json']])
  }))
