import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { editRows, toEditAddress } from '../contract/edit-table.ts'
import { type HostileSite, startHostileSite } from '../site/hostile-archive.ts'
import { launchChromium } from './chromium.ts'

// Runner: long, slow

// Installing a browser where there is none takes minutes.
const startTimeoutMs = 300_000
// What acts by itself does so in this time, as in hostile-pages.test.ts.
const settleMs = 250

let browser: Browser
let site: HostileSite
let page: Page
let batch = 0
let slug = ''
const noticed: string[] = []

beforeAll(async () => {
  browser = await launchChromium()
  site = await startHostileSite('http://127.0.0.1:9', ['--thumbnails', 'off'])
  batch = await changeAll()
  slug = (await call('category')).results[0].slug
  const context = await browser.newContext({ baseURL: site.server.url, viewport: { width: 360, height: 800 } })
  page = await context.newPage()
  page.on('request', (request) => request.url().startsWith(`${site.server.url}/`) || noticed.push(request.url()))
  page.on('pageerror', (error) => noticed.push(`error ${error.message}`))
  page.on('dialog', async (dialog) => {
    noticed.push(`dialog ${dialog.message()}`)
    await dialog.dismiss()
  })
  context.on('page', (other) => noticed.push(`opened ${other.url()}`))
  await page.goto('/edit/sign-in')
  await page.getByLabel('Access token').fill(site.server.adminKey)
  await page.getByRole('button', { name: 'Sign in' }).click()
}, startTimeoutMs)
afterAll(async () => {
  await browser?.close()
  await site?.stop()
})

/** Calls the API as the admin. */
async function call(path: string, json?: unknown) {
  const headers = { Authorization: `Token ${site.server.adminKey}`, 'Content-Type': 'application/json' }
  const init = json === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(json) }
  return JSON.parse(await (await fetch(`${site.server.url}/api/v2/${path}`, init)).text())
}

/** A batch of all talks, with a hostile value and a hostile reason. */
async function changeAll(): Promise<number> {
  const hostile = '"><img src=x onerror=window.pwned=1>'
  const ids = site.talks.map(({ id }) => id)
  return (await call('batches', { select: { ids }, patch: { whiteboard: hostile }, reason: hostile })).id
}

const paths = editRows.filter(({ method, path }) => method === 'GET' && !path.endsWith('.csv')).map(({ path }) => path)

function toAddresses(path: string): readonly string[] {
  const ids = path === '/edit/batches/:id' ? [batch] : path.includes('/video/') ? site.talks.map(({ id }) => id) : [1]
  const query = { '/edit/list': 'state=1', '/edit/bulk': 'list=state%3D1', '/edit/video/:id/compare': 'from=1&to=2' }[
    path
  ]
  return ids.map((id) => `${toEditAddress(path.replace(':slug', slug), id)}${query === undefined ? '' : `?${query}`}`)
}

describe('Pages for curators about hostile talks run nothing, load nothing from elsewhere and fit on a phone:', () => {
  test.each(paths)(
    '%s',
    async (path) => {
      for (const address of toAddresses(path)) {
        noticed.length = 0
        expect([address, (await page.goto(address))?.status()]).toEqual([address, 200])
        await Bun.sleep(settleMs)
        expect([address, noticed, await page.evaluate('window.pwned')]).toEqual([address, [], undefined])
        expect([address, new URL(page.url()).pathname]).toEqual([address, address.replace(/\?.*/, '')])
        const wide = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))
        expect([address, wide > 0 ? await page.evaluate(findWide) : '']).toEqual([address, ''])
      }
    },
    180_000,
  )
})

const findWide = `[...document.querySelectorAll('body *')].filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
  .slice(-3).map((each) => each.localName + '.' + each.className).join(', ')`
