import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { sample } from '../harness/runs.ts'
import { type Server, startServer } from '../harness/server.ts'
import { findViolations } from './axe.ts'
import { launchChromium } from './chromium.ts'
import { createHostileRecord } from './hostile-markup.ts'

// Runner: long, slow

// Installing a browser where there is none takes minutes.
const startTimeoutMs = 300_000
const testTimeoutMs = 180_000

let server: Server
let browser: Browser
let event = ''
let events = 0

beforeAll(async () => {
  browser = await launchChromium()
  server = await startServer({ args: ['--threads', '2', '--thumbnails', 'off'] })
}, startTimeoutMs)
afterAll(async () => {
  await browser?.close()
  await server?.kill9()
})
beforeEach(() => {
  event = `Harbour Days ${++events}`
})

interface ApiBody {
  readonly id: number
  readonly results: readonly Readonly<Record<string, unknown>>[]
}

async function callApi(method: string, path: string, json?: unknown): Promise<ApiBody> {
  const headers = { Authorization: `Token ${server.adminKey}`, 'Content-Type': 'application/json' }
  const body = json === undefined ? {} : { body: JSON.stringify(json) }
  const answer = await fetch(`${server.url}/api/v2/${path}`, { method, headers, ...body })
  expect([200, 201]).toContain(answer.status)
  return JSON.parse(await answer.text())
}

async function createDrafts(count: number): Promise<void> {
  for (let i = 1; i <= count; i++) await callApi('POST', 'video', { category: event, title: `Tides, part ${i}` })
}

const toList = () => `category=${encodeURIComponent(event)}&page_size=50`

/** A field of all talks of the event; each value once. */
async function listValues(field: string): Promise<unknown[]> {
  const { results } = await callApi('GET', `video?${toList()}&fields=${field}`)
  return [...new Set(results.map((record) => JSON.stringify(record[field])))]
}

async function tell(options: BrowserContextOptions, story: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ baseURL: server.url, ...options })
  const wrong: string[] = []
  try {
    const page = await context.newPage()
    page.on('pageerror', (error) => wrong.push(String(error)))
    page.on('request', (request) => request.url().startsWith(server.url) || wrong.push(request.url()))
    await page.goto('/edit/sign-in')
    await page.getByLabel('Access token').fill(server.adminKey)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await story(page)
    expect(wrong).toEqual([])
  } finally {
    await context.close()
  }
}

const readCount = (page: Page, name: string) => page.locator(`.bulk-counts .is-${name} dd`).textContent()

describe.each(sample([true, false]))('With JavaScript: %p', (javaScriptEnabled) => {
  test(
    'thirty drafts are ticked, published, and made drafts again',
    () =>
      tell({ javaScriptEnabled }, async (page) => {
        await createDrafts(31)
        await page.goto(`/edit/list?${toList()}&state=2&ordering=id`)
        const boxes = page.locator('input[name=id]')
        expect(await boxes.count()).toBe(31)
        for (let i = 0; i < 30; i++) await boxes.nth(i).check()
        await page.getByRole('button', { name: 'Publish' }).click()
        expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Preview of the change')
        expect(await readCount(page, 'willChange')).toBe('30')
        expect(await listValues('state')).toEqual(['2'])
        await page.getByLabel('Reason').fill('All checked')
        await page.getByRole('button', { name: 'Publish 30 talks' }).click()
        await page.waitForURL(/\/edit\/batches\/\d+\?done=1&/)
        expect((await listValues('state')).toSorted()).toEqual(['1', '2'])
        await page.getByRole('button', { name: /^Undo/ }).click()
        await page.getByText('Undone: 30 talks restored.').waitFor()
        expect(await listValues('state')).toEqual(['2'])
        await page.getByRole('link', { name: 'Back to the work list' }).click()
        await page.waitForURL('**/edit/list?**')
        expect(await boxes.count()).toBe(31)
      }),
    testTimeoutMs,
  )

  test(
    'a form is filled in, previewed, corrected and applied to a whole list',
    () =>
      tell({ javaScriptEnabled, viewport: { width: 360, height: 740 } }, async (page) => {
        await createDrafts(3)
        await page.goto(`/edit/bulk?list=${encodeURIComponent(`${toList()}&ordering=title`)}`)
        await page.getByText('3 talks selected.').waitFor()
        await page.locator('#field-language').fill('Germann')
        const toAdd = page.locator(javaScriptEnabled ? '#field-tags-to-add-add' : '#field-tags-to-add')
        await toAdd.fill('sea')
        await page.getByLabel('Clear: Notes for curators').focus()
        await page.getByLabel('Clear: Notes for curators').check()
        await page.getByRole('button', { name: 'Preview' }).click()
        expect(await page.locator('.error-summary').textContent()).toContain('Language')
        expect(await page.locator('#field-language').inputValue()).toBe('Germann')
        await page.locator('#field-language').fill('German')
        await page.getByRole('button', { name: 'Preview' }).click()
        expect(await readCount(page, 'willChange')).toBe('3')
        await page.getByRole('button', { name: 'Back to the form' }).click()
        expect(await page.locator('#field-language').inputValue()).toBe('German')
        expect(await page.getByLabel('Clear: Notes for curators').isChecked()).toBe(true)
        await page.locator('#field-recorded').fill('2024-05-31')
        await page.getByRole('button', { name: 'Preview' }).click()
        await page.getByRole('button', { name: 'Change 3 talks' }).dblclick()
        await page.waitForURL(/\/edit\/batches\/\d+\?done=1&list=/)
        expect(await listValues('language')).toEqual(['"German"'])
        expect(await listValues('tags')).toEqual(['["sea"]'])
        expect(await listValues('recorded')).toEqual(['"2024-05-31"'])
      }),
    testTimeoutMs,
  )
})

test(
  'A text is cut from the titles of a whole event, after a look at every page of differences',
  () =>
    tell({}, async (page) => {
      await createDrafts(55)
      await page.goto(`/edit/bulk?list=${encodeURIComponent(toList())}`)
      await page.getByLabel('In', { exact: true }).selectOption({ label: 'Title' })
      await page.getByLabel('What to do').selectOption({ label: 'Cut or replace at the start' })
      await page.getByLabel('Text', { exact: true }).fill('Tides, p')
      await page.getByLabel('Replace with').fill('P')
      await page.getByRole('button', { name: 'Preview' }).click()
      await page.getByText('1–50 of 55').first().waitFor()
      await page.getByLabel('Reason').fill('Shorter titles')
      await page.getByRole('button', { name: 'Next' }).first().click()
      await page.getByText('51–55 of 55').first().waitFor()
      expect(await page.getByLabel('Reason').inputValue()).toBe('Shorter titles')
      // Enter makes the change, and does not turn the page.
      await page.getByLabel('Reason').press('Enter')
      await page.waitForURL(/\/edit\/batches\/\d+\?done=1&/)
      expect(await listValues('title')).toContain('"Part 54"')
      await page.getByRole('button', { name: /^Undo/ }).click()
      await page.getByText('Undone: 55 talks restored.').waitFor()
      expect(await listValues('title')).toContain('"Tides, part 54"')
    }),
  testTimeoutMs,
)

describe.each(sample(['light', 'dark'] as const))('In %s colours', (colorScheme) => {
  test(
    'form, errors and preview are accessible and fit a phone',
    () =>
      tell({ colorScheme, viewport: { width: 360, height: 740 } }, async (page) => {
        await createDrafts(7)
        const full = Array.from({ length: 200 }, (_, i) => `tag ${i}`)
        await callApi('POST', 'video', { category: event, title: `Full ${'x'.repeat(240)}`, tags: full })
        const check = async () => {
          expect(await findViolations(page)).toEqual([])
          expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
        }
        await page.goto(`/edit/bulk?list=${encodeURIComponent(toList())}`)
        await page.getByText('More fields').click()
        for (const summary of await page.getByText('Replace or clear').all()) await summary.click()
        await check()
        await page.locator('#field-duration').fill('long')
        await page.getByRole('button', { name: 'Preview' }).click()
        await page.locator('.error-summary').waitFor()
        await check()
        await page.locator('#field-duration').fill('39:07')
        await page.locator('#field-tags-to-add-add').fill('sea')
        await page.locator('#field-description').fill(`${'word '.repeat(300)}${'y'.repeat(300)}`)
        await page.getByRole('button', { name: 'Preview' }).click()
        expect(await readCount(page, 'refused')).toBe('1')
        await check()
        await page.getByRole('button', { name: 'Skip 1 and change 7 talks' }).waitFor()
      }),
    testTimeoutMs,
  )
})

test(
  'A click hits its target, although the list above accepts the typed name at the same time',
  () =>
    tell({ viewport: { width: 1440, height: 900 } }, async (page) => {
      await createDrafts(1)
      await page.goto(`/edit/bulk?list=${encodeURIComponent(toList())}`)
      await page.locator('#field-tags-to-add-add').fill('sea')
      await page.getByLabel('Clear: Licence').click()
      expect(await page.getByLabel('Clear: Licence').isChecked()).toBe(true)
      await page.locator('.name-entries .name', { hasText: 'sea' }).waitFor()
    }),
  testTimeoutMs,
)

test(
  'Hostile texts run nothing on any of the pages',
  () =>
    tell({}, async (page) => {
      const hostile = createHostileRecord('https://collector.example.org')
      const { id } = await callApi('POST', 'video', { ...hostile, state: 2 })
      await page.goto(`/edit/bulk?id=${id}&list=${encodeURIComponent('q="><script>window.pwned=1</script>')}`)
      await page.getByText('1 talk selected.').waitFor()
      await page.locator('#field-category').fill(String(hostile.category))
      await page.locator('#field-whiteboard').fill('"><img src=x onerror=window.pwned=1>')
      await page.getByLabel('Reason').fill('</script><script>window.pwned=1</script>')
      await page.getByRole('button', { name: 'Preview' }).click()
      expect(await readCount(page, 'willChange')).toBe('1')
      expect(await page.evaluate('window.pwned')).toBeUndefined()
      await page.getByRole('button', { name: 'Back to the form' }).click()
      await page.locator('#field-language').waitFor()
      expect(await page.evaluate('window.pwned')).toBeUndefined()
    }),
  testTimeoutMs,
)
