import { describe, expect, test } from 'bun:test'
import type { Command } from '../../src/record/command.ts'
import type { Changes } from '../../src/record/record.ts'
import { checkLinkUses, rebuildLinkUses } from '../../src/store/link/check-link-uses.ts'
import { eraseRecord } from '../../src/store/maintain/erase.ts'
import { type ListStore, openPostgresStore, openSqliteStore } from './list-stores.ts'
import { importTalks } from './talks.ts'

// Runner: slow

const author = { name: 'ann', role: 'publisher' } as const
const page = 'https://www.youtube.com/watch?v=aaaaaaaaaaa'
const file = 'https://media.example.org:8443/a.mp4'
const slides = 'https://example.org/slides.pdf'
const now = '2026-03-01T00:00:00.000'

async function use(store: ListStore, test: (deeds: Deeds) => Promise<void>): Promise<void> {
  try {
    await test(createDeeds(store))
  } finally {
    await store.remove()
  }
}

type Deeds = ReturnType<typeof createDeeds>

function createDeeds(store: ListStore) {
  const { writing } = store
  const run = async (command: Command) => {
    const outcomes = await store.writer.run([command], new Set())
    const [outcome] = outcomes === 'busy' ? [] : outcomes
    if (outcome === undefined || outcome.is === 'failed' || outcome.is === 'refused')
      throw new Error(JSON.stringify(outcome))
  }
  const readUses = () =>
    writing
      .query<{ id: number; role: string; url: string }, []>(
        'SELECT record_id AS id, role, url FROM link_use JOIN link ON link.id = link_id ORDER BY record_id, role, url',
      )
      .all()
  return {
    store,
    create: (changes: Changes) => run({ kind: 'create', author, changes: { title: 'T', category: 'C', ...changes } }),
    change: (id: number, changes: Changes) => run({ kind: 'merge', id, author, precondition: {}, changes }),
    setCompanion: (id: number, name: 'related' | 'recordings', urls: readonly string[]) =>
      run({
        ...{ kind: 'set companion', id, name, author, precondition: {} },
        body: { [name === 'related' ? 'links' : name]: urls.map((url) => ({ url })) },
      }),
    uses: async () => (await readUses()).map(({ id, role, url }) => `${id} ${role} ${url}`),
    states: async () =>
      (
        await writing
          .query<{ url: string; host: string; state: string }, []>('SELECT url, host, state FROM link ORDER BY url')
          .all()
      ).map(({ url, host, state }) => `${host} ${state} ${url}`),
    setGone: (url: string) =>
      writing.transaction('write', async () => {
        await writing.query<null, [string]>("UPDATE link SET state = 'gone' WHERE url = ?").run(url)
      }),
    async problems() {
      const found: string[] = []
      for await (const { id, what } of checkLinkUses(writing)) found.push(`${id}: ${what}`)
      return found
    },
  }
}

describe.each([
  ['SQLite', openSqliteStore],
  ['PostgreSQL', openPostgresStore],
] as const)('Addresses of records on %s', (_, open) => {
  test('are known by what the record has them as, and follow each change of them', async () =>
    use(await open(), async ({ create, change, setCompanion, uses, states, problems }) => {
      await create({ source_url: page, video_mp4_url: file, thumbnail_url: 'https://example.org/a.jpg' })
      expect(await uses()).toEqual([`1 file ${file}`, `1 page ${page}`, '1 thumbnail https://example.org/a.jpg'])
      await setCompanion(1, 'related', [slides, page])
      await setCompanion(1, 'recordings', ['https://example.org/b.webm'])
      await change(1, { thumbnail_url: '', title: 'Other' })
      expect(await uses()).toEqual([
        '1 file https://example.org/b.webm',
        `1 file ${file}`,
        `1 page ${page}`,
        `1 related ${slides}`,
        `1 related ${page}`,
      ])
      expect(await states()).toEqual([
        'example.org unknown https://example.org/b.webm',
        `example.org unknown ${slides}`,
        `media.example.org unknown ${file}`,
        `www.youtube.com unknown ${page}`,
      ])
      expect(await problems()).toEqual([])
    }))

  test('keep their state while any record has them, and are forgotten with the last one', async () =>
    use(await open(), async ({ store, create, change, setGone, states }) => {
      await create({ source_url: page })
      await create({ source_url: page })
      await setGone(page)
      await change(1, { source_url: '' })
      expect(await states()).toEqual([`www.youtube.com gone ${page}`])
      await change(1, { source_url: page, video_mp4_url: file })
      expect(await states()).toEqual([`media.example.org unknown ${file}`, `www.youtube.com gone ${page}`])
      expect(await eraseRecord(store.writing, 1, now)).toBe(true)
      expect(await states()).toEqual([`www.youtube.com gone ${page}`])
      await change(2, { source_url: '' })
      expect(await states()).toEqual([])
    }))

  test('are checked, and rebuilt without the loss of a state', async () =>
    use(await open(), async ({ store: { writing }, create, setGone, states, uses, problems }) => {
      await create({ source_url: page, video_mp4_url: file })
      const before = await uses()
      await setGone(page)
      await writing.transaction('write', async () => {
        await writing.query("DELETE FROM link_use WHERE role = 'page'").run()
        await writing
          .query<null, [Uint8Array]>("INSERT INTO link (id, key, url, host) VALUES (9, ?, 'x', '')")
          .run(Buffer.from('x'))
      })
      expect(await problems()).toEqual([
        '1: the list of its addresses is wrong',
        `null: no record has the address "${page}"`,
        'null: no record has the address "x"',
      ])
      await writing.transaction('write', () => rebuildLinkUses(writing))
      expect(await uses()).toEqual(before)
      expect(await problems()).toEqual([])
      expect(await states()).toEqual([`media.example.org unknown ${file}`, `www.youtube.com gone ${page}`])
    }))

  test('of an import are known', async () =>
    use(await open(), async ({ store, uses, problems }) => {
      await importTalks(store.writing, 300, 'C', { thumbnail_url: 'https://example.org/same.jpg' })
      expect((await uses()).length).toBe(600)
      expect(await problems()).toEqual([])
    }))
})
