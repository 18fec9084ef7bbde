import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createCurator } from '../contract/curator.ts'
import { openForm, sendForm } from '../contract/editor-form.ts'
import { createService } from '../contract/service.ts'
import { withFolder } from '../faults/scratch.ts'
import { type Server, startServer } from '../harness/server.ts'
import { exportFrom, importInto, runRostrum, toCounts } from './command.ts'
import { changeTalk, listFiles, writeTalk } from './talk-files.ts'

const path = 'quay-2024/videos/knots.json'
const imported = [
  'https://example.org/knots',
  { url: 'https://example.org/rope.pdf', label: 'Rope', pages: 3 },
  'knots',
]

function writeArchive(root: string): string {
  writeTalk(root, 'quay-2024/category.json', { title: 'Quay 2024' })
  writeTalk(root, path, { title: 'Knots', slug: 'knots', related_urls: imported, room: 'Aft' })
  writeTalk(root, 'quay-2024/videos/bare.json', { title: 'Bare', slug: 'bare' })
  return root
}

async function withServer<T>(db: string, work: (server: Server) => Promise<T>): Promise<T> {
  const server = await startServer({ db, args: ['--threads', '1'] })
  try {
    return await work(server)
  } finally {
    await server.stop()
  }
}

/** Types into the form of the links of a talk, which the title names. */
const edit = (db: string, title: string, links: (shown: string) => string) =>
  withServer(db, async (server) => {
    const curator = createCurator(
      createService(
        () => server,
        () => server.adminKey,
      ),
    )
    await curator.signIn(server.adminKey)
    const form = await openForm(curator, `/edit/video/${await findId(server, title)}/related`)
    const shown = form.toFields().find(([name]) => name === 'field.lines')?.[1] ?? ''
    expect((await sendForm(curator, form, { 'field.lines': links(shown.replaceAll('\r\n', '\n')) })).status).toBe(303)
    return shown
  })

async function ask(server: Server, address: string) {
  const headers = { Authorization: `Token ${server.adminKey}` }
  return JSON.parse(await (await fetch(`${server.url}/api/v2/${address}`, { headers })).text())
}

async function findId(server: Server, title: string): Promise<number> {
  const { results } = await ask(server, 'video?fields=id,title')
  return results.find((each: { readonly title: string }) => each.title === title).id
}

/** What the source had, and the links. */
const readKept = (db: string, title: string) =>
  withServer(db, async (server) => {
    const item = `video/${await findId(server, title)}`
    return [(await ask(server, `${item}/extras`)).extras, await ask(server, `${item}/related`)]
  })

const readFile = (root: string, name: string) => JSON.parse(readFileSync(join(root, name), 'utf8'))

test('edited links are exported with their history, and the next import keeps them', async () => {
  await withFolder(async (folder) => {
    const archive = writeArchive(join(folder, 'quay'))
    const db = join(folder, 'store.db')
    await importInto(db, archive)
    const shown = await edit(db, 'Knots', (links) => `${links}\nhttps://example.org/film The film`)
    expect(shown).toBe('https://example.org/knots\r\nhttps://example.org/rope.pdf Rope')
    // Entries that were not touched, and what is no link, are as they were.
    const [first, second, odd] = imported
    const edited = [first, second, { label: 'The film', url: 'https://example.org/film' }, odd]
    const links = [
      { url: 'https://example.org/knots', kind: 'other' },
      { url: 'https://example.org/rope.pdf', label: 'Rope', kind: 'other' },
      { url: 'https://example.org/film', label: 'The film', kind: 'other' },
    ]
    expect(await readKept(db, 'Knots')).toEqual([{ related_urls: imported, room: 'Aft' }, { links }])

    await exportFrom(db, 'pyvideo', join(folder, 'out'))
    expect(readFile(join(folder, 'out'), path)).toEqual({
      ...readFile(archive, path),
      related_urls: edited,
    })

    expect(toCounts((await importInto(db, archive)).report).slice(0, 2)).toEqual([0, 0])
    changeTalk(archive, path, { related_urls: ['https://example.org/newer'], room: 'Bow' })
    await importInto(db, archive)
    expect(await readKept(db, 'Knots')).toEqual([
      { related_urls: ['https://example.org/newer'], room: 'Bow' },
      { links },
    ])
    changeTalk(archive, path, { related_urls: undefined, room: undefined })
    await importInto(db, archive)
    expect(await readKept(db, 'Knots')).toEqual([{}, { links }])
    expect(await runRostrum('doctor', '--db', db)).toMatchObject({ exitCode: 0, stdout: '' })

    const [dump, again, copy] = ['one.ndjson', 'again.db', 'two.ndjson'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    await exportFrom(db, 'dump', dump)
    expect((await runRostrum('import', dump, '--db', again)).exitCode).toBe(0)
    await exportFrom(again, 'dump', copy)
    const withoutHead = (file: string) => readFileSync(file, 'utf8').split('\n').slice(1)
    expect(withoutHead(copy)).toEqual(withoutHead(dump))
    expect(readFileSync(dump, 'utf8')).toContain('example.org/film')
    expect(await runRostrum('doctor', '--db', again)).toMatchObject({ exitCode: 0, stdout: '' })
  })
}, 300_000)

test('links of a talk that had none are exported, and can be removed again', async () => {
  await withFolder(async (folder) => {
    const archive = writeArchive(join(folder, 'quay'))
    const db = join(folder, 'store.db')
    await importInto(db, archive)
    await exportFrom(db, 'pyvideo', join(folder, 'before'))
    await edit(db, 'Bare', () => 'https://example.org/film The film')
    await exportFrom(db, 'pyvideo', join(folder, 'edited'))
    expect(readFile(join(folder, 'edited'), 'quay-2024/videos/bare.json').related_urls).toEqual([
      { label: 'The film', url: 'https://example.org/film' },
    ])
    await edit(db, 'Bare', () => '')
    await exportFrom(db, 'pyvideo', join(folder, 'after'))
    for (const name of listFiles(join(folder, 'before'))) {
      const { related_urls: links = [], ...file } = readFile(join(folder, 'after'), name)
      const { related_urls: old = [], ...before } = readFile(join(folder, 'before'), name)
      expect([name, links, file]).toEqual([name, old, before])
    }
  })
}, 300_000)
