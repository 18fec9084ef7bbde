import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { sample } from '../harness/runs.ts'
import { type HostileSite, startHostileSite } from '../site/hostile-archive.ts'
import { launchChromium } from './chromium.ts'

// Runner: long, slow

// Installing a browser where there is none takes minutes.
const startTimeoutMs = 300_000
// What acts by itself does so in this time; the control in hostile-record.test.ts shows that a second is enough.
const settleMs = 250
/** Texts of 100,000 characters, three of them, in which each character may take six bytes; lists of 200 names. */
const maxTalkBytes = 1_500_000
const maxPageBytes = 100_000

let browser: Browser

beforeAll(async () => {
  browser = await launchChromium()
}, startTimeoutMs)

afterAll(() => browser?.close())

const cases = [
  { name: 'with thumbnails', args: [] },
  { name: 'with --thumbnails off', args: ['--thumbnails', 'off'] },
]

describe.each(sample(cases))('Pages full of hostile texts, $name,', ({ args }) => {
  let site: HostileSite
  let visitor: Visitor
  let collector: ReturnType<typeof startCollector>
  beforeAll(async () => {
    collector = startCollector()
    site = await startHostileSite(collector.url, args)
    visitor = await createVisitor(browser)
  }, 180_000)
  afterAll(async () => {
    await visitor?.context.close()
    await site?.stop()
    await collector?.stop()
  })

  /** Thumbnails may be loaded where they are wanted; nothing else from other hosts. */
  const isAllowed = (url: string) =>
    url.startsWith(`${site.server.url}/`) || (args.length === 0 && url.startsWith(`${collector.url}/thumbnail`))

  const parts = [1, 2, 3, 4, 5] as const
  test.each(parts)(
    'run nothing, load nothing from elsewhere and fit on a phone, part %d',
    async (part) => {
      // The second site differs in its pictures alone.
      const all =
        args.length === 0 ? site.pages : site.pages.filter(({ path }) => /^\/(?:$|video|embed|category\/)/.test(path))
      const size = Math.ceil(all.length / parts.length)
      for (const { path } of all.slice((part - 1) * size, part * size)) {
        const seen = await visitor.visit(site.server.url + path)
        expect([path, seen.ran]).toEqual([path, []])
        expect([path, seen.requests.filter((url) => !isAllowed(url))]).toEqual([path, []])
        expect([path, seen.elements]).toEqual([path, []])
        expect([path, seen.overflows]).toEqual([path, []])
      }
      expect(collector.hits.filter((path) => !path.startsWith('/thumbnail'))).toEqual([])
      if (args.length > 0) expect(collector.hits).toEqual([])
    },
    180_000,
  )

  test('are of bounded size', async () => {
    for (const { path } of site.pages) {
      const body = await (await fetch(site.server.url + path, { redirect: 'manual' })).arrayBuffer()
      const max = path.startsWith('/video') ? maxTalkBytes : maxPageBytes
      expect([path, body.byteLength < max ? max : body.byteLength]).toEqual([path, max])
    }
  }, 180_000)

  test('link only to http, https and mail', async () => {
    for (const { path } of site.pages) {
      const body = await (await fetch(site.server.url + path, { redirect: 'manual' })).text()
      const targets = [...body.matchAll(/\s(?:href|src|action|poster|data-frame)="([^"]*)"/g)].map(
        ([, target = '']) => target,
      )
      expect([path, targets.filter((target) => !/^(?:\/(?!\/)|#|https?:\/\/|mailto:|\?)/.test(target))]).toEqual([
        path,
        [],
      ])
      expect([path, targets.length > 0]).toEqual([path, true])
    }
  }, 180_000)
})

interface Visitor {
  readonly context: BrowserContext
  visit(url: string): Promise<Seen>
}

interface Seen {
  /** Scripts, dialogs, errors and violations of the policy. */
  readonly ran: readonly string[]
  readonly requests: readonly string[]
  /** Elements that no page has. */
  readonly elements: readonly string[]
  readonly overflows: readonly string[]
}

async function createVisitor(from: Browser): Promise<Visitor> {
  const context = await from.newContext({ viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  const [ran, requests]: [string[], string[]] = [[], []]
  context.on('request', (request) => requests.push(request.url()))
  context.on('page', (other) => ran.push(`opened ${other.url()}`))
  page.on('console', (message) => {
    // A page that is missing is an error in the console, too.
    if (!message.text().startsWith('Failed to load resource: the server responded with a status of 404'))
      ran.push(`console ${message.text()}`)
  })
  page.on('pageerror', (error) => ran.push(`error ${error.message}`))
  page.on('dialog', async (dialog) => {
    ran.push(`dialog ${dialog.message()}`)
    await dialog.dismiss()
  })
  const visit = async (url: string) => {
    ran.length = 0
    requests.length = 0
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.goto(url)
    await Bun.sleep(settleMs)
    const pwned: unknown = await page.evaluate('window.pwned')
    if (pwned !== undefined) ran.push(`window.pwned is ${pwned}`)
    if (new URL(page.url()).pathname !== new URL(url).pathname) ran.push(`went to ${page.url()}`)
    const elements: string[] = await page.evaluate(findForeign)
    const overflows = [await measure(page, 1280), await measure(page, 360), await measure(page, 320)].flat()
    return { ran: [...ran], requests: [...requests], elements, overflows }
  }
  return { context, visit }
}

/** Elements and attributes that would act, besides our own script, style sheet and JSON-LD. */
const findForeign = `[...document.querySelectorAll('*')].flatMap((each) => {
  const names = each.getAttributeNames().filter((name) => name.startsWith('on') || name === 'style' || name === 'srcdoc')
  const isOurs = each.localName !== 'script' || each.type === 'application/ld+json' || new URL(each.src).origin === location.origin
  const isForeign = ['iframe', 'object', 'embed', 'base', 'style', 'frame', 'applet'].includes(each.localName) || each.httpEquiv
  return [...names.map((name) => each.localName + ' ' + name), ...(isOurs && !isForeign ? [] : [each.localName])]
})`

async function measure(page: Page, width: number): Promise<readonly string[]> {
  await page.setViewportSize({ width, height: 800 })
  const actual = Number(await page.evaluate('document.documentElement.scrollWidth'))
  return actual > width ? [`${actual} px at ${width} px: ${await page.evaluate(findWide)}`] : []
}

const findWide = `[...document.querySelectorAll('body *')].filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
  .slice(-3).map((each) => each.localName + '.' + each.className).join(', ')`

/** A server of ours in the part of the attacker's: it remembers every address that was asked for. */
function startCollector() {
  const hits: string[] = []
  const listener = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    development: false,
    fetch(request) {
      hits.push(new URL(request.url).pathname)
      return new Response('window.pwned = 1', { headers: { 'Content-Type': 'text/javascript' } })
    },
  })
  return { url: `http://127.0.0.1:${listener.port}`, hits, stop: () => listener.stop(true) }
}
