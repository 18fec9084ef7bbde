import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { isLong, sample } from '../harness/runs.ts'
import { type Server, startServer } from '../harness/server.ts'
import { findViolations } from './axe.ts'
import { launchChromium } from './chromium.ts'
import { createHostileMarkup } from './hostile-markup.ts'

// Runner: long, slow, one engine

// Installing a browser where there is none takes minutes.
const startTimeoutMs = 300_000
const testTimeoutMs = 120_000

let server: Server
let browser: Browser

beforeAll(async () => {
  browser = await launchChromium()
  server = await startServer({ args: ['--threads', '1', '--thumbnails', 'off'] })
}, startTimeoutMs)

afterAll(async () => {
  await browser?.close()
  await server?.kill9()
})

async function create(fields: Readonly<Record<string, unknown>>): Promise<number> {
  const response = await fetch(`${server.url}/api/v2/video`, {
    method: 'POST',
    headers: { Authorization: `Token ${server.adminKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ category: 'Harbour 2024', title: 'A talk', state: 1, ...fields }),
  })
  // What the API answers.
  const made = (await response.json()) as { readonly id?: number }
  expect([response.status, made]).toMatchObject([201, {}])
  return made.id ?? 0
}

async function readSpeakers(id: number): Promise<unknown> {
  const response = await fetch(`${server.url}/api/v2/video/${id}?format=json`)
  // As above.
  const record = (await response.json()) as { readonly speakers?: unknown }
  return record.speakers
}

interface Look {
  readonly isScripted?: boolean
  readonly width?: number
  readonly scheme?: 'light' | 'dark'
}

/** Signs in and runs a story in a browser of its own; fails if a page complains. */
async function tell({ isScripted = true, width = 1280, scheme = 'light' }: Look, story: (page: Page) => Promise<void>) {
  const context = await browser.newContext({
    baseURL: server.url,
    javaScriptEnabled: isScripted,
    viewport: { width, height: 900 },
    colorScheme: scheme,
  })
  const wrong: string[] = []
  try {
    const page = await context.newPage()
    page.on('pageerror', (error) => wrong.push(String(error)))
    page.on('dialog', (dialog) => wrong.push(dialog.message()))
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

const groupOf = (page: Page, name: string) =>
  page.locator('.variant-group').filter({ has: page.getByRole('link', { name, exact: true }) })

describe.each(sample([true, false]))('With JavaScript: %p', (isScripted) => {
  const toOwn = (name: string) => `${name} ${isScripted ? 'with' : 'without'}`

  test(
    'a curator merges two speakers, and everything is as before after the undo',
    () =>
      tell({ isScripted }, async (page) => {
        const [from, into] = [toOwn('Anna Tide'), toOwn('Ann Tide')]
        const both = await create({ speakers: [from, 'Ben Stone', into] })
        const one = await create({ speakers: [from] })
        await page.getByRole('link', { name: 'Names' }).click()
        await page.getByRole('searchbox').fill(from)
        await page.getByRole('button', { name: 'Search', exact: true }).click()
        await page.getByRole('link', { name: from }).click()
        await page.getByLabel('Merge into', { exact: true }).fill(into)
        await page.locator('.name-form').nth(1).getByRole('button', { name: 'Preview' }).click()
        expect(await page.locator('main').textContent()).toContain('2 talks change')
        await page.getByRole('button', { name: 'Merge and update 2 talks' }).click()
        expect(page.url()).toMatch(/\/edit\/batches\/\d+\?done=1$/)
        expect([await readSpeakers(both), await readSpeakers(one)]).toEqual([[into, 'Ben Stone'], [into]])
        await page.getByRole('button', { name: /^Undo/ }).first().click()
        expect(await readSpeakers(both)).toEqual([from, 'Ben Stone', into])
        expect(await readSpeakers(one)).toEqual([from])
        await page.goto(`/edit/names/speaker?q=${encodeURIComponent(from)}`)
        expect(await page.getByRole('link', { name: from }).count()).toBe(1)
      }),
    testTimeoutMs,
  )

  test(
    'a curator marks variants as different, and undoes it; merges others, and undoes that',
    () =>
      tell({ isScripted }, async (page) => {
        const [upper, lower] = [toOwn('Cora Quay'), toOwn('cora quay')]
        const id = await create({ speakers: [upper] })
        await create({ speakers: [upper, lower] })
        const other = await create({ speakers: [lower] })
        await page.goto('/edit/variants/speaker')
        await groupOf(page, upper).getByRole('button', { name: 'Not the same' }).click()
        expect(await groupOf(page, upper).count()).toBe(0)
        await page.getByRole('button', { name: 'Undo' }).click()
        expect(await groupOf(page, upper).count()).toBe(1)
        await groupOf(page, upper)
          .getByRole('radio', { name: `Keep ${lower}`, exact: true })
          .check()
        await groupOf(page, upper).getByRole('button', { name: 'Merge', exact: true }).click()
        expect(await page.getByRole('status').first().textContent()).toContain(
          `Merged into “${lower}”: 2 talks changed.`,
        )
        expect(await readSpeakers(id)).toEqual([lower])
        await page.getByRole('button', { name: 'Undo' }).click()
        expect(await groupOf(page, upper).count()).toBe(1)
        expect([await readSpeakers(id), await readSpeakers(other)]).toEqual([[upper], [lower]])
      }),
    testTimeoutMs,
  )
})

describe.each(sample([false, true]))('All groups of a page, with JavaScript: %p', (isScripted) => {
  test(
    'are merged as ticked and chosen, after a preview, and restored together',
    () =>
      tell({ isScripted }, async (page) => {
        const name = (first: string) => `${first} Jetty ${isScripted ? 'with a script' : 'without one'}`
        const [kept, left] = [name('Hal'), name('Ida')]
        const one = await create({ speakers: [kept, kept.toUpperCase()] })
        const other = await create({ speakers: [left, left.toUpperCase()] })
        await page.goto('/edit/variants/speaker?reason=case')
        await groupOf(page, kept)
          .getByRole('radio', { name: `Keep ${kept.toUpperCase()}`, exact: true })
          .check()
        for (const each of [left, left.toUpperCase()]) {
          await groupOf(page, left)
            .getByRole('checkbox', { name: `Merge ${each}`, exact: true })
            .uncheck()
        }
        await page.getByRole('button', { name: /^Merge (all|this)/ }).click()
        const plan = await page.locator('.plan-table').textContent()
        expect([plan?.includes(kept.toUpperCase()), plan?.includes(left)]).toEqual([true, false])
        await page.getByRole('button', { name: /^Merge \d+ names?$/ }).click()
        expect(await readSpeakers(one)).toEqual([kept.toUpperCase()])
        expect(await readSpeakers(other)).toEqual([left, left.toUpperCase()])
        await page.getByRole('button', { name: 'Undo' }).click()
        expect(await readSpeakers(one)).toEqual([kept, kept.toUpperCase()])
      }),
    testTimeoutMs,
  )
})

describe.each(sample([true, false]))('Ticked names, with JavaScript: %p', (isScripted) => {
  test(
    'are merged into the chosen one, and restored together',
    () =>
      tell({ isScripted }, async (page) => {
        const own = isScripted ? 'with' : 'without'
        const [first, second] = [`Kai Dock ${own}`, `Kaj Pier ${own}`]
        const one = await create({ speakers: [first] })
        const other = await create({ speakers: [second] })
        const tick = async (name: string) => {
          await page.goto(`/edit/names/speaker?q=${encodeURIComponent(name.slice(0, 3))}`)
          await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check()
        }
        await tick(first)
        // With a script, ticks outlast the search; without one, both have to be on the page.
        if (isScripted) await tick(second)
        else {
          await page.goto('/edit/names/speaker?letter=k')
          for (const name of [first, second]) {
            await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check()
          }
        }
        await page.getByRole('button', { name: 'Merge the ticked names into …' }).click()
        await page.getByRole('radio', { name: `Keep ${second}`, exact: true }).check()
        await page.getByRole('button', { name: 'Preview' }).click()
        await page.getByRole('button', { name: 'Merge 1 name' }).click()
        expect([await readSpeakers(one), await readSpeakers(other)]).toEqual([[second], [second]])
        expect(await page.getByRole('status').first().textContent()).toContain(
          `Merged into “${second}”: 1 talk changed.`,
        )
        await page.getByRole('button', { name: 'Undo' }).click()
        expect(await readSpeakers(one)).toEqual([first])
        await page.goto('/edit/names/speaker?letter=k')
        expect(await page.getByRole('checkbox', { name: `Select ${second}`, exact: true }).isChecked()).toBe(false)
      }),
    testTimeoutMs,
  )
})

test(
  'a curator goes through variants by keyboard alone',
  () =>
    tell({}, async (page) => {
      const first = await create({ speakers: ['Dora Buoy', 'dora buoy'] })
      const second = await create({ speakers: ['Emil Reef', 'emil reef'] })
      await page.goto('/edit/variants/speaker')
      const focused = () => page.evaluate('document.activeElement.closest(".variant-group")?.textContent ?? ""')
      for (let presses = 0; presses < 20 && !String(await focused()).includes('Emil Reef'); presses++) {
        await page.keyboard.press('j')
      }
      await page.keyboard.press('m')
      await page.waitForURL(/merged=/)
      expect(await readSpeakers(second)).toEqual(['Emil Reef'])
      expect(await readSpeakers(first)).toEqual(['Dora Buoy', 'dora buoy'])
      await page.keyboard.press('u')
      await page.waitForURL(/undone=all/)
      expect(await readSpeakers(second)).toEqual(['Emil Reef', 'emil reef'])
      // The next group is at the place of the one that was merged, so a key for each is enough.
      await page.goto('/edit/variants/speaker#group-1')
      const count = await page.locator('.variant-group').count()
      await page.keyboard.press('d')
      await page.waitForURL(/hidden=.*#group-1$/)
      const seen = page.url()
      await page.keyboard.press('d')
      await page.waitForURL((url) => url.href !== seen)
      expect(await page.locator('.variant-group').count()).toBe(count - 2)
    }),
  testTimeoutMs,
)

test(
  'a curator chooses the name to keep by its number',
  () =>
    tell({}, async (page) => {
      const first = await create({ speakers: ['gus shoal'] })
      const second = await create({ speakers: ['gus shoal', 'Gus Shoal'] })
      await page.goto('/edit/variants/speaker?reason=case')
      const keep = (name: string) =>
        groupOf(page, 'gus shoal').getByRole('radio', { name: `Keep ${name}`, exact: true })
      // The better written one is suggested, although the other is used more.
      expect([await keep('Gus Shoal').isChecked(), await keep('gus shoal').isChecked()]).toEqual([true, false])
      await groupOf(page, 'gus shoal').getByRole('link', { name: 'gus shoal', exact: true }).focus()
      await page.keyboard.press('1')
      expect(await keep('gus shoal').isChecked()).toBe(true)
      await page.keyboard.press('2')
      expect(await keep('Gus Shoal').isChecked()).toBe(true)
      await page.keyboard.press('9')
      expect(await keep('Gus Shoal').isChecked()).toBe(true)
      await page.keyboard.press('m')
      await page.waitForURL(/reason=case.*merged=/)
      expect([await readSpeakers(first), await readSpeakers(second)]).toEqual([['Gus Shoal'], ['Gus Shoal']])
    }),
  testTimeoutMs,
)

test(
  'the picker of the merge suggests names while typing',
  () =>
    tell({}, async (page) => {
      await create({ speakers: ['Finn Gull', 'Finnegan Gull'] })
      await page.goto('/edit/names/speaker?q=finn+gull')
      await page.getByRole('link', { name: 'Finn Gull' }).click()
      await page.getByLabel('Merge into', { exact: true }).pressSequentially('finne')
      await page.locator('.pick-list [role=option]').first().click()
      expect(await page.getByLabel('Merge into', { exact: true }).inputValue()).toBe('Finnegan Gull')
    }),
  testTimeoutMs,
)

/** Names that archives have, or that somebody could send. */
const strange = [
  ...createHostileMarkup('http://127.0.0.1:9').filter((text) => text.length <= 90 && !text.includes('\n')),
  'שרה כהן \u202e gnorw',
  'a'.repeat(100),
  '🎈🎈🎈',
  '../../etc/passwd',
  'C++/C#.NET?q=1&x=%2F#top',
]

describe('Pages of strange names', () => {
  test.each(
    sample([
      [360, 'light'],
      [1280, 'dark'],
    ] as const),
  )(
    'fit, run nothing and have no violation of axe at %d px, %s',
    (width, scheme) =>
      tell({ width, scheme }, async (page) => {
        await create({ category: strange[0], speakers: strange, tags: [...strange, 'Tide', 'tide'], title: strange[1] })
        await create({ speakers: strange.map((name) => name.toUpperCase()), state: 2 })
        const found = await page.request.get('/api/v2/speaker?page_size=100', {
          headers: { Authorization: `Token ${server.adminKey}` },
        })
        const { results }: { readonly results: readonly { readonly id: number; readonly name: string }[] } =
          await found.json()
        const idOf = (name: string) => results.find((each) => each.name === name)?.id
        const paths = [
          ...['speaker', 'tag', 'category', 'speaker?sort=name', 'speaker?q=<script>'].map((each) => `names/${each}`),
          ...strange.slice(0, 2).map((name) => `names/speaker/${idOf(name.trim()) ?? idOf(name)}`),
          ...strange.slice(-5).map((name) => `names/speaker/${idOf(name)}`),
          ...['variants/speaker', 'variants/tag', 'variants/speaker?dismissed=1', 'new-category'],
          'names/category/harbour-2024',
        ]
        // In `npm test` a list, a name and the variants.
        for (const path of isLong ? paths : paths.filter((_, place) => place % 6 === 0)) {
          const answer = await page.goto(`/edit/${path}`)
          expect([path, answer?.status()]).toEqual([path, 200])
          expect([path, await page.evaluate('document.documentElement.scrollWidth - innerWidth')]).toEqual([path, 0])
          expect([path, await page.evaluate('window.pwned')]).toEqual([path, undefined])
          expect([path, await findViolations(page)]).toEqual([path, []])
        }
      }),
    testTimeoutMs,
  )
})
