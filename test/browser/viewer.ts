import { afterAll, beforeAll, beforeEach, expect } from 'bun:test'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { type Server, startServer } from '../harness/server.ts'
import { until } from '../harness/until.ts'
import { launchChromium } from './chromium.ts'
import { startMediaServer } from './media-server.ts'

// Installing a browser where there is none takes minutes.
const startTimeoutMs = 300_000
export const testTimeoutMs = 180_000

interface Running {
  readonly server: Server
  readonly browser: Browser
  readonly media: Awaited<ReturnType<typeof startMediaServer>>
}

interface Visit {
  readonly context: BrowserContext
  readonly page: Page
  /** Requests for other origins than the site and the media. */
  readonly foreign: string[]
}

/** A site, a server of media and, for each test, a browser on an empty profile. */
export function useViewer() {
  let running: Running | null = null
  let visit: Visit | null = null
  const found = <T>(value: T | null): T => value ?? fail()

  beforeAll(async () => {
    running = { browser: await launchChromium(), server: await startServer(), media: await startMediaServer() }
  }, startTimeoutMs)
  afterAll(async () => {
    await running?.browser.close()
    await running?.server.stop()
    running?.media.stop()
  })
  beforeEach(() => open(), testTimeoutMs)

  /** Starts again with another profile. */
  async function open(options: BrowserContextOptions = {}): Promise<void> {
    await visit?.context.close()
    const { browser, server, media } = found(running)
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'], ...options })
    const foreign = await answerForOthers(context, [server.url, media.url])
    visit = { context, page: await context.newPage(), foreign }
    media.requests.length = 0
  }

  /** Writes to the API; returns the address of the record's page. */
  async function send(method: string, path: string, fields: Readonly<Record<string, unknown>>): Promise<string> {
    const { server } = found(running)
    const response = await fetch(`${server.url}/api/v2/${path}`, {
      method,
      headers: { Authorization: `Token ${server.adminKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(fields),
    })
    const text = await response.text()
    expect({ status: response.status, text }).toMatchObject({ status: method === 'POST' ? 201 : 200 })
    const { id, slug } = JSON.parse(text)
    return `${server.url}/video/${id}/${slug}`
  }

  /** Makes a live record and gives the address of its page. */
  const create = (fields: Readonly<Record<string, unknown>>) =>
    send('POST', 'video', { category: 'Watched', title: 'A talk', state: 1, ...fields })

  const withdraw = (url: string) => send('PATCH', `video/${/video\/(\d+)/.exec(url)?.[1]}`, { state: 2 })

  /** Waits until an expression is true in the page, whose policy lets no function of ours wait there. */
  async function waitFor(expression: string): Promise<void> {
    await until(expression, async () => (await found(visit).page.evaluate(expression)) === true)
  }

  return {
    open,
    send,
    create,
    withdraw,
    waitFor,
    page: () => found(visit).page,
    foreign: () => found(visit).foreign,
    media: () => found(running).media,
  }
}

function fail(): never {
  throw new Error('The tests have not started')
}

/** Other hosts answer with an empty page, and with pictures of two sizes. Returns the list of what is asked of them. */
async function answerForOthers(context: BrowserContext, own: readonly string[]): Promise<string[]> {
  const foreign: string[] = []
  await context.route('**/*', async (route) => {
    const url = route.request().url()
    if (own.some((origin) => url.startsWith(origin))) return await route.continue()
    foreign.push(url)
    const size = url.includes('/none/') ? 'width="120" height="90"' : 'width="480" height="360"'
    const image = {
      status: 404,
      contentType: 'image/svg+xml',
      body: `<svg xmlns="http://www.w3.org/2000/svg" ${size}/>`,
    }
    const html = { contentType: 'text/html', body: '<title>a player</title>' }
    return await route.fulfill(route.request().resourceType() === 'image' ? image : html)
  })
  return foreign
}
