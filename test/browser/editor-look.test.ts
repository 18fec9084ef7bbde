import { describe, expect, test } from 'bun:test'
import type { Locator } from 'playwright-core'
import { findViolations } from './axe.ts'
import { testTimeoutMs, useCuratorPages } from './curator-pages.ts'

// Runner: long, long checkout, slow, one engine (it bundles scripts and styles itself)

const { open, create } = useCuratorPages()
const phone = { viewport: { width: 360, height: 740 } }
const desk = { viewport: { width: 1280, height: 900 } }

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox()
  if (box === null) throw new Error('it is not shown')
  return box
}

describe('The form of a talk on a desk', () => {
  test(
    'has room for a title, and shows the names of formats on one line',
    async () => {
      const { id } = await create({ title: 'A title', state: 2 })
      const { page } = await open(`/edit/video/${id}`, desk)
      const [title, group] = [page.locator('#field-title'), page.locator('.fields').first()]
      expect((await boxOf(title)).width).toBeGreaterThan((await boxOf(group)).width - 2)
      const heights = await page.evaluate(`[...document.querySelectorAll('.field-row legend')].map((legend) => {
        const range = document.createRange()
        range.selectNodeContents(legend)
        return range.getClientRects().length
      })`)
      expect(heights).toEqual([1, 1, 1, 1])
    },
    testTimeoutMs,
  )

  test(
    'shows added and removed names on lines of text',
    async () => {
      const { id } = await create({ title: 'Names', speakers: ['Ann Lee'], state: 2 })
      const { page } = await open(`/edit/video/${id}`, desk)
      await page.getByLabel('Add to speakers').fill('Bo Ek')
      await page.getByRole('button', { name: 'What will change?' }).click()
      expect((await boxOf(page.locator('.list-diff .is-added'))).height).toBeLessThan(48)
    },
    testTimeoutMs,
  )

  test(
    'does not wrap a change',
    async () => {
      const words = Array.from({ length: 60 }, (_, i) => `${'w'.repeat(1 + (i % 7))}`)
      const { id } = await create({ title: 'Words', summary: words.join(' '), state: 2 })
      const { page } = await open(`/edit/video/${id}`, desk)
      await page.locator('#field-summary').fill(words.map((word, i) => (i % 2 === 0 ? word : `${word}x`)).join(' '))
      await page.getByRole('button', { name: 'What will change?' }).click()
      await page.locator('.text-diff ins').first().waitFor()
      const stubs = await page.evaluate(`[...document.querySelectorAll('.text-diff :is(ins, del)')].flatMap((change) =>
        [...change.getClientRects()].map(({ width }) => width).filter((width) => width > 0 && width < 5))`)
      expect(stubs).toEqual([])
    },
    testTimeoutMs,
  )
})

describe('The form of a talk on a phone', () => {
  test(
    'has its buttons at the bottom, its title at the top, and a head of two lines',
    async () => {
      const { id } = await create({ title: 'A phone', state: 2 })
      const { page, wrong } = await open(`/edit/video/${id}?list=state%3D2`, phone)
      for (const field of ['#field-title', '#field-description', '#reason']) {
        await page.locator(field).focus()
        const bar = await boxOf(page.locator('.save-bar .buttons'))
        expect(bar.height).toBeLessThan(100)
        expect(bar.y + bar.height).toBeLessThanOrEqual(740)
        const control = await boxOf(page.locator(field))
        expect(control.y + control.height).toBeLessThanOrEqual(bar.y)
        for (const button of await page.locator('.save-bar .button').all()) {
          const { x, width } = await boxOf(button)
          expect(x + width).toBeLessThanOrEqual(360)
        }
        const title = await boxOf(page.getByRole('heading', { level: 1 }))
        expect(control.y).toBeGreaterThanOrEqual(title.y + title.height)
      }
      expect((await boxOf(page.getByRole('heading', { level: 1 }))).y).toBe(0)
      await page.evaluate('scrollTo(0, 0)')
      expect((await boxOf(page.locator('.edit-top'))).height).toBeLessThan(120)
      expect((await boxOf(page.locator('.talk-links'))).x).toBe(16)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
      await page.getByRole('link', { name: 'Bulk changes' }).focus()
      const batches = await boxOf(page.getByRole('link', { name: 'Bulk changes' }))
      expect(batches.x + batches.width).toBeLessThanOrEqual(360)
      expect(await findViolations(page)).toEqual([])
      expect(wrong).toEqual([])
    },
    testTimeoutMs,
  )

  test(
    'shows what is wrong after a refused save, above the bar and before everything else',
    async () => {
      const { id } = await create({ title: 'A phone', state: 2 })
      const { page } = await open(`/edit/video/${id}`, phone)
      await page.locator('#field-title').fill('')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      const summary = await boxOf(page.locator('.error-summary:focus'))
      const bar = await boxOf(page.locator('.save-bar .buttons'))
      expect(summary.y).toBeGreaterThanOrEqual(0)
      expect(summary.y + summary.height).toBeLessThanOrEqual(bar.y)
      expect((await boxOf(page.locator('.findings'))).y).toBeGreaterThan(summary.y)
    },
    testTimeoutMs,
  )
})
