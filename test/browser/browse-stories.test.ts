import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { type Server, startServer } from '../harness/server.ts'
import { launchChromium } from './chromium.ts'

// Runner: slow

// Installing a browser where there is none takes minutes.
const startTimeoutMs = 300_000
const phone = { width: 390, height: 800 }

let server: Server
let browser: Browser

beforeAll(async () => {
  browser = await launchChromium()
  server = await startServer({ args: ['--threads', '1', '--query-threads', '1', '--sample', '--thumbnails', 'off'] })
}, startTimeoutMs)

afterAll(async () => {
  await browser?.close()
  await server?.kill9()
})

async function visit(options: BrowserContextOptions, look: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ baseURL: server.url, ...options })
  try {
    await look(await context.newPage())
  } finally {
    await context.close()
  }
}

/** How much of the page five cards take, from the top of the first to the bottom of the fifth. */
const measureFive = async (page: Page, cards: string) =>
  Number(
    await page.evaluate(`(() => {
      const boxes = [...document.querySelectorAll(${JSON.stringify(cards)})].map((card) => card.getBoundingClientRect())
      return boxes[4].bottom - boxes[0].top
    })()`),
  )

const isShown = (page: Page, selector: string) => page.locator(selector).first().isVisible()

async function openTalk(page: Page): Promise<void> {
  await page.goto('/search?q=keynote')
  await page.locator('.results h2 a').first().click()
  await page.waitForURL('**/video/**')
}

test('five results or talks fit on the screen of a phone', async () => {
  await visit({ viewport: phone }, async (page) => {
    await page.goto('/search')
    expect(await measureFive(page, '.results > li')).toBeLessThanOrEqual(phone.height)
    await page.goto('/')
    expect(await measureFive(page, '.talk-grid > li')).toBeLessThanOrEqual(phone.height)
    await page.goto('/category')
    expect(await measureFive(page, '.event-card')).toBeLessThanOrEqual(phone.height)
  })
}, 180_000)

test('somebody finds an event by its name, and reaches any year with one click', async () => {
  await visit({ viewport: phone }, async (page) => {
    await page.goto('/category')
    await page.getByRole('searchbox', { name: 'Find an event' }).fill('lamplight 2025')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/category?q=lamplight+2025')
    expect(await page.locator('.event-card h3').allTextContents()).toEqual(['Lamplight Conf 2025'])
    const year = page.locator('.years-index a').last()
    await year.click()
    await page.waitForURL('**/category?year=*')
    expect(await page.locator('.event-card').count()).toBeGreaterThan(0)
  })
}, 180_000)

test('names of events, speakers and tags are not cut off on a phone', async () => {
  const long = (name: string) => `${name} of the Society for the Study of Harbours, Lighthouses and Tides`
  const response = await fetch(`${server.url}/api/v2/video`, {
    method: 'POST',
    headers: { Authorization: `Token ${server.adminKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      ...{ title: 'Named at length', category: long('Annual meeting'), recorded: '2026-11-01', state: 1 },
      ...{ speakers: [long('Secretary')], tags: [long('Proceedings')] },
    }),
  })
  expect(response.status).toBe(201)
  const cut = `[...document.querySelectorAll('main :is(bdi, .event-card h3, .row-chart th)')].flatMap((name) => {
    const hides = (part) => getComputedStyle(part).overflowX !== 'visible' && part.scrollWidth > part.clientWidth + 1
    return hides(name) || hides(name.parentElement) ? [name.textContent] : []
  })`
  await visit({ viewport: phone }, async (page) => {
    for (const path of [
      '/',
      '/category',
      '/search?q=harbours',
      '/stats',
      '/tag?q=proceedings',
      '/speaker?q=secretary',
    ]) {
      await page.goto(path)
      expect([path, await page.evaluate(cut)]).toEqual([path, []])
    }
    await page.locator('.name-columns a').first().click()
    await page.waitForURL('**/speaker/**')
    expect(await page.evaluate(cut)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(phone.width)
  })
}, 180_000)

test('on paper, a talk is text and an event a programme', async () => {
  await visit({ viewport: { width: 1280, height: 900 } }, async (page) => {
    await openTalk(page)
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('.printed').first().innerText()).toEndWith(page.url().split('?')[0] ?? '')
    expect(await page.locator('.recording').innerText()).toStartWith('Recording: http')
    for (const selector of ['.talk-title', '.talk-line', '.printed', '.recording'])
      expect([selector, await isShown(page, selector)]).toEqual([selector, true])
    for (const selector of ['.top', '.player', '.actions', '.talk-reuse', '.thumbnail', '.bottom', '.search-box']) {
      expect([selector, await isShown(page, selector)]).toEqual([selector, false])
    }
    await page.goto('/category/lamplight-conf-2025')
    expect(await isShown(page, '.programme h3')).toBe(true)
    for (const selector of ['.top', '.thumbnail', '.card-marks', '.jump', '.bottom', '.facet-rows']) {
      expect([selector, await isShown(page, selector)]).toEqual([selector, false])
    }
  })
}, 180_000)

test('Edit is in the footer, and next to the title in a browser that has signed in', async () => {
  await visit({}, async (page) => {
    await openTalk(page)
    const talk = page.url()
    expect(await page.locator('.actions').getByText('Edit', { exact: true }).count()).toBe(0)
    expect(await page.locator('.bottom').getByText('Edit', { exact: true }).count()).toBe(1)
    await page.goto('/edit/sign-in')
    await page.locator('input[name=key]').fill(server.adminKey)
    await page.locator('main button[type=submit]').first().click()
    await page.locator('.account').waitFor()
    await page.goto(talk)
    await page.locator('.actions').getByText('Edit', { exact: true }).click()
    await page.waitForURL('**/edit/video/**')
    await page.goto('/')
    await page.goto(talk)
    await page.goto('/edit')
    await page.getByText('Sign out').click()
    await page.waitForURL('**/sign-in*')
    await page.goto(talk)
    expect(await page.locator('.actions').getByText('Edit', { exact: true }).count()).toBe(0)
  })
}, 180_000)
