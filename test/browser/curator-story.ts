import { afterAll, beforeAll, expect } from 'bun:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { isLong } from '../harness/runs.ts'
import { type Server, startServer } from '../harness/server.ts'
import { findViolations } from './axe.ts'
import { describePage, launchChromium } from './chromium.ts'

// Installing a browser where there is none takes minutes.
const startTimeoutMs = 300_000

/** The keys under which a page keeps unsaved texts; the other one says that somebody has signed in. */
export const keptTexts = 'Object.keys(localStorage).filter((key) => key !== "rostrum:curator")'

interface CuratorStories {
  server(): Server
  /** Runs a story in browsers of their own, which share nothing; fails if a page complains. */
  tell(isScripted: boolean, count: number, story: (...pages: Page[]) => Promise<void>): Promise<void>
  /** Fills in the sign-in form. */
  fillIn(page: Page, key?: string): Promise<void>
  /** Opens a page as somebody who is signed in. */
  enter(page: Page, path: string, key?: string): Promise<void>
  path(page: Page): string
  /** Makes a record through the API and returns its id. */
  create(fields: Readonly<Record<string, unknown>>): Promise<number>
  read(id: number): Promise<Record<string, unknown>>
  /** Expects that the page fits a phone and a desktop. */
  checkWidths(page: Page): Promise<void>
  /** The same, without violations on the desktop; in `npm run test:long` on both. */
  check(page: Page): Promise<void>
}

/** Starts a browser and a server for the stories of a file. */
export function useCuratorStories(args: readonly string[] = []): CuratorStories {
  let started: Server
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
    started = await startServer({ args: ['--threads', '2', '--thumbnails', 'off', ...args] })
  }, startTimeoutMs)
  afterAll(async () => {
    await browser?.close()
    await started?.kill9()
  })

  async function tell(isScripted: boolean, count: number, story: (...pages: Page[]) => Promise<void>): Promise<void> {
    const contexts: BrowserContext[] = []
    const wrong: string[] = []
    const pages: Page[] = []
    try {
      for (let i = 0; i < count; i++) {
        const context = await browser.newContext({ baseURL: started.url, javaScriptEnabled: isScripted })
        contexts.push(context)
        const page = await context.newPage()
        page.on('pageerror', (error) => wrong.push(String(error)))
        page.on('request', (request) => request.url().startsWith(started.url) || wrong.push(request.url()))
        pages.push(page)
      }
      await story(...pages)
      expect(wrong).toEqual([])
    } catch (error) {
      const described = await Promise.all(pages.map(describePage))
      throw new Error([String(error), ...described].join('\nThe page: '))
    } finally {
      for (const context of contexts) await context.close()
    }
  }

  async function fillIn(page: Page, key = started.adminKey): Promise<void> {
    await page.getByLabel('Access token').fill(key)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }

  async function ask(method: string, address: string, body?: unknown): Promise<Record<string, unknown>> {
    const headers = { Authorization: `Token ${started.adminKey}`, 'Content-Type': 'application/json' }
    const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) }
    const answer = await fetch(`${started.url}/api/v2/${address}`, init)
    if (!answer.ok) throw new Error(`${method} ${address}: ${answer.status}`)
    return JSON.parse(await answer.text())
  }

  const path = (page: Page) => page.url().slice(started.url.length)

  async function checkWidths(page: Page, checkWidth: (width: number) => Promise<void>): Promise<void> {
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      await checkWidth(width)
      const widest = await page.evaluate('document.documentElement.scrollWidth')
      expect([path(page), widest]).toEqual([path(page), width])
    }
  }

  return {
    server: () => started,
    ...{ tell, fillIn, path },
    async enter(page, address, key) {
      await page.goto(address)
      await fillIn(page, key)
    },
    create: async (fields) => Number((await ask('POST', 'video', { category: 'Harbour 2024', ...fields })).id),
    read: (id) => ask('GET', `video/${id}`),
    checkWidths: (page) => checkWidths(page, () => Promise.resolve()),
    check: (page) =>
      checkWidths(page, async (width) => {
        if (!isLong && width !== 1280) return
        expect([path(page), width, await findViolations(page)]).toEqual([path(page), width, []])
      }),
  }
}
