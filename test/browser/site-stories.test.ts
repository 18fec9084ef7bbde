import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { sample } from '../harness/runs.ts'
import { type Server, startServer } from '../harness/server.ts'
import { until } from '../harness/until.ts'
import { listPages, type PageCase } from '../site/every-page.ts'
import { launchChromium } from './chromium.ts'

// Runner: slow

// Installing a browser where there is none takes minutes.
const startTimeoutMs = 300_000
const title = 'A Keynote for People in a Hurry'

let server: Server
let browser: Browser
let pages: readonly PageCase[] = []

beforeAll(async () => {
  browser = await launchChromium()
  server = await startServer({
    args: ['--threads', '1', '--query-threads', '1', '--sample', '--thumbnails', 'off'],
  })
  // Withdraws the talk that was added last, which is not the one of the stories.
  await fetch(`${server.url}/api/v2/video`, {
    method: 'POST',
    headers: { Authorization: `Token ${server.adminKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ category: 'Gone', title: 'Gone', state: 1 }),
  })
  pages = await listPages(server)
}, startTimeoutMs)

afterAll(async () => {
  await browser?.close()
  await server?.kill9()
})

/** A visit that fails if the page complains, or asks another host for anything. */
async function visit(options: BrowserContextOptions, look: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ baseURL: server.url, ...options })
  const page = await context.newPage()
  const wrong: string[] = []
  page.on('pageerror', (error) => wrong.push(String(error)))
  page.on('request', (request) => request.url().startsWith(server.url) || wrong.push(request.url()))
  try {
    await look(page)
    expect(wrong).toEqual([])
  } finally {
    await context.close()
  }
}

const path = (page: Page) => page.url().slice(server.url.length)
const readSecond = async (page: Page) => Number(await page.evaluate('document.querySelector("video").currentTime'))

async function waitForSecond(page: Page, second: number): Promise<void> {
  await until(`second ${second}`, async () => (await readSecond(page)) > second, { timeoutMs: 15_000, everyMs: 50 })
}

const focused = (page: Page): Promise<string> =>
  page.evaluate('(document.activeElement?.textContent || document.activeElement?.localName || "").trim()')

/** Presses Tab until this has the focus; everything between must be seen to have it. */
async function tabTo(page: Page, isThere: (text: string) => boolean, maxSteps = 120): Promise<void> {
  for (let step = 0; step < maxSteps; step++) {
    await page.keyboard.press('Tab')
    const isSeen = await page.evaluate(`(() => {
      const box = document.activeElement.getBoundingClientRect()
      const { outlineStyle, boxShadow } = getComputedStyle(document.activeElement)
      return box.width > 0 && box.height > 0 && (outlineStyle !== 'none' || boxShadow !== 'none' || document.activeElement.matches('input, video, iframe'))
    })()`)
    expect([await focused(page), isSeen]).toEqual([await focused(page), true])
    if (isThere(await focused(page))) return
  }
  throw new Error(`Not within ${maxSteps} steps; at ${await focused(page)} of ${page.url()}`)
}

test('a viewer searches, filters, plays, and continues at the same position on another day', async () => {
  await visit({}, async (page) => {
    await page.goto('/')
    await page.locator('.search-box input').fill('keynote')
    await page.keyboard.press('Enter')
    await page.locator('.facet a', { hasText: 'Lamplight Conf 2025' }).click()
    await page.waitForURL(/category=lamplight-conf-2025/)
    await page.locator('.results a', { hasText: title }).click()
    await page.waitForURL('**/video/**')
    await page.evaluate('document.querySelector("video").play()')
    await waitForSecond(page, 0.3)
    const source = String(await page.evaluate('document.querySelector("video").currentSrc'))
    expect(source).toStartWith(`${server.url}/assets/sample/`)
    await page.goto(`${path(page)}#t=12`)
    await page.reload()
    await page.evaluate('document.querySelector("video").play()')
    await waitForSecond(page, 12)
    expect(await readSecond(page)).toBeLessThan(17)
    await page.evaluate('document.querySelector("video").pause()')
    const left = await readSecond(page)
    await page.goto('/')
    await page.goBack()
    await page.goto(new URL(page.url()).pathname)
    await page.evaluate('document.querySelector("video").play()')
    await waitForSecond(page, left - 3)
  })
}, 180_000)

test('the keyboard is enough from the home page to a talk that plays', async () => {
  await visit({}, async (page) => {
    await page.goto('/')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Skip to content')
    await page.keyboard.press('/')
    await page.keyboard.type('people in a hurry')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/search?q=people+in+a+hurry*')
    await tabTo(page, (text) => text === 'Skip filters')
    await page.keyboard.press('Enter')
    await tabTo(page, (text) => text === title)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/video/**')
    await page.keyboard.press('k')
    await waitForSecond(page, 0.3)
    await page.keyboard.press('k')
    expect(await page.evaluate('document.querySelector("video").paused')).toBe(true)
    await tabTo(page, (text) => text === 'About')
  })
}, 180_000)

test('going back and forward shows the pages as they were left', async () => {
  await visit({ viewport: { width: 1280, height: 700 } }, async (page) => {
    const way = ['/', '/category', '/category/lamplight-conf-2025']
    for (const step of way) await page.goto(step)
    await page.locator('main a[href^="/video/"]').last().scrollIntoViewIfNeeded()
    const scrolled = Number(await page.evaluate('scrollY'))
    expect(scrolled).toBeGreaterThan(0)
    await page.locator('main a[href^="/video/"]').last().click()
    await page.waitForURL('**/video/**')
    const talk = path(page)
    await page.locator('.speakers a, a[href^="/speaker/"]').first().click()
    await page.waitForURL('**/speaker/**')
    await page.goBack()
    expect(path(page)).toBe(talk)
    await page.goBack()
    expect(path(page)).toBe('/category/lamplight-conf-2025')
    await until(
      'it is scrolled as before',
      async () => Math.abs(Number(await page.evaluate('scrollY')) - scrolled) < 50,
    )
    await page.goForward()
    expect([path(page), await page.locator('h1').count()]).toEqual([talk, 1])
  })
}, 180_000)

const parts = [1, 2, 3] as const
const toPart = (part: number) => pages.filter((_, at) => at % parts.length === part - 1)

test.each(sample(parts))(
  'without JavaScript every page shows its content, part %d',
  async (part) => {
    await visit({ javaScriptEnabled: false }, async (page) => {
      for (const { name, path: address, status } of toPart(part)) {
        const response = await page.goto(address)
        expect([name, response?.status()]).toEqual([name, status])
        expect([name, await page.locator('h1').first().isVisible()]).toEqual([name, true])
        expect([name, (await page.locator('main').innerText()).length > 20]).toEqual([name, true])
        // What only a script can do is not offered.
        for (const button of await page.locator('main button:visible').all()) {
          expect([name, await button.getAttribute('type')]).toEqual([name, 'submit'])
        }
        const summary = page.locator('main summary:visible').first()
        if ((await summary.count()) === 0) continue
        await summary.click()
        expect([name, await page.locator('main details[open]').count()]).toEqual([name, 1])
      }
    })
  },
  180_000,
)

test.each(sample(parts))(
  'on a phone every page fits, and hardly anything in it moves while it loads, part %d',
  async (part) => {
    await visit({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }, async (page) => {
      await page.addInitScript(`
      window.shift = 0
      new PerformanceObserver((list) => { for (const each of list.getEntries()) window.shift += each.value })
        .observe({ type: 'layout-shift', buffered: true })`)
      for (const { name, path: address } of toPart(part)) {
        await page.goto(address)
        const seen = await page.evaluate<{ wide: number; shift: number }>(
          '({ wide: document.documentElement.scrollWidth, shift: window.shift })',
        )
        expect([name, seen.wide]).toEqual([name, 390])
        // On a busy machine the browser paints a page while its HTML still arrives. Users notice shifts above 0.1.
        expect([name, seen.shift < 0.05]).toEqual([name, true])
        expect([name, await page.locator('h1').first().isVisible()]).toEqual([name, true])
      }
    })
  },
  180_000,
)
