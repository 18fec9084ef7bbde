import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHostileMarkup } from '../browser/hostile-markup.ts'
import { runRostrum } from '../cli/store-command.ts'
import { writeFile } from '../contract/importing.ts'
import { type Fields, fail } from '../contract/service.ts'
import { createFreshStore } from '../harness/fresh-store.ts'
import { type Server, startServer } from '../harness/server.ts'
import type { PageCase } from './every-page.ts'
import { createHostileRecords, fill, toHostileMarkdown } from './hostile-records.ts'

export interface HostileSite {
  readonly server: Server
  /** The pages that show the records, events and everything else in the archive. */
  readonly pages: readonly PageCase[]
  readonly talks: readonly Fields[]
  stop(): Promise<void>
}

/** A server whose records, events, imported extras, name and texts are all hostile. */
export async function startHostileSite(collector: string, args: readonly string[] = []): Promise<HostileSite> {
  const folder = mkdtempSync(join(tmpdir(), 'rostrum-hostile-'))
  const store = await createFreshStore()
  const remove = async () => {
    rmSync(folder, { recursive: true, force: true })
    await store.remove()
  }
  try {
    await importFiles(folder, store.db, collector)
    const about = join(folder, 'about.md')
    writeFileSync(about, `${createHostileMarkup(collector).join('\n\n')}\n\n${toHostileMarkdown(collector)}`)
    const server = await startServer({ db: store.db, args: [...toArgs(about, collector), ...args] })
    const stop = async () => {
      await server.kill9()
      await remove()
    }
    const talks = await createAll(server, collector)
    return { server, talks, pages: await listHostilePages(server, talks), stop }
  } catch (error) {
    await remove()
    throw error
  }
}

function toArgs(about: string, collector: string): readonly string[] {
  const threads = ['--threads', '1', '--query-threads', '1']
  const name = '"><script>alert(1)</script>\u202e</title>'
  const links = [
    '--contact',
    `${collector}/contact?"onclick=alert(1)`,
    '--imprint',
    `/imprint?"><script>alert(1)</script>`,
  ]
  return [...threads, '--site-name', name, '--about', about, ...links]
}

/** Files carry what the API does not take: extras with related links. */
async function importFiles(folder: string, db: string, collector: string): Promise<void> {
  const event = 'archive/hostile-event'
  const markup = createHostileMarkup(collector)
  writeFile(folder, `${event}/category.json`, {
    title: '</title><script>alert(1)</script> by files',
    description: `${markup.join('\n')}\n\n${toHostileMarkdown(collector)}`,
    url: 'javascript:alert(document.domain)',
  })
  writeFile(folder, `${event}/videos/talk.json`, {
    title: 'Imported <img src=x onerror=alert(1)>',
    description: markup.join('\n'),
    related_urls: [
      'javascript:alert(1)',
      { url: 'javascript:alert(1)', label: 'click' },
      { url: 'data:text/html,<script>alert(1)</script>', label: 'click' },
      { url: `${collector}/related?"onmouseover="alert(1)`, label: '</a><script>alert(1)</script>' },
      { url: `${collector}/${fill('related', 1_900)}`, label: fill('Label', 5_000) },
    ],
    videos: [{ type: 'youtube', url: 'https://www.youtube.com/watch?v=hostile0001' }],
    thumbnail_url: `${collector}/thumbnail-imported`,
  })
  const { exitCode, stderr } = await runRostrum('import', join(folder, 'archive'), '--db', db)
  if (exitCode !== 0 && exitCode !== 65) fail(`import ended with ${exitCode}: ${stderr}`)
}

async function createAll(server: Server, collector: string): Promise<readonly Fields[]> {
  const made: Fields[] = []
  for (const fields of createHostileRecords(collector)) made.push(await send(server, 'POST', 'video', fields))
  const [first] = made
  const titles = [...createHostileMarkup(collector), fill('Chapter', 255), '\u202eevil\u2066 --> </script>']
  await send(server, 'PUT', `video/${first?.id}/chapters`, {
    chapters: titles.map((title, start) => ({ start, title: title.slice(0, 255) })),
  })
  await send(server, 'PUT', `video/${first?.id}/recordings`, {
    recordings: titles.slice(-20).map((note, i) => ({
      url: `${collector}/recording${i}?"onmouseover="alert(1)`,
      note: note.slice(0, 255),
    })),
  })
  const texts = [...titles, '# x\u0000 quagga', fill('&<"]]> ', 2_000), fill('Unbreakable', 2_000)]
  await send(server, 'PUT', `video/${first?.id}/transcripts/en.json`, {
    segments: texts.map((body, i) => ({ startTime: i, endTime: i + 1, body, speaker: body.slice(0, 255) })),
  })
  const [event] = (await read(server, 'category?page_size=50')).filter(({ title }) =>
    String(title).startsWith('<script'),
  )
  await send(server, 'PATCH', `category/${event?.slug}`, {
    description: `${createHostileMarkup(collector).join('\n')}\n\n${toHostileMarkdown(collector)}`,
    url: `${collector}/event?"onclick="alert(1)`,
  })
  return [
    ...made,
    ...(await read(server, 'video?page_size=100')).filter(({ title }) => String(title).startsWith('Imported')),
  ]
}

const hostileValues = [
  '"><script>alert(1)</script>',
  "'onmouseover=alert(1)",
  'javascript:alert(1)',
  '\u202e</title>',
].map(encodeURIComponent)
const parameters = [
  'q',
  'category',
  'speaker',
  'tag',
  'language',
  'year',
  'length',
  'download',
  'sort',
  'letter',
  't',
  'day',
]

async function listHostilePages(server: Server, talks: readonly Fields[]): Promise<readonly PageCase[]> {
  const [speakers, tags, events] = [
    await read(server, 'speaker?page_size=100'),
    await read(server, 'tag?page_size=100'),
    await read(server, 'category?page_size=50'),
  ]
  const all = parameters.map((name) => `${name}=${hostileValues[0]}`).join('&')
  const [markup = {}, long = {}, odd = {}] = talks
  const named = (kind: string, names: readonly Fields[]) =>
    [markup, long, odd].flatMap(({ speakers, tags }) => {
      const isOwn = ({ name }: Fields) => [speakers, tags].some((list) => Array.isArray(list) && list.includes(name))
      return names
        .filter(isOwn)
        .slice(0, 1)
        .map(({ id, slug }) => `/${kind}/${id}/${slug}`)
    })
  const ok = [
    '/',
    '/about',
    '/stats',
    '/category',
    '/speaker',
    '/tag',
    '/language/ar',
    ...talks.map(({ id, slug }) => `/video/${id}/${slug}`),
    ...talks.map(({ id }) => `/embed/${id}`),
    ...events.map(({ slug }) => `/category/${slug}`),
    ...named('speaker', speakers),
    ...named('tag', tags),
    '/search',
    '/search?q=script+onerror',
    ...hostileValues.map((value) => `/moments?q=${value}`),
    '/search?q=unbreakable',
    ...hostileValues.map((value) => `/search?q=${value}`),
    `/search?${all}&page=${hostileValues[0]}`,
    ...['/speaker', '/tag', '/category', `/category/${events[0]?.slug}`].map((path) => `${path}?${all}`),
    `/video/${markup.id}/${markup.slug}?t=${hostileValues[0]}`,
    ...['say=quagga', `say=${hostileValues[0]}`, `transcript=${hostileValues[0]}`].map(
      (query) => `/video/${markup.id}/${markup.slug}?${query}`,
    ),
    ...['/moments?q=quagga', '/search?q=quagga', '/moments?q=unbreakable'],
  ]
  const missing = [
    `/category/${hostileValues[0]}`,
    `/${hostileValues[0]}`,
    `/speaker/987654321/${hostileValues[3]}x`,
    `/tag?page=${hostileValues[0]}`,
  ]
  return [
    ...[...new Set(ok)].map((path) => ({ name: path.slice(0, 60), path, status: 200 })),
    ...missing.map((path) => ({ name: path.slice(0, 60), path, status: 404 })),
  ]
}

async function read(server: Server, path: string): Promise<readonly Fields[]> {
  const answer = await fetch(`${server.url}/api/v2/${path}`)
  if (answer.status !== 200) fail(`${path} answered ${answer.status}`)
  // The shape of every list of the API.
  return ((await answer.json()) as { readonly results: readonly Fields[] }).results
}

async function send(server: Server, method: string, path: string, fields: Fields): Promise<Fields> {
  const headers = { Authorization: `Token ${server.adminKey}`, 'Content-Type': 'application/json' }
  const answer = await fetch(`${server.url}/api/v2/${path}`, { method, headers, body: JSON.stringify(fields) })
  const text = await answer.text()
  if (answer.status > 201) fail(`${method} ${path} answered ${answer.status}: ${text.slice(0, 2_000)}`)
  return JSON.parse(text)
}
