import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { type Server, startServer } from '../harness/server.ts'
import { launchChromium } from './chromium.ts'

// Runner: long checkout, slow (it bundles the page itself)

// Installing a browser where there is none takes minutes.
const startTimeoutMs = 300_000

let server: Server
let browser: Browser

beforeAll(async () => {
  browser = await launchChromium()
  server = await startServer({ args: ['--threads', '2', '--sample'] })
}, startTimeoutMs)

afterAll(async () => {
  await browser?.close()
  await server?.kill9()
})

const screens = [
  { name: 'a desktop', width: 1280, height: 900 },
  { name: 'a phone', width: 390, height: 844 },
]

for (const { name, width, height } of screens) {
  test(`the reference on ${name} shows every operation and tries one, without other hosts and without errors`, async () => {
    await visit({ width, height }, async (page, seen) => {
      await page.goto(`${server.url}/api/docs`)
      await page.waitForSelector('#getVideo')
      expect(await readOperations(page)).toEqual(await readDescribed())
      expect(await fits(page)).toBe(true)
      await page.click('#getVideo > summary')
      await page.click('#getVideo button[type=submit]')
      await page.waitForSelector('#getVideo .answer pre')
      expect(await page.textContent('#getVideo .answer strong')).toStartWith('200')
      const shown: unknown = JSON.parse((await page.textContent('#getVideo .answer pre')) ?? '')
      expect(shown).toEqual(await readJson('/api/v2/video/1'))
      expect(await fits(page)).toBe(true)
      expect(seen.complaints).toEqual([])
      expect(seen.requests.filter((url) => !url.startsWith(`${server.url}/`))).toEqual([])
    })
  }, 180_000)
}

test('a request with a token changes a record, and the token is not stored', async () => {
  await visit({}, async (page, seen) => {
    await page.goto(`${server.url}/api/docs/#changeVideo`)
    await page.fill('#key', server.adminKey)
    await page.selectOption('#changeVideo-dry_run', '')
    await page.fill('#changeVideo textarea', '{"whiteboard": "<img src=x onerror=alert(1)>"}')
    await page.click('#changeVideo button[type=submit]')
    await page.waitForSelector('#changeVideo .answer pre')
    expect(await page.textContent('#changeVideo .answer strong')).toStartWith('200')
    expect(await readJson('/api/v2/video/1')).toMatchObject({ whiteboard: '<img src=x onerror=alert(1)>' })
    expect(await page.$$('main img')).toEqual([])
    const kept: string = await page.evaluate(
      'JSON.stringify([localStorage, sessionStorage, document.cookie, location])',
    )
    expect(kept).not.toContain(server.adminKey)
    await page.reload()
    expect(await page.inputValue('#key')).toBe('')
    expect(seen.complaints).toEqual([])
  })
}, 180_000)

test('the target of a link is open', async () => {
  await visit({}, async (page) => {
    await page.goto(`${server.url}/api/docs#schema-VideoRecord`)
    await page.waitForSelector('#schema-VideoRecord[open]')
    expect(await page.$$('#schema-VideoRecord tr')).toHaveLength(32)
  })
}, 180_000)

test('the files of the page may be cached for ever, the page itself is revalidated', async () => {
  const html = await fetch(`${server.url}/api/docs`)
  const names = [...(await html.text()).matchAll(/(?:href|src)="(\/api\/docs\/[^"]+)"/g)].map(([, name]) => name)
  expect(names).toHaveLength(3)
  for (const name of names) {
    const file = await fetch(`${server.url}${name}`)
    expect([file.status, file.headers.get('Cache-Control')]).toEqual([200, 'public, max-age=31536000, immutable'])
  }
  const headers = { 'If-None-Match': html.headers.get('ETag') ?? '' }
  expect((await fetch(`${server.url}/api/docs`, { headers })).status).toBe(304)
  expect(html.headers.get('Content-Security-Policy')).not.toContain('unsafe')
  expect((await fetch(`${server.url}/api/docs/page.js`)).status).toBe(404)
})

test('the client works in a page of another site', async () => {
  const entry = join(import.meta.dir, '../../src/client/client.ts')
  const built = await Bun.build({ entrypoints: [entry], target: 'browser' })
  const script = (await built.outputs[0]?.text()) ?? ''
  const site = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request) =>
      request.url.endsWith('/client.js')
        ? new Response(script, { headers: { 'Content-Type': 'text/javascript' } })
        : new Response('<!doctype html><title>Another site</title>', { headers: { 'Content-Type': 'text/html' } }),
  })
  try {
    await visit({}, async (page) => {
      await page.goto(`http://127.0.0.1:${site.port}/`)
      const seen = await page.evaluate(`import('/client.js').then(async ({ createClient }) => {
        const client = createClient({ baseUrl: '${server.url}', token: '${server.adminKey}' })
        const changed = await client.update(2, ({ tags }) => ({ tags: [...tags, 'from a page'] }))
        return { tag: changed.etag, tags: changed.value.tags }
      })`)
      expect(seen).toEqual({ tag: expect.stringMatching(/^"2-/), tags: expect.arrayContaining(['from a page']) })
    })
  } finally {
    await site.stop(true)
  }
}, 180_000)

interface Seen {
  readonly requests: string[]
  readonly complaints: string[]
}

/** Opens an empty profile and remembers what was asked for and complained about. */
async function visit(viewport: { width?: number; height?: number }, look: (page: Page, seen: Seen) => Promise<void>) {
  const { width = 1280, height = 900 } = viewport
  const context = await browser.newContext({ viewport: { width, height } })
  try {
    const page = await context.newPage()
    const seen: Seen = { requests: [], complaints: [] }
    context.on('request', (request) => seen.requests.push(request.url()))
    page.on('console', (message) => seen.complaints.push(message.text()))
    page.on('pageerror', (error) => seen.complaints.push(error.message))
    await page.addInitScript(`addEventListener('securitypolicyviolation', (event) => {
      console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI)
    })`)
    await look(page, seen)
  } finally {
    await context.close()
  }
}

async function readOperations(page: Page): Promise<string[]> {
  const ids: string[] = await page.evaluate(
    '[...document.querySelectorAll("details.operation")].map((one) => one.id).filter((id) => !id.startsWith("schema-"))',
  )
  return ids.sort()
}

async function readDescribed(): Promise<string[]> {
  const text = await (await fetch(`${server.url}/api/v2/openapi.json`)).text()
  const ids = [...text.matchAll(/"operationId":"(\w+)"/g)].map(([, id = '']) => id)
  return ids.filter((id) => !id.endsWith('Head')).sort()
}

async function readJson(path: string): Promise<unknown> {
  return (await fetch(`${server.url}${path}`, { headers: { Accept: 'application/json' } })).json()
}

/** Nothing sticks out to the side. */
async function fits(page: Page): Promise<boolean> {
  return page.evaluate('document.documentElement.scrollWidth <= innerWidth')
}
