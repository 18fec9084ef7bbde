import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { type Server, startServer } from '../harness/server.ts'
import { until } from '../harness/until.ts'
import { launchChromium } from './chromium.ts'
import { createHostileMarkup, createHostileRecord } from './hostile-markup.ts'

// Runner: long, slow

// Installing a browser where there is none takes minutes.
const startTimeoutMs = 300_000

// What acts by itself does so in this time; the control below shows that it is enough.
const settleMs = 1_000

let server: Server
let browser: Browser
let collector: ReturnType<typeof startCollector>
let record: unknown
let path: string

beforeAll(async () => {
  browser = await launchChromium()
  server = await startServer()
  collector = startCollector()
  const response = await fetch(`${server.url}/api/v2/video`, {
    method: 'POST',
    headers: { Authorization: `Token ${server.adminKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(createHostileRecord(collector.url)),
  })
  const text = await response.text()
  expect({ status: response.status, text }).toMatchObject({ status: 201 })
  record = JSON.parse(text)
  path = `/api/v2/video/${JSON.parse(text).id}`
}, startTimeoutMs)

afterAll(async () => {
  await browser?.close()
  await server?.stop()
  await collector?.stop()
})

const representations = [
  { query: '', type: 'text/html; charset=utf-8', elements: ['body', 'head', 'html'] },
  // The browser wraps plain JSON into a page of its own.
  { query: '?format=json', type: 'application/json', elements: ['body', 'div', 'head', 'html', 'meta', 'pre'] },
]

for (const { query, type, elements } of representations) {
  test(`a record full of markup is inert text in a browser that reads it as ${type}`, async () => {
    collector.hits.length = 0
    const seen = await visit(server.url + path + query)
    expect(seen.type).toBe(type)
    expect(seen.ran).toEqual([])
    expect(seen.requests.filter((url) => url !== `${server.url}/favicon.ico`)).toEqual([server.url + path + query])
    expect(collector.hits).toEqual([])
    expect(seen.elements.filter((name) => !elements.includes(name))).toEqual([])
    expect(JSON.parse(seen.text)).toEqual(record)
  }, 180_000)
}

test('the same markup runs if it is served unescaped', async () => {
  const loads = ['/script.js', '/refresh', '/import.css']
  const markup = createHostileMarkup(collector.url)
  const [acting = '', ...loading] = [markup[0], ...loads.map((path) => markup.find((text) => text.includes(path)))]
  collector.hits.length = 0
  const seen = await visit(collector.serve(acting))
  expect(seen.ran).toContain('window.pwned is 1')
  expect(seen.ran).toContain('dialog 1')
  expect(seen.elements).toContain('script')
  for (const [i, text] of loading.entries()) await load(collector.serve(text ?? ''), loads[i] ?? '')
  expect(collector.hits).toEqual(expect.arrayContaining(['/act', ...loads]))
}, 180_000)

/** Opens a page, which may lead away at once, until it has loaded something. */
async function load(url: string, loaded: string): Promise<void> {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await page.goto(url, { waitUntil: 'commit' })
    await until(`the page loads ${loaded}`, async () => collector.hits.includes(loaded))
  } finally {
    await context.close()
  }
}

/** Opens the address on an empty profile and tells everything that happened. */
async function visit(url: string) {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    const ran: string[] = []
    const requests: string[] = []
    context.on('request', (request) => requests.push(request.url()))
    context.on('page', (other) => ran.push(`opened ${other.url()}`))
    page.on('console', (message) => ran.push(`console ${message.text()}`))
    page.on('pageerror', (error) => ran.push(`error ${error.message}`))
    page.on('dialog', async (dialog) => {
      ran.push(`dialog ${dialog.message()}`)
      await dialog.dismiss()
    })
    const response = await page.goto(url)
    await Bun.sleep(settleMs)
    const pwned: unknown = await page.evaluate('window.pwned')
    if (pwned !== undefined) ran.push(`window.pwned is ${pwned}`)
    const elements: string[] = await page.evaluate('[...document.querySelectorAll("*")].map((one) => one.localName)')
    const text: string = await page.evaluate('(document.querySelector("pre") ?? document.body).textContent')
    return { type: response?.headers()['content-type'], ran, requests, elements, text }
  } finally {
    await context.close()
  }
}

/** A server of ours in the part of the attacker's: it remembers every address that was asked for. */
function startCollector() {
  const hits: string[] = []
  let page = ''
  const listener = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    development: false,
    fetch(request) {
      const { pathname } = new URL(request.url)
      if (pathname === '/page') return new Response(page, { headers: { 'Content-Type': 'text/html; charset=utf-8' } })
      if (pathname !== '/favicon.ico') hits.push(pathname)
      return new Response('window.pwned = 1', { headers: { 'Content-Type': 'text/javascript' } })
    },
  })
  const url = `http://127.0.0.1:${listener.port}`
  const serve = (markup: string) => {
    page = markup
    return `${url}/page`
  }
  return { url, hits, serve, stop: () => listener.stop(true) }
}
