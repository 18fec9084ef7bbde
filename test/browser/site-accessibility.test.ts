import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { isLong, longTest, sample } from '../harness/runs.ts'
import { type Server, startServer } from '../harness/server.ts'
import { listPages, type PageCase } from '../site/every-page.ts'
import { type HostileSite, startHostileSite } from '../site/hostile-archive.ts'
import { findViolations } from './axe.ts'
import { launchChromium } from './chromium.ts'

// Runner: slow

// Installing a browser where there is none takes minutes.
const startTimeoutMs = 300_000

let server: Server
let hostile: HostileSite | null = null
let browser: Browser
let page: Page
let pages: readonly PageCase[] = []

beforeAll(async () => {
  browser = await launchChromium()
  server = await startServer({ args: ['--threads', '1', '--query-threads', '1', '--sample'] })
  const all = await listPages(server)
  pages = isLong ? all : chooseFirst(all, ([name = '', ...rest]) => `${name} ${rest.length > 0}`)
  if (isLong) hostile = await startHostileSite('http://127.0.0.1:9', ['--thumbnails', 'off'])
  page = await browser.newPage({ reducedMotion: 'reduce' })
}, startTimeoutMs)

afterAll(async () => {
  await browser?.close()
  await server?.kill9()
  await hostile?.stop()
})

const desktop = { width: 1280, height: 900 }
const phone = { width: 360, height: 800 }

const screens = [
  [
    { size: desktop, colorScheme: 'light' },
    { size: phone, colorScheme: 'dark' },
  ],
  [
    { size: phone, colorScheme: 'light' },
    { size: desktop, colorScheme: 'dark' },
  ],
] as const

/** Both widths and both colours, in pairs that alternate from page to page; in `npm test` one of the two. Everything that can be opened is open, but for menus, which cover what is below them: share.test.ts opens those. */
async function check(url: string, number: number): Promise<string[]> {
  await page.goto(url)
  await page.evaluate('for (const each of document.querySelectorAll("details:not(.menu-button)")) each.open = true')
  const found: string[] = []
  for (const { size, colorScheme } of sample(screens[number % 2] ?? [])) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(size)
    found.push(...(await findViolations(page)).map((violation) => `${colorScheme}, ${size.width} px: ${violation}`))
  }
  return found
}

async function checkAll(base: string, some: readonly PageCase[]): Promise<void> {
  const found: string[] = []
  for (const [number, { name, path }] of some.entries()) {
    found.push(...(await check(base + path, number)).map((violation) => `${name}: ${violation}`))
  }
  expect(found).toEqual([])
}

/** Checking a page takes a second or two, many more on a busy machine, so a test has a few. */
const perTest = 4
const partTimeoutMs = 180_000
const toParts = (count: number) => Array.from({ length: Math.ceil(count / perTest) }, (_, at) => at + 1)
const toPart = (all: readonly PageCase[], part: number) => all.slice((part - 1) * perTest, part * perTest)

/** In `npm test` one of each kind. */
const count = isLong ? 40 : 17

test.each(toParts(count))(
  'axe finds no violations on pages of the sample, part %d',
  async (part) => await checkAll(server.url, toPart(pages, part)),
  partTimeoutMs,
)

for (const part of toParts(20)) {
  longTest(
    `axe finds no violations on pages of hostile records, part ${part}`,
    async () => await checkAll(hostile?.server.url ?? '', toPart(chooseHostile(), part)),
    partTimeoutMs,
  )
}

/** The first page of each kind. */
function chooseFirst(
  all: readonly PageCase[],
  toKind: (segments: readonly string[]) => string | undefined,
): readonly PageCase[] {
  const kinds = all.map(({ path }) => toKind((path.split('?')[0] ?? '').split('/').slice(1)))
  return all.filter((_, at) => kinds.indexOf(kinds[at]) === at)
}

/** Every kind of page, and all talks. */
function chooseHostile(): readonly PageCase[] {
  const still = (hostile?.pages ?? []).filter(({ path }) => !path.includes('?t='))
  return chooseFirst(still, ([name, ...rest]) => (name === 'video' ? rest.join('/') : name))
}

test('no page was left out', () => {
  expect([pages.length, Math.ceil(chooseHostile().length / perTest)]).toEqual([count, isLong ? 5 : 0])
})

test('suggestions are accessible', async () => {
  for (const colorScheme of sample(['light', 'dark'] as const)) {
    await page.emulateMedia({ colorScheme })
    await page.goto(`${server.url}/search`)
    await page.locator('header input[name=q]').pressSequentially('lam', { delay: 20 })
    await page.locator('[role=option]').first().waitFor()
    await page.keyboard.press('ArrowDown')
    expect(await findViolations(page)).toEqual([])
  }
}, 180_000)

test('the rules find violations', async () => {
  await page.goto(`${server.url}/about`)
  await page.evaluate(
    'document.querySelector("h1").outerHTML = "<h4>Title</h4><img src=x><p style=color:#aaa>faint</p>"',
  )
  const rules = (await findViolations(page)).map((violation) => violation.split(' ')[0])
  expect(rules).toEqual(expect.arrayContaining(['image-alt', 'page-has-heading-one']))
}, 180_000)
