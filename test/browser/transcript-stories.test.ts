import { beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { until } from '../harness/until.ts'
import { useCuratorStories } from './curator-story.ts'

// Runner: slow, one engine

const testTimeoutMs = 180_000
const keynote = '/video/127/a-keynote-for-people-in-a-hurry'
const { server, tell, check } = useCuratorStories(['--sample'])

beforeAll(async () => {
  await until('the sample is indexed', async () => {
    const answer = await fetch(`${server().url}/api/v2/moments?q=secret`)
    return !(await answer.text()).includes('at_least')
  })
}, testTimeoutMs)

const readSecond = async (page: Page) => Number(await page.evaluate('document.querySelector("video").currentTime'))
const current = (page: Page) => page.locator('.spoken span[aria-current]')

test(
  'A sentence that somebody remembers leads to the second at which it is said, and plays from there',
  () =>
    tell(true, 1, async (page) => {
      await page.goto('/')
      await page.locator('input[name="q"]').first().fill('a very tidy secret')
      await page.keyboard.press('Enter')
      await page.waitForURL(/search\?q=/)
      const group = page.locator('.said-group')
      expect(await group.getByRole('heading', { level: 3 }).allInnerTexts()).toEqual([
        'A Keynote for People in a Hurry',
      ])
      await check(page)
      await group.getByText('tidy').click()
      await page.waitForURL(/\?t=10&transcript=en$/)
      await check(page)
      expect(await current(page).innerText()).toStartWith('is only a very tidy secret.')
      await until('the player is there', async () => (await readSecond(page)) >= 10, { everyMs: 50 })
      await page.locator('.big-play').click()
      await until('it plays', async () => (await readSecond(page)) > 10.5, { everyMs: 50 })
      expect(await readSecond(page)).toBeLessThan(20.5)
    }),
  testTimeoutMs,
)

test(
  'While the clip plays, the current line is marked; a click on another one seeks there',
  () =>
    tell(true, 1, async (page) => {
      await page.goto(keynote)
      await page.locator('.transcript summary').click()
      await page.getByText('Then tell somebody.').click()
      await until('it is marked', async () => (await current(page).allInnerTexts()).join() === 'Then tell somebody. ', {
        everyMs: 50,
      })
      await until('the next is marked', async () => (await current(page).innerText()).startsWith('A note that'), {
        everyMs: 50,
      })
      expect(await readSecond(page)).toBeGreaterThan(8)
      expect(await current(page).count()).toBe(1)
    }),
  testTimeoutMs,
)

test(
  'Without JavaScript, a form finds words in the transcript, in the shown language; an open transcript is printed',
  () =>
    tell(false, 1, async (page) => {
      await page.goto(keynote)
      await page.emulateMedia({ media: 'print' })
      expect(await page.locator('.transcript').getByText('Transcript').isVisible()).toBe(false)
      await page.emulateMedia({ media: 'screen' })
      await page.locator('.transcript summary').click()
      await page.getByRole('link', { name: 'German' }).click()
      await page.waitForURL(/transcript=de/)
      await page.getByLabel('Search in this transcript').fill('ordentliches geheimnis')
      await page.getByRole('button', { name: 'Search' }).last().click()
      await page.waitForURL(/say=/)
      expect(await page.locator('.transcript .lines li').allInnerTexts()).toEqual([
        expect.stringContaining('ordentliches Geheimnis'),
      ])
      await page.emulateMedia({ media: 'print' })
      expect(await page.locator('.spoken').isVisible()).toBe(true)
      expect(await page.getByLabel('Search in this transcript').isVisible()).toBe(false)
      await page.emulateMedia({ media: 'screen' })
      await page.locator('.transcript .lines a').click()
      await page.waitForURL(/\?t=\d+&transcript=de$/)
      const [box, line] = [page.locator('.spoken'), current(page)]
      expect(await line.innerText()).toContain('ordentliches Geheimnis')
      const [around, inside] = [await box.boundingBox(), await line.boundingBox()]
      expect(inside?.y ?? 0).toBeGreaterThanOrEqual(around?.y ?? 1)
      expect((inside?.y ?? 0) + (inside?.height ?? 0)).toBeLessThanOrEqual((around?.y ?? 0) + (around?.height ?? 0))
    }),
  testTimeoutMs,
)
