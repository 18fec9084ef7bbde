import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { VideoRecord } from '../../src/record/record.ts'
import { withFolder } from '../faults/scratch.ts'
import { importInto, runRostrum, toCounts } from './command.ts'
import { readStored } from './stored.ts'
import { copyTalks } from './talk-files.ts'

const lineCount = 1_500
const otherId = 5_000

/** Some with ids in no order, some without, some of which two have the same; slugs and titles come up again and again. */
function toLine(number: number): string {
  const id = number % 3 === 0 ? {} : { id: number % 50 === 1 ? 7 : lineCount - number + 1 }
  return JSON.stringify({
    ...id,
    title: `Talk ${number % 40}`,
    slug: number % 5 === 0 ? `talk-${number % 20}` : `of-its-own-${number}`,
    category: `Event ${number % 7}`,
    speakers: [`Speaker ${number % 90}`, 'Zoë Łuk'],
    tags: number % 4 === 0 ? ['a', `tag ${number % 11}`] : [],
    summary: `Sum ${number}`,
    source_url: number % 6 === 0 ? `https://talks.example.org/${number % 12}` : '',
  })
}

/** What does not depend on what else is in the store: ids that were not their own and slugs do. */
function toOwn({ id, slug, added, updated, ...record }: VideoRecord): string {
  return JSON.stringify({ ...record, id: id < lineCount ? id : null })
}

const toSorted = (records: readonly VideoRecord[]) =>
  records
    .filter(({ title }) => title !== 'Other')
    .map(toOwn)
    .sort()

async function expectOrder(db: string): Promise<void> {
  expect(await runRostrum('doctor', '--db', db)).toMatchObject({ exitCode: 0, stdout: '' })
}

test(
  'the same records are imported into a new store and into one that has others; a second run changes nothing',
  () =>
    withFolder(async (folder) => {
      const lines = join(folder, 'talks.ndjson')
      writeFileSync(lines, Array.from({ length: lineCount }, (_, i) => toLine(i + 1)).join('\n'))
      const other = join(folder, 'other.ndjson')
      writeFileSync(other, JSON.stringify({ id: otherId, title: 'Other', category: 'Other' }))
      const [fresh, used] = [join(folder, 'fresh.db'), join(folder, 'used.db')]
      expect((await importInto(used, other)).exitCode).toBe(0)
      const runs = [await importInto(fresh, lines), await importInto(used, lines)]
      for (const { exitCode, report } of runs) expect([exitCode, toCounts(report)]).toEqual([0, [lineCount, 0, 0, 0]])
      expect(runs[0]?.report.renumbered.length).toBeGreaterThan(10)
      expect(runs[1]?.report.renumbered.map(({ file, id, reason }) => ({ file, id, reason }))).toEqual(
        runs[0]?.report.renumbered.map(({ file, id, reason }) => ({ file, id, reason })),
      )
      expect(toSorted(readStored(used).records)).toEqual(toSorted(readStored(fresh).records))
      for (const db of [fresh, used]) {
        await expectOrder(db)
        expect(toCounts((await importInto(db, lines)).report)).toEqual([0, 0, lineCount, 0])
        await expectOrder(db)
      }
    }),
  120_000,
)

test(
  'a dry run of a folder predicts the import, in a new store and in one that has others',
  () =>
    withFolder(async (folder) => {
      const talks = copyTalks(folder)
      for (const name of ['fresh.db', 'used.db']) {
        const db = join(folder, name)
        if (name === 'used.db') {
          writeFileSync(join(folder, 'other.ndjson'), JSON.stringify({ id: 101, title: 'Other', category: 'Other' }))
          await importInto(db, join(folder, 'other.ndjson'))
        }
        const { batch: none, ...said } = (await importInto(db, talks, '--dry-run')).report
        const { batch, ...done } = (await importInto(db, talks)).report
        expect([none, batch === null]).toEqual([null, false])
        expect(said).toEqual(done)
        await expectOrder(db)
      }
    }),
  60_000,
)
