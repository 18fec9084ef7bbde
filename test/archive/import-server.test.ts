import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { JsonObject } from '../../src/record/json.ts'
import { withFolder } from '../faults/scratch.ts'
import { startServer } from '../harness/server.ts'
import { exportFrom, type Imported, importInto, toCounts } from './command.ts'
import { type OldServer, startOldServer, type Trick, toAnswer, toOldRecords } from './old-server.ts'
import { checkStored, readStored } from './stored.ts'

const records = toOldRecords(25)

/** Imports from an old server into a new store. */
async function importFromOld(
  trick: Trick | undefined,
  look: (imported: Imported, db: string, server: OldServer) => Promise<void> | void,
): Promise<void> {
  const server = startOldServer(records, 10, trick)
  try {
    await withFolder(async (folder) => {
      const db = join(folder, 'a.db')
      await look(await importInto(db, server.url), db, server)
      checkStored(db)
    })
  } finally {
    server.stop()
  }
}

describe('From another Rostrum', () => {
  test.each(['', '/', '/api/v2', '/api/v2/'])(
    'its address with %j appended imports everything public',
    async (path) => {
      const source = await startServer({ args: ['--threads', '1', '--sample'] })
      try {
        await withFolder(async (folder) => {
          const db = join(folder, 'a.db')
          const { exitCode, report } = await importInto(db, `${source.url}${path}`)
          const theirs = readStored(source.db).records.filter(({ state }) => state === 1)
          expect([exitCode, toCounts(report)]).toEqual([0, [theirs.length, 0, 0, 0]])
          const plain = readStored(db).records.map(({ updated: _, ...record }) => record)
          expect(plain).toEqual(theirs.map(({ updated: _, ...record }) => record))
          expect(toCounts((await importInto(db, source.url)).report)).toEqual([0, 0, theirs.length, 0])
          expect((await exportFrom(db, 'ndjson', join(folder, 'all.ndjson'))).exitCode).toBe(0)
        })
      } finally {
        await source.stop()
      }
    },
  )
})

describe('From an old server', () => {
  test('pages are read one after the other, under whatever host name it uses, and none past the end', async () => {
    await importFromOld(undefined, (imported, db, { asked }) => {
      expect([imported.exitCode, toCounts(imported.report)]).toEqual([0, [25, 0, 0, 0]])
      const toNames = (all: readonly JsonObject[]) => all.map(({ id, slug }) => `${id} ${slug}`)
      expect(toNames(readStored(db).records)).toEqual(toNames(records))
      expect(asked.length).toBe(3)
      for (const path of asked) expect(path).toStartWith('/api/v2/video/?')
    })
  })

  test('that fails once, the page is requested again', async () => {
    const trick: Trick = (_url, asked) => (asked === 2 ? new Response('Oh', { status: 500 }) : null)
    await importFromOld(trick, ({ exitCode, report }, _db, { asked }) => {
      expect([exitCode, toCounts(report), asked.length]).toEqual([0, [25, 0, 0, 0], 4])
    })
  })

  const endings: readonly (readonly [what: string, trick: Trick, created: number, said: RegExp])[] = [
    ['404 in the middle', onPage('3', () => new Response('', { status: 404 })), 20, /404/],
    ['401 at once', onPage(null, () => new Response('', { status: 401 })), 0, /401/],
    ['garbage', onPage('2', () => new Response('<html>Sorry')), 10, /did not return a list/],
    ['JSON that is no page', onPage('2', () => toAnswer({ detail: 'x' })), 10, /did not return a list/],
    [
      'a next page that is no address',
      onPage('2', () => toAnswer({ results: [], next: 'http://[' })),
      10,
      /next|address/,
    ],
    [
      'another address for everything',
      onPage('2', () => Response.redirect('http://127.0.0.1:1/', 302)),
      10,
      /redirect|302|elsewhere|another address/i,
    ],
  ]
  test.each(endings)(
    'that answers with %s, what was imported before stays, and the report says where it ended',
    async (_what, trick, created, said) => {
      await importFromOld(trick, ({ exitCode, report, stderr }, db) => {
        expect({ exitCode, stderr }).toMatchObject({ exitCode: 65 })
        expect([toCounts(report), readStored(db).records.length]).toEqual([[created, 0, 0, 1], created])
        expect(report.refused[0]?.file).toMatch(/^page \d$/)
        expect(report.refused[0]?.reason).toMatch(said)
      })
    },
    30_000,
  )

  test('with some invalid records, the others are imported, and the report names page and position', async () => {
    const [first = {}, second = {}] = records
    const results = [first, { ...second, state: 7, speakers: 'x' }, { ...second, added_by: 1, id: 3 }, 'no record']
    await importFromOld(
      () => toAnswer({ count: 4, next: null, results }),
      ({ exitCode, report }, db) => {
        expect([exitCode, toCounts(report)]).toEqual([65, [3, 0, 0, 1]])
        expect(report.unfit.map(({ file, field }) => [file, field])).toEqual([
          ['id 2', 'state'],
          ['id 2', 'speakers'],
          ['id 3', 'added_by'],
        ])
        expect(report.refused.map(({ file, field }) => [file, field])).toEqual([['page 1 entry 4', null]])
        expect(readStored(db).records.map(({ id, state, speakers }) => [id, state, speakers])).toEqual([
          [1, 1, []],
          [2, 2, []],
          [3, 1, []],
        ])
      },
    )
  })

  test('that repeats a page as its next page, the import ends, and nothing is imported twice', async () => {
    const results = records.slice(0, 2)
    const trick: Trick = (url, asked) =>
      asked > 50 ? new Response('', { status: 404 }) : toAnswer({ count: 2, next: url.href, results: [...results] })
    await importFromOld(trick, ({ exitCode, report }, db, { asked }) => {
      expect([report.created, readStored(db).records.length]).toEqual([2, 2])
      expect(asked.length).toBeLessThan(5)
      expect([0, 65]).toContain(exitCode ?? -1)
    })
  }, 180_000)

  test('that is unreachable, the report says so and the store stays empty', async () => {
    await withFolder(async (folder) => {
      const { exitCode, report } = await importInto(join(folder, 'a.db'), 'http://127.0.0.1:1')
      expect([exitCode, toCounts(report)]).toEqual([69, [0, 0, 0, 1]])
      expect(report.refused[0]?.reason).toContain('does not answer')
    })
  }, 180_000)
})

function onPage(page: string | null, answer: () => Response): Trick {
  return (url) => (url.searchParams.get('page') === page ? answer() : null)
}
