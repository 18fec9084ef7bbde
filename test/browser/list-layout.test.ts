import { expect, test } from 'bun:test'
import { useCuratorStories } from './curator-story.ts'

// Runner: slow, one engine

const { tell, enter, create } = useCuratorStories()
const timeoutMs = 120_000

test(
  'a row has a bounded height, however long its texts are',
  () =>
    tell(true, 1, async (page) => {
      const speakers = Array.from({ length: 40 }, (_, i) => `Speaker with a long name ${i}`)
      await create({ title: 'Wordy '.repeat(42), whiteboard: 'note '.repeat(50), speakers, state: 2 })
      await enter(page, '/edit/list?q=wordy')
      for (const [width, most] of [
        [1280, 200],
        [360, 400],
      ] as const) {
        await page.setViewportSize({ width, height: 640 })
        const height = (await page.locator('tbody tr').boundingBox())?.height ?? 0
        expect([width, Math.round(Math.max(height, most))]).toEqual([width, most])
      }
    }),
  timeoutMs,
)

/** How much wider a select would like to be than it is. */
const selectCut = `(() => {
  const select = document.querySelector('#filter-ordering')
  const width = select.getBoundingClientRect().width
  select.style.width = 'max-content'
  return Math.max(0, select.getBoundingClientRect().width - width)
})()`

/** How much wider the placeholder is than its box. */
const placeholderCut = `(() => {
  const box = document.querySelector('#find')
  const { font, paddingLeft, paddingRight } = getComputedStyle(box)
  const pen = Object.assign(document.createElement('canvas').getContext('2d'), { font })
  // Chromium keeps room for the button that clears the box.
  const width = box.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - 20
  return Math.max(0, pen.measureText(box.placeholder).width - width)
})()`

test(
  'the order of a list and the hint of the search box are not cut off',
  () =>
    tell(true, 1, async (page) => {
      await enter(page, '/edit')
      for (const width of [1280, 360]) {
        await page.setViewportSize({ width, height: 640 })
        await page.goto('/edit')
        expect([width, await page.evaluate(placeholderCut)]).toEqual([width, 0])
        await page.goto('/edit/list')
        await page.getByText('More filters, order').click()
        expect([width, await page.evaluate(selectCut)]).toEqual([width, 0])
      }
    }),
  timeoutMs,
)
