import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { sample } from '../harness/runs.ts'
import { until } from '../harness/until.ts'
import { findViolations } from './axe.ts'
import { control, testTimeoutMs, useEditParts } from './edit-parts.ts'

// Runner: long, slow, one engine

const { open, sent } = useEditParts()

describe('The list of speakers', () => {
  const input = (page: Page) => page.getByLabel('Add to speakers')
  const entries = (page: Page) => page.locator('.is-names').first().locator('.name-entries .name').allTextContents()

  test(
    'finds names, accepts new ones, moves and removes them by keyboard',
    async () => {
      const page = await open('/form')
      expect(await entries(page)).toEqual(['Ada Quill', 'Ben Stone'])
      await input(page).click()
      await page.keyboard.type('zo')
      await page.locator('.pick-list [role=option]').first().waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.keyboard.type('Dee New')
      await page.keyboard.press('Enter')
      expect(await entries(page)).toEqual(['Ada Quill', 'Ben Stone', 'Zoë Marsh', 'Dee New'])
      await page.getByLabel('Move Dee New up').first().focus()
      await page.keyboard.press('Enter')
      await page.keyboard.press('Enter')
      await page.getByLabel('Remove Ada Quill').first().focus()
      await page.keyboard.press('Enter')
      await page.keyboard.press('Control+s')
      expect((await sent(page)).get('field.speakers')).toBe('Dee New\r\nBen Stone\r\nZoë Marsh')
    },
    testTimeoutMs,
  )

  test(
    'adds the text that is still in the input when the form is saved, and pasted lines one by one',
    async () => {
      const page = await open('/form')
      await input(page).click()
      await page.evaluate(`{
      const data = new DataTransfer(); data.setData('text', 'Cy One\\r\\nCy Two\\n')
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, cancelable: true }))
    }`)
      await page.keyboard.type('Eve')
      await page.keyboard.press('Control+s')
      expect((await sent(page)).get('field.speakers')).toBe('Ada Quill\r\nBen Stone\r\nCy One\r\nCy Two\r\nEve')
    },
    testTimeoutMs,
  )

  const news = (page: Page) => page.locator('.name-entries li', { has: page.locator('.new-name:visible') })

  test(
    'replaces a name in another case or without accents by that of the archive, unless it is chosen as new',
    async () => {
      const page = await open('/form')
      const options = page.locator('.pick-list [role=option]')
      await input(page).click()
      await page.keyboard.type('zoe  marsh')
      await options.filter({ hasText: '1 talk' }).waitFor()
      await page.keyboard.press('Enter')
      await page.keyboard.type('ada marsh')
      await options.filter({ hasText: '1 talk' }).waitFor()
      await page.keyboard.press('Tab')
      expect(await entries(page)).toEqual(['Ada Quill', 'Ben Stone', 'Zoë Marsh', 'Ada Marsh'])
      await input(page).click()
      await page.keyboard.type('zoë marsh')
      await options.filter({ hasText: 'New: zoë marsh' }).click()
      expect((await entries(page)).at(-1)).toBe('zoë marsh')
      await news(page).waitFor()
      expect(await news(page).locator('.name').textContent()).toBe('zoë marsh')
    },
    testTimeoutMs,
  )

  test(
    'marks names that the archive does not have, also for screen readers and in a form that is shown again',
    async () => {
      const page = await open('/again')
      await news(page).waitFor()
      expect(await news(page).locator('.name').allTextContents()).toEqual(['Ned New'])
      await input(page).click()
      await page.keyboard.type('Dee New')
      await page.keyboard.press('Enter')
      await page.getByText('Dee New is new: no talk has it yet.').waitFor({ state: 'attached' })
      await page.getByRole('button', { name: 'Edit Dee New (new)' }).waitFor()
      await page.keyboard.type('Ada Marsh')
      const answered = page.waitForResponse(/[?&]q=Ada%20Marsh$/)
      await page.keyboard.press('Enter')
      await answered
      expect(await news(page).locator('.name').allTextContents()).toEqual(['Ned New', 'Dee New'])
      for (const colorScheme of sample(['light', 'dark'] as const)) {
        await page.emulateMedia({ colorScheme })
        expect(await findViolations(page)).toEqual([])
      }
    },
    testTimeoutMs,
  )

  test(
    'Escape closes the suggestions, then empties the input, and restores a name that was being edited',
    async () => {
      const page = await open('/form')
      await input(page).click()
      await page.keyboard.type('ada')
      await page.locator('.pick-list [role=option]').first().waitFor()
      await page.keyboard.press('Escape')
      expect(await input(page).inputValue()).toBe('ada')
      await page.keyboard.press('Escape')
      expect(await input(page).inputValue()).toBe('')
      await page.getByRole('button', { name: 'Edit Ada Quill' }).click()
      expect(await entries(page)).toEqual(['Ben Stone'])
      await page.keyboard.press('Escape')
      expect(await entries(page)).toEqual(['Ada Quill', 'Ben Stone'])
      expect(await input(page).inputValue()).toBe('')
      await page.keyboard.type('Dee New')
      await page.getByRole('button', { name: 'Edit Ben Stone' }).click()
      expect(await entries(page)).toEqual(['Ada Quill', 'Dee New'])
      expect(await input(page).inputValue()).toBe('Ben Stone')
    },
    testTimeoutMs,
  )

  test(
    'can be edited as text',
    async () => {
      const page = await open('/form')
      const help = page.locator('#field-speakers-help')
      expect(await help.textContent()).toContain('Type a name and press Enter.')
      await page.getByText('Edit as text').first().click()
      expect(await help.textContent()).toContain('One per line.')
      await control(page, 'speakers').fill('Ben Stone\nAda Quill')
      await page.getByText('Edit as a list').first().click()
      expect(await entries(page)).toEqual(['Ben Stone', 'Ada Quill'])
    },
    testTimeoutMs,
  )
})

test(
  'the event is suggested while typing',
  async () => {
    const page = await open('/form')
    await control(page, 'category').fill('')
    await control(page, 'category').pressSequentially('harb')
    await page.locator('.pick-list [role=option]').first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    expect(await control(page, 'category').inputValue()).toBe('Harbour 2024')
    await page.click('button[value=save]')
    expect((await sent(page)).get('field.category')).toBe('Harbour 2024')
  },
  testTimeoutMs,
)

test(
  'a title that no event has is offered as a new event, and a language is not',
  async () => {
    const page = await open('/form')
    const options = page.locator('.pick-list [role=option]')
    await control(page, 'category').fill('')
    await control(page, 'category').pressSequentially('Harbour 2042')
    await options.getByText('New event: Harbour 2042').click()
    expect(await control(page, 'category').inputValue()).toBe('Harbour 2042')
    await control(page, 'category').fill('')
    await control(page, 'category').pressSequentially('Harbour 2024')
    // The letters before the last one were also a new event.
    await until('the event alone is offered', async () => (await options.count()) === 1)
    expect(await options.getByText('1 talk').count()).toBe(1)
    await control(page, 'language').fill('')
    await control(page, 'language').pressSequentially('germa')
    await options.filter({ hasText: 'German' }).waitFor()
    await until('German alone is offered', async () => (await options.filter({ visible: true }).count()) === 1)
  },
  testTimeoutMs,
)

test(
  'a late response does not replace the name that is being chosen',
  async () => {
    const page = await open('/form')
    await control(page, 'category').fill('')
    await control(page, 'category').pressSequentially('har')
    await page.locator('.pick-list [role=option]').first().waitFor()
    const late = Promise.withResolvers<void>()
    await page.route(/[?&]q=harb$/, async (route) => {
      await late.promise
      await route.continue()
    })
    const asked = page.waitForRequest(/[?&]q=harb$/)
    const answered = page.waitForResponse(/[?&]q=harb$/)
    await page.keyboard.type('b')
    await asked
    await page.keyboard.press('ArrowDown')
    late.resolve()
    await (await answered).finished()
    await page.evaluate('new Promise((seen) => setTimeout(seen, 100))')
    await page.keyboard.press('Enter')
    expect(await control(page, 'category').inputValue({ timeout: 5_000 })).toBe('Harbour 2024')
  },
  testTimeoutMs,
)
