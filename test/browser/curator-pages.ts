import { afterAll, beforeAll, expect } from 'bun:test'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { type Server, startServer } from '../harness/server.ts'
import { launchChromium } from './chromium.ts'

// Installing a browser where there is none takes minutes.
const startTimeoutMs = 300_000
export const testTimeoutMs = 180_000

type TalkFields = Readonly<Record<string, unknown>>

/** A curator's browser on an empty profile. */
interface CuratorBrowser {
  readonly context: BrowserContext
  readonly page: Page
  /** Errors of scripts, and requests for other hosts, which are not answered. */
  readonly wrong: string[]
}

/** A service with the sample, and browsers whose curators are signed in. */
export function useCuratorPages() {
  let server: Server | null = null
  let browser: Browser | null = null
  const found = <T>(value: T | null): T => value ?? fail()
  const contexts: BrowserContext[] = []

  beforeAll(async () => {
    browser = await launchChromium()
    server = await startServer({ args: ['--threads', '2', '--sample', '--thumbnails', 'off'] })
  }, startTimeoutMs)
  afterAll(async () => {
    for (const context of contexts) await context.close()
    await browser?.close()
    await server?.kill9()
  })

  async function start(options: BrowserContextOptions = {}): Promise<CuratorBrowser> {
    const { url } = found(server)
    const context = await found(browser).newContext({ baseURL: url, reducedMotion: 'reduce', ...options })
    contexts.push(context)
    const wrong: string[] = []
    await context.route(
      (each) => !each.href.startsWith(url),
      (route) => {
        wrong.push(route.request().url())
        return route.abort()
      },
    )
    const page = await context.newPage()
    page.on('pageerror', (error) => wrong.push(String(error)))
    return { context, page, wrong }
  }

  /** Signs in, and opens a page. */
  async function open(path: string, options: BrowserContextOptions = {}): Promise<CuratorBrowser> {
    const started = await start(options)
    await started.page.goto(`/edit/sign-in?next=${encodeURIComponent(path)}`)
    await started.page.getByLabel('Access token').fill(found(server).adminKey)
    await started.page.getByRole('button', { name: 'Sign in' }).click()
    await started.page.waitForURL(`**${path}`)
    return started
  }

  async function call(method: string, path: string, body?: unknown): Promise<TalkFields> {
    const response = await fetch(`${found(server).url}/api/v2/${path}`, {
      method,
      headers: { Authorization: `Token ${found(server).adminKey}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    expect({ ok: response.ok, text }).toMatchObject({ ok: true })
    return JSON.parse(text)
  }

  return {
    start,
    open,
    create: (fields: TalkFields) => call('POST', 'video', { category: 'Pond Days', title: 'A talk', ...fields }),
    read: (id: unknown) => call('GET', `video/${id}?format=json`),
    server: () => found(server),
    path: (page: Page) => page.url().slice(found(server).url.length),
  }
}

function fail(): never {
  throw new Error('The tests have not started')
}
