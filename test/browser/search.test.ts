import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { sample } from '../harness/runs.ts'
import { type Server, startServer } from '../harness/server.ts'
import { until } from '../harness/until.ts'
import { describePage, launchChromium } from './chromium.ts'

// Runner: slow

// Installing a browser where there is none takes minutes.
const startTimeoutMs = 300_000

let server: Server
let browser: Browser

beforeAll(async () => {
  browser = await launchChromium()
  server = await startServer({ args: ['--threads', '2', '--sample', '--thumbnails', 'off'] })
  await until('all words are loaded', async () => {
    const { headers } = await fetch(`${server.url}/api/v2/suggest?q=a`)
    return headers.get('Cache-Control') !== 'no-store'
  })
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
  page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()))
  page.on('request', (request) => request.url().startsWith(server.url) || wrong.push(request.url()))
  try {
    await look(page).catch(async (error) => {
      throw new Error(`${error}\nThe page: ${await describePage(page)}`)
    })
    expect(wrong).toEqual([])
  } finally {
    await context.close()
  }
}

const path = (page: Page) => page.url().slice(server.url.length)
const countOf = async (page: Page) => Number((await page.textContent('.results-head p'))?.replace(/\D/g, ''))
const box = (page: Page) => page.locator('.search-box input[name=q]')
const options = (page: Page) => page.locator('.suggestions [role=option]')

async function type(page: Page, text: string): Promise<void> {
  await box(page).click()
  await page.keyboard.type(text, { delay: 20 })
  await options(page).first().waitFor()
}

const kinds: readonly (readonly [string, BrowserContextOptions])[] = [
  ['on a desktop', {}],
  ['on a phone', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }],
  ['without JavaScript', { javaScriptEnabled: false }],
]

describe('The search', () => {
  test.each(sample(kinds))(
    'leads through a filter to a talk, and back, %s',
    async (_, kind) => {
      await visit(kind, async (page) => {
        await page.goto('/')
        await box(page).fill('the')
        await box(page).press('Enter')
        await page.waitForURL('**/search?q=the')
        const all = await countOf(page)
        const menu = page.locator('.filters > summary')
        if (await menu.isVisible()) await menu.click()
        const filter = page.locator('.facet .values a').first()
        const expected = Number(await filter.locator('.count').textContent())
        await filter.click()
        await page.waitForURL(/category=/)
        const filtered = path(page)
        expect([await countOf(page), expected < all]).toEqual([expected, true])
        await page.locator('.results h2 a').first().click()
        await page.waitForURL('**/video/**')
        expect(await page.locator('h1').count()).toBe(1)
        await page.goBack()
        expect([path(page), await countOf(page)]).toEqual([filtered, expected])
        await page.goBack()
        expect([await countOf(page), await box(page).inputValue()]).toEqual([all, 'the'])
        await page.goForward()
        await page.locator('.chip').click()
        await page.waitForURL('**/search?q=the')
        expect(await countOf(page)).toBe(all)
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
      })
    },
    180_000,
  )

  test.each(sample(kinds))(
    'in an event finds only its talks, keeps its filters when refined, and can be widened again, %s',
    async (_, kind) => {
      await visit(kind, async (page) => {
        await page.goto('/category')
        await page.locator('main a[href*="/category/"]').first().click()
        await page.waitForURL('**/category/*')
        const event = await page.locator('h1').textContent()
        await page.getByRole('searchbox', { name: 'Search in this event' }).fill('the')
        await page.keyboard.press('Enter')
        await page.waitForURL('**/search?q=the&category=*')
        expect(await page.locator('.search-box .chip .value').allTextContents()).toEqual([`in ${event}`])
        const events = await page.locator('.results .when a').allTextContents()
        expect([events.length > 0, [...new Set(events)]]).toEqual([true, [event ?? '']])
        const menu = page.locator('.filters > summary')
        if (await menu.isVisible()) await menu.click()
        await page.locator('.facet:has(h2:text("Speaker")) .values a').first().click()
        await page.waitForFunction('document.querySelectorAll(".search-box .chip").length === 2')
        const kept = new URL(page.url()).searchParams
        await box(page).fill('a')
        await box(page).press('Enter')
        await page.waitForURL('**/search?q=a&*')
        const refined = new URL(page.url()).searchParams
        for (const parameters of [kept, refined]) parameters.delete('q')
        expect(refined.toString()).toBe(kept.toString())
        await page.getByText('Search all talks').click()
        await page.waitForURL('**/search?q=a')
        expect(await page.locator('.chip').count()).toBe(0)
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
      })
    },
    180_000,
  )

  test('for a speaker leads to their page from a card above the results and filters', async () => {
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 360, height: 740 },
    ]) {
      await visit({ viewport }, async (page) => {
        await page.goto('/speaker')
        const name = (await page.locator('main .pills bdi').first().textContent()) ?? ''
        await page.locator('#q').fill(name)
        await page.locator('#q').press('Enter')
        const link = page.locator('.named-card h2 a').first()
        const top = await link.boundingBox()
        const filters = await page.locator('aside, #results').first().boundingBox()
        expect((top?.y ?? 0) < (filters?.y ?? 0)).toBe(true)
        await link.click()
        await page.waitForURL('**/speaker/**')
        expect(await page.locator('h1').textContent()).toBe(name)
      })
    }
  }, 180_000)

  test.each(sample(kinds))(
    'shows a year and an event among its words, and says when no talk has all of them, %s',
    async (_, kind) => {
      await visit(kind, async (page) => {
        await page.goto('/search?q=lamplight+conf+2024+lightning')
        const chips = page.locator('.understood .chip .value')
        expect(await chips.allTextContents()).toEqual(['Lamplight Conf', '2024'])
        const count = await countOf(page)
        await page.locator('.understood .chip', { hasText: '2024' }).click()
        await page.waitForURL('**/search?q=lamplight+conf+lightning')
        expect([await countOf(page), await chips.allTextContents()]).toEqual([count + 2, ['Lamplight Conf']])
        await box(page).fill('sheep semicolon')
        await box(page).press('Enter')
        await page.waitForURL('**/search?q=sheep+semicolon')
        expect(await page.textContent('.widened')).toStartWith('No talk matches all of these words.')
        await page.getByText('Search for “sheep”').click()
        await page.waitForURL('**/search?q=sheep')
        expect(await page.locator('.widened').count()).toBe(0)
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
      })
    },
    180_000,
  )

  test('is two Tabs away from its first result', async () => {
    await visit({}, async (page) => {
      await page.goto('/search?q=sheep')
      for (const key of ['Tab', 'Tab', 'Enter', 'Tab']) await page.keyboard.press(key)
      expect(await page.evaluate('document.getElementById("results").contains(document.activeElement)')).toBe(true)
    })
  }, 180_000)

  test('shows filters beside results on a wide screen, behind a button on a narrow one', async () => {
    await visit({ viewport: { width: 1280, height: 800 } }, async (page) => {
      await page.goto('/search')
      expect(await page.locator('.facets').isVisible()).toBe(true)
      expect(await page.locator('.filters > summary').isVisible()).toBe(false)
      await page.setViewportSize({ width: 600, height: 800 })
      expect(await page.locator('.facets').isVisible()).toBe(false)
      await page.locator('.filters > summary').click()
      expect(await page.locator('.facets').isVisible()).toBe(true)
    })
  }, 180_000)

  test('has no column for filters if there is nothing to filter', async () => {
    await visit({ viewport: { width: 1280, height: 800 } }, async (page) => {
      await page.goto('/search?q=%22Stale+but+Honest%22')
      expect([await countOf(page), await page.locator('aside').count()]).toEqual([1, 0])
      const [head, results] = [await page.locator('h1').boundingBox(), await page.locator('#results').boundingBox()]
      expect(results?.x).toBe(head?.x ?? -1)
    })
  }, 180_000)

  test('keeps titles that are written from right to left next to their pictures', async () => {
    await visit({ viewport: { width: 1280, height: 800 } }, async (page) => {
      await page.goto('/search?language=he')
      for (const card of await page.locator('.talk-card').all()) {
        const title = await card.locator('h2 a').boundingBox()
        expect(title?.x).toBe((await card.locator('.when').boundingBox())?.x ?? -1)
      }
    })
  }, 180_000)

  test('is sorted from a menu, which closes with Escape or a click elsewhere', async () => {
    await visit({}, async (page) => {
      await page.goto('/search')
      const menu = page.locator('details.sort')
      await menu.locator('summary').click()
      await page.keyboard.press('Escape')
      expect(await menu.getAttribute('open')).toBe(null)
      await menu.locator('summary').click()
      await page.locator('h1').click()
      expect(await menu.getAttribute('open')).toBe(null)
      await menu.locator('summary').click()
      await menu.getByText('Title').click()
      await page.waitForURL('**/search?sort=title')
      const titles = await page.locator('.results h2').allTextContents()
      expect(titles).toEqual(titles.toSorted((a, b) => a.localeCompare(b, 'en')))
    })
  }, 180_000)
})

describe('Suggestions', () => {
  test('are chosen by keyboard', async () => {
    await visit({}, async (page) => {
      await page.goto('/')
      await page.keyboard.press('/')
      await page.keyboard.type('th', { delay: 20 })
      await options(page).first().waitFor()
      expect(await box(page).getAttribute('aria-expanded')).toBe('true')
      expect(await page.locator('.search-box [role=status]').textContent()).toContain('suggestion')
      const count = await options(page).count()
      await page.keyboard.press('ArrowDown')
      expect(await activeIndex(page)).toBe(0)
      await page.keyboard.press('ArrowUp')
      expect(await activeIndex(page)).toBe(-1)
      await page.keyboard.press('ArrowUp')
      expect(await activeIndex(page)).toBe(count - 1)
      await page.keyboard.press('Escape')
      expect([await box(page).getAttribute('aria-expanded'), await box(page).inputValue()]).toEqual(['false', 'th'])
      await page.keyboard.press('ArrowDown')
      const chosen = await options(page).first().locator('.text').textContent()
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/(?:speaker|category|tag|video)\//)
      expect(await page.locator('h1').textContent()).toBe(chosen)
    })
  }, 180_000)

  test('respect the filters of the box', async () => {
    await visit({}, async (page) => {
      await page.goto('/search?language=he')
      const titles = await page.locator('.results h2').allTextContents()
      const word = titles[0]?.match(/\p{L}{3,}/u)?.[0] ?? expect.unreachable('no word')
      await type(page, word)
      const kinds = await options(page).locator('.kind').allTextContents()
      const texts = await options(page).locator('.text').allTextContents()
      expect([[...new Set(kinds)], texts.filter((text) => !titles.includes(text))]).toEqual([['Talk'], []])
    })
  }, 180_000)

  test('are chosen by mouse and by touch', async () => {
    for (const hasTouch of [false, true]) {
      await visit({ hasTouch, isMobile: hasTouch, viewport: { width: 390, height: 700 } }, async (page) => {
        await page.goto('/search')
        await type(page, 'th')
        const last = options(page).last()
        const chosen = await last.locator('.text').textContent()
        await (hasTouch ? last.tap() : last.click())
        await page.waitForURL(/\/(?:speaker|category|tag|video)\//)
        expect(await page.locator('h1').textContent()).toBe(chosen)
      })
    }
  }, 180_000)

  test('leave the typed search unchanged, close with Tab, and send no request for one letter', async () => {
    await visit({}, async (page) => {
      const asked: string[] = []
      page.on('request', (request) => request.url().includes('/suggest') && asked.push(request.url()))
      await page.goto('/')
      await box(page).fill('t')
      await page.waitForTimeout(400)
      expect(asked).toEqual([])
      await type(page, 'h')
      await page.keyboard.press('Tab')
      expect(await page.locator('.suggestions').isVisible()).toBe(false)
      await box(page).focus()
      await page.keyboard.press('Enter')
      await page.waitForURL('**/search?q=th')
    })
  }, 180_000)

  test('with hostile names are shown as text, and those for an older text are not shown', async () => {
    await visit({}, async (page) => {
      const hostile = '<img src=x onerror="document.title=1"> \u202Eabc'
      await page.route('**/search/suggest?q=*', async (route) => {
        const q = new URL(route.request().url()).searchParams.get('q') ?? ''
        if (q === 'slow') await Bun.sleep(1_000)
        const results = [{ kind: 'tag', text: `${hostile} ${q}`, url: `${server.url}/tag`, count: 1 }]
        await route.fulfill({ json: { results } }).catch(() => undefined)
      })
      await page.goto('/')
      const title = await page.title()
      await box(page).fill('slow')
      await page.waitForTimeout(300)
      await box(page).fill('quick')
      await options(page).first().waitFor()
      await page.waitForTimeout(1_200)
      expect(await options(page).locator('.text').allTextContents()).toEqual([`${hostile} quick`])
      expect([await page.locator('.suggestions img').count(), await page.title()]).toEqual([0, title])
    })
  }, 180_000)
})

/** Which option the box names as the active one; -1 for none. */
async function activeIndex(page: Page): Promise<number> {
  const active = await box(page).getAttribute('aria-activedescendant')
  const ids = await options(page).evaluateAll((all) => all.map(({ id }) => id))
  const selected = await options(page).evaluateAll((all) => all.map((each) => each.getAttribute('aria-selected')))
  const index = active === null ? -1 : ids.indexOf(active)
  expect(selected).toEqual(ids.map((_, i) => String(i === index)))
  return index
}
