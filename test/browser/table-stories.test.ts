import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { sample } from '../harness/runs.ts'
import { type Server, startServer } from '../harness/server.ts'
import { findViolations } from './axe.ts'
import { launchChromium } from './chromium.ts'

// Runner: long, slow

const testTimeoutMs = 180_000
let server: Server
let browser: Browser

beforeAll(async () => {
  browser = await launchChromium()
  server = await startServer({ args: ['--threads', '2', '--thumbnails', 'off'] })
}, 300_000)
afterAll(async () => {
  await browser?.close()
  await server?.kill9()
})

async function tell(javaScriptEnabled: boolean, width: number, story: (page: Page) => Promise<void>): Promise<void> {
  const viewport = { width, height: 800 }
  const context = await browser.newContext({ baseURL: server.url, javaScriptEnabled, viewport, acceptDownloads: true })
  try {
    const page = await context.newPage()
    await page.goto('/edit/sign-in')
    await page.getByLabel('Access token').fill(server.adminKey)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await story(page)
  } finally {
    await context.close()
  }
}

async function list(
  query: string,
): Promise<{ readonly count: number; readonly results: readonly Record<string, unknown>[] }> {
  const headers = { Authorization: `Token ${server.adminKey}` }
  return JSON.parse(await (await fetch(`${server.url}/api/v2/video?page_size=100&${query}`, { headers })).text())
}

async function check(page: Page): Promise<void> {
  expect(await findViolations(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
}

/** With scripts on a wide window, without them, and on a phone. */
const visits = [
  { name: 'in a browser', scripts: true, width: 1280 },
  { name: 'on a phone', scripts: true, width: 390 },
  { name: 'without scripts', scripts: false, width: 1280 },
]

describe.each(sample(visits))('A curator $name', ({ name, scripts, width }) => {
  const event = `Harbour Days ${name}`

  test(
    'adds an event of thirty talks from a pasted table',
    () =>
      tell(scripts, width, async (page) => {
        await page.goto('/edit/new')
        await page.getByRole('link', { name: 'add several talks' }).click()
        const rows = Array.from(
          { length: 30 },
          (_, i) => `Tides, part ${i}\tAda Quill; Bo Marsh\t01.05.2026\tHall ${i % 3}`,
        )
        await page.getByLabel('Paste a table').fill(['Title\tSpeaker(s)\tDay\tRoom', ...rows].join('\n'))
        await page.getByLabel('Event of new talks').fill(event)
        if (scripts) await check(page)
        await page.getByRole('button', { name: 'Preview' }).click()
        await page.getByLabel('Meaning of “Room”').selectOption('Notes for curators')
        if (scripts) await check(page)
        await page.getByRole('button', { name: 'Preview' }).click()
        await page.getByRole('heading', { name: 'Preview of the table' }).waitFor()
        if (scripts) await check(page)
        await page.getByRole('button', { name: `Create 30 drafts in ${event}` }).click()
        await page.waitForURL('**/edit/batches/*')
        const { count, results } = await list(`category=${encodeURIComponent(event)}`)
        expect(count).toBe(30)
        await page.getByRole('button', { name: 'Publish these 30 drafts …' }).click()
        await page.getByRole('button', { name: 'Publish 30 talks' }).waitFor()
        expect(results[0]).toMatchObject({ state: 2, speakers: ['Ada Quill', 'Bo Marsh'], recorded: '2026-05-01' })
      }),
    testTimeoutMs,
  )

  test(
    'downloads the list, changes two cells, uploads it, and undoes it',
    () =>
      tell(scripts, width, async (page) => {
        const query = `category=${encodeURIComponent(event)}`
        await page.goto(`/edit/list?${query}`)
        const waiting = page.waitForEvent('download')
        await page.getByRole('link', { name: 'Download as CSV' }).click()
        const csv = readFileSync(await (await waiting).path(), 'utf8')
        const changed = csv.replace('"Tides, part 3"', '"Currents"').replace('"Hall 1"', '"Hall 7"')
        await page.getByRole('link', { name: 'Upload' }).click()
        const file = { name: 'talks.csv', mimeType: 'text/csv', buffer: Buffer.from(changed) }
        await page.getByLabel('Or choose a CSV file').setInputFiles(file)
        await page.getByRole('button', { name: 'Preview' }).click()
        await page.getByText('Currents').waitFor()
        expect(await page.locator('.table-rows tbody tr').count()).toBe(2)
        await page.getByRole('button', { name: 'Change 2 talks' }).click()
        await page.waitForURL('**/edit/batches/*')
        expect((await list(`${query}&q=currents`)).count).toBe(1)
        await page.getByRole('button', { name: /^Undo/ }).first().click()
        await page.waitForURL('**/edit/batches/*')
        expect((await list(`${query}&q=currents`)).count).toBe(0)
      }),
    testTimeoutMs,
  )
})
