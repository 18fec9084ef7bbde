import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { LinkState } from '../../src/record/link/link.ts'
import { setLinkState } from '../harness/links.ts'
import { longTest } from '../harness/runs.ts'
import { useCuratorStories } from './curator-story.ts'

// Runner: slow, one engine

const testTimeoutMs = 180_000
const { server, tell, enter, create, read, check } = useCuratorStories()

const main = async (page: Page) => (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ')
const toUrl = (name: string | number) => `https://old.example.org/${name}`
const toTarget = (name: string | number) => `https://new.example.org/${name}`

/** The write that follows tells every thread. */
async function setState(state: LinkState, urls: readonly string[], toTargetOf?: (url: string) => string) {
  for (const url of urls) await setLinkState(server().db, state, [url], toTargetOf?.(url) ?? null)
  await create({ title: 'Told', category: 'Told' })
}

async function putRecordings(id: number, recordings: readonly object[]): Promise<void> {
  const headers = { Authorization: `Token ${server().adminKey}`, 'Content-Type': 'application/json' }
  const init = { method: 'PUT', headers, body: JSON.stringify({ recordings }) }
  const answer = await fetch(`${server().url}/api/v2/video/${id}/recordings`, init)
  expect(answer.status).toBe(200)
}

test(
  'Thirty moved addresses are accepted after a preview, and restored by an undo',
  () =>
    tell(true, 1, async (page) => {
      const names = Array.from({ length: 30 }, (_, i) => i)
      const ids: number[] = []
      for (const name of names)
        ids.push(await create({ title: `Knot ${name}`, category: 'Knots', source_url: toUrl(name) }))
      await setState('moved', names.map(toUrl), (url) => url.replace('old', 'new'))
      await enter(page, '/edit')
      await page.getByRole('link', { name: 'Dead and moved addresses' }).click()
      await page.waitForURL(/edit\/links/)
      await check(page)
      await page.getByRole('link', { name: 'moved 30' }).last().click()
      await page.waitForURL(/state=moved/)
      await check(page)
      await page.getByRole('button', { name: 'Accept 30 moved addresses' }).click()
      await page.getByRole('heading', { name: 'Accept moved addresses' }).waitFor()
      expect(await main(page)).toContain('30 addresses of 30 talks will change')
      await check(page)
      await page.getByRole('button', { name: 'Change 30 talks' }).click()
      await page.waitForURL(/batches\/\d+\?done=1/)
      const readSources = () => Promise.all(ids.map(async (id) => (await read(id)).source_url))
      expect(await readSources()).toEqual(names.map(toTarget))
      const batch = page.url()
      await page.getByRole('button', { name: 'Undo' }).first().click()
      await page.waitForURL((url) => url.href !== batch)
      expect(await readSources()).toEqual(names.map(toUrl))
    }),
  testTimeoutMs,
)

longTest(
  'A talk whose first recording is dead plays the second, and says what happened to the first',
  () =>
    tell(true, 1, async (page) => {
      const living = `${server().url}/living.webm`
      const id = await create({ title: 'Second', category: 'Knots', source_url: toUrl('second'), state: 1 })
      await putRecordings(id, [{ url: living, note: 'Copy of the harbour' }])
      await setState('gone', [toUrl('second')])
      await page.goto(`/video/${id}`)
      expect(await page.locator('video source').getAttribute('src')).toBe(living)
      expect(await main(page)).toContain('old.example.org no longer available since 3 February 2026')
      await check(page)
    }),
  testTimeoutMs,
)

longTest(
  'A talk whose recordings are all dead says since when, still shows the rest, and is marked in lists',
  () =>
    tell(true, 1, async (page) => {
      const fields = { title: 'Gone', category: 'Gone 2024', description: 'How knots were tied.' }
      const id = await create({ ...fields, source_url: toUrl('gone'), state: 1 })
      await setState('private', [toUrl('gone')])
      await page.goto(`/video/${id}`)
      expect(await main(page)).toMatch(
        /no longer available at old\.example\.org, since 3 February 2026\. .*How knots were tied/,
      )
      const copy = page.getByRole('link', { name: 'Look for a copy in the web archive' })
      expect(await copy.getAttribute('href')).toBe(`https://web.archive.org/web/${toUrl('gone')}`)
      await check(page)
      await page.goto('/category/gone-2024')
      expect(await main(page)).toContain('Video no longer available')
      await check(page)
    }),
  testTimeoutMs,
)
