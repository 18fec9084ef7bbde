import { beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { isLong, sample } from '../harness/runs.ts'
import { useCuratorStories } from './curator-story.ts'
import { createHostileRecord } from './hostile-markup.ts'

// Runner: slow

const { tell, enter, create, read, check, checkWidths, path } = useCuratorStories()
const timeoutMs = 120_000
/** Nobody listens there; a request to it fails the story. */
const collector = 'http://127.0.0.1:9'

const drafts = 35
const drafted: number[] = []

beforeAll(async () => {
  for (let i = 1; i <= drafts; i++) {
    drafted.push(
      await create({ title: `Draft ${i}`, state: 2, recorded: `2024-05-${String(i % 28 || 28).padStart(2, '0')}` }),
    )
  }
  const sources = ['https://www.youtube.com/watch?v=dQw4w9WgXcQ', 'https://youtu.be/dQw4w9WgXcQ']
  for (const source_url of sources) await create({ title: 'TWICE IN THE ARCHIVE', state: 1, source_url })
}, timeoutMs)

const boxes = (page: Page) => page.locator('tbody input[type=checkbox]')

describe.each(sample([[true], [false]]))('With scripts: %p', (isScripted) => {
  test(
    'a curator ticks 30 drafts and changes them together',
    () =>
      tell(isScripted, 1, async (page) => {
        await enter(page, '/edit')
        await page.getByRole('link', { name: /^Drafts \d/ }).click()
        await page.waitForURL('**/edit/list?state=2&parked=0')
        if (isScripted) {
          await boxes(page).first().click()
          await boxes(page)
            .nth(29)
            .click({ modifiers: ['Shift'] })
          await page.getByText('Applies to 30 selected talks.').waitFor()
        } else {
          for (let i = 0; i < 30; i++) await boxes(page).nth(i).check()
        }
        await page.getByRole('button', { name: 'Change …' }).click()
        await page.waitForURL('**/edit/bulk')
        await page.getByText('30 talks').first().waitFor()
      }),
    timeoutMs,
  )

  test(
    'a publisher sets when a draft goes live, sees it in its lists, and cancels it',
    () =>
      tell(isScripted, 1, async (page) => {
        const title = `Premiere ${isScripted}`
        const id = await create({ title, state: 2 })
        const day = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
        await enter(page, `/edit/video/${id}`)
        await page.getByLabel('Date and time (UTC)').fill(`${day}T18:30`)
        await page.getByRole('button', { name: 'Publish later' }).click()
        await page.getByText(/^This talk goes live .*, 18:30 UTC\.$/).waitFor()
        await page.goto(`/edit/list?q=${encodeURIComponent(title)}&state=2`)
        expect(await page.locator('tbody tr').innerText()).toMatch(/goes live .*18:30 UTC/)
        if (isScripted) await check(page)
        await page.goto('/edit')
        await page.getByRole('link', { name: /\d+ talks? will go live/ }).click()
        await page.getByRole('button', { name: `Keep as draft: ${title}` }).click()
        await page.getByText(`Talk ${id} stays a draft.`).waitFor()
        expect(await page.getByRole('link', { name: title }).count()).toBe(0)
        await page.getByRole('button', { name: 'Undo' }).click()
        await page.getByText(/^Talk \d+ goes live .*, 18:30 UTC\.$/).waitFor()
        expect((await read(id)).state).toBe(2)
      }),
    timeoutMs,
  )

  test(
    'a curator sets a draft aside, finds it among those set aside, and moves it back',
    () =>
      tell(isScripted, 1, async (page) => {
        const id = await create({ title: `Mistake ${isScripted}`, state: 2, whiteboard: 'No sound' })
        await enter(page, `/edit/list?q=Mistake&state=2&parked=0`)
        const name = `Select Mistake ${isScripted}`
        await page.getByLabel(name).check()
        await page.getByRole('button', { name: 'Set aside' }).click()
        await page.getByText('1 talk set aside.').waitFor()
        expect(await page.getByLabel(name).count()).toBe(0)
        expect(await read(id)).toMatchObject({ whiteboard: '[parked] No sound' })
        await page.goto('/edit')
        await page.getByRole('link', { name: /^Set-aside drafts 1/ }).click()
        await page.getByLabel(name).check()
        await page.getByRole('button', { name: 'Move back to drafts' }).click()
        await page.getByText('1 talk moved back to drafts.').waitFor()
        expect(await read(id)).toMatchObject({ whiteboard: 'No sound' })
      }),
    timeoutMs,
  )

  test(
    'an issue that is marked as fine leaves its list, and returns with an undo',
    () =>
      tell(isScripted, 1, async (page) => {
        const title = `TIMTOWTDI ${isScripted ? 'ONE' : 'TWO'}`
        const id = await create({ title, state: 1 })
        await enter(page, '/edit/list?finding=shouting_title')
        await page.getByRole('button', { name: `Fine as it is: ${title}` }).click()
        await page.getByText('Fine as it is: 1 talk left the list.').waitFor()
        expect(await page.getByLabel(`Select ${title}`).count()).toBe(0)
        await page.goto(`/edit/video/${id}`)
        await page.getByText('Fine as it is: 1', { exact: true }).waitFor()
        await page.goBack()
        await page.getByRole('button', { name: 'Undo' }).click()
        await page.getByText('1 talk is in the list again.').waitFor()
        await page.getByLabel(`Select ${title}`).waitFor()
      }),
    timeoutMs,
  )

  test(
    'filters are added by the form and removed by their chips',
    () =>
      tell(isScripted, 1, async (page) => {
        await enter(page, '/edit/list')
        await page.getByLabel('Words').fill('twice')
        await page.getByLabel('Issue').selectOption({ label: 'Title in capitals' })
        await page.getByRole('button', { name: 'Show' }).click()
        await page.waitForURL('**/edit/list?q=twice&finding=shouting_title')
        expect(await boxes(page).count()).toBe(2)
        await page.locator('.chip').filter({ hasText: 'Words: twice' }).click()
        await page.waitForURL('**/edit/list?finding=shouting_title')
        await page.getByText('More filters, order').click()
        await page.getByLabel('Language', { exact: true }).fill('Klingonish')
        await page.getByRole('button', { name: 'Show' }).click()
        await page.locator('#filter-language-error').waitFor()
        expect(await page.getByLabel('Language', { exact: true }).inputValue()).toBe('Klingonish')
      }),
    timeoutMs,
  )
})

test(
  'a list is saved as a CSV file',
  () =>
    tell(true, 1, async (page) => {
      await enter(page, '/edit/list?state=2&q=draft')
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'CSV' }).click(),
      ])
      expect(download.suggestedFilename()).toBe('talks.csv')
      const lines = readFileSync(await download.path(), 'utf8')
        .trimEnd()
        .split('\r\n')
      expect(lines).toHaveLength(drafts + 1)
    }),
  timeoutMs,
)

test(
  'the box in the head ticks all rows of the page, or none',
  () =>
    tell(true, 1, async (page) => {
      await enter(page, '/edit/list?state=2&q=draft&page_size=20')
      const all = page.getByLabel('Select all on this page')
      await all.check()
      await page.getByText('Applies to 20 selected talks.').waitFor()
      await boxes(page).first().uncheck()
      expect(await page.evaluate('document.querySelector("[data-select-all]").indeterminate')).toBe(true)
      await all.check()
      await all.uncheck()
      await page.getByText('Applies to the selected talks.').waitFor()
      expect(await page.getByRole('button', { name: 'Set aside' }).isDisabled()).toBe(true)
    }),
  timeoutMs,
)

test(
  'ticks outlast paging and another order, can be cleared, and are dropped with the change',
  () =>
    tell(true, 1, async (page) => {
      await enter(page, '/edit/list?state=2&q=draft&page_size=20')
      await boxes(page).first().check()
      await boxes(page).nth(1).check()
      await page.keyboard.press('n')
      await page.waitForURL('**&page=2')
      await page.getByText('Applies to 2 selected talks, 2 of them on other pages.').waitFor()
      await boxes(page).first().check()
      await page.getByText('Applies to 3 selected talks, 2 of them on other pages.').waitFor()
      await page.getByRole('link', { name: 'Talk', exact: true }).click()
      await page.waitForURL('**ordering=title**')
      await page.getByText(/^Applies to 3 selected talks/).waitFor()
      await page.getByRole('button', { name: 'Clear selection' }).click()
      await page.getByText('Applies to the selected talks.').waitFor()
      await page.goto('/edit/list?state=2&q=draft&page_size=20')
      await page.getByText('Applies to the selected talks.').waitFor()
      expect(await page.locator('input[name=id]:checked').count()).toBe(0)
      await boxes(page).first().check()
      await page.goto('/edit/list?state=2&q=draft&page_size=20&page=2')
      await boxes(page).first().check()
      await page.getByRole('button', { name: 'Change …' }).click()
      await page.getByText('2 talks selected.').waitFor()
      await page.locator('#field-language').fill('French')
      await page.getByRole('button', { name: 'Preview' }).click()
      await page.getByRole('button', { name: 'Change 2 talks' }).click()
      await page.getByRole('link', { name: 'Back to the work list' }).click()
      await page.waitForURL('**/edit/list?**')
      await page.getByText('Applies to the selected talks.').waitFor()
      await boxes(page).first().check()
      await page.goBack()
      await page.goForward()
      await page.getByText('Applies to 1 selected talk.').waitFor()
    }),
  timeoutMs,
)

test(
  'after a row has left the list as fine, the keys go on at the next row, and an undo goes back to it',
  () =>
    tell(true, 1, async (page) => {
      for (let i = 1; i <= 25; i++) await create({ title: `A LOUD TALK, NUMBER ${i}`, state: 1, category: 'Quiet' })
      await enter(page, '/edit/list?finding=shouting_title&category=Quiet&ordering=id')
      const focused = (number: number) =>
        page.locator('a:focus', { hasText: new RegExp(`NUMBER ${number}$`) }).waitFor()
      const rows = page.locator('tbody tr')
      await page.waitForURL('**/edit/list?**')
      for (let i = 1; i <= 20; i++) await page.keyboard.press('j')
      await focused(20)
      await page.keyboard.press('f')
      await page.getByText('1 talk left the list.').waitFor()
      await focused(21)
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('1 talk is in the list again.').waitFor()
      await focused(20)
      await rows.nth(20).getByRole('button', { name: 'Fine as it is' }).click()
      await page.getByText('1 talk left the list.').waitFor()
      await focused(22)
      expect((await rows.nth(20).boundingBox())?.y).toBeLessThan(720)
      expect((await page.getByRole('button', { name: 'Undo' }).boundingBox())?.y).toBeGreaterThanOrEqual(0)
    }),
  timeoutMs,
)

describe.each(sample([[true], [false]]))('The whole list, with scripts: %p,', (isScripted) => {
  test(
    'is a separate choice: without it and without ticks nothing happens',
    () =>
      tell(isScripted, 1, async (page) => {
        await enter(page, '/edit/list?state=2&q=draft&page_size=20&page=2')
        await page.getByRole('button', { name: 'Publish …' }).click()
        await page.getByText('Select talks first, or choose the whole list.').waitFor()
        expect(path(page)).toStartWith('/edit/list?state=2&q=draft')
        await page.getByLabel('All 35 talks in this list').check()
        if (isScripted) expect(await page.getByRole('button', { name: 'Set aside' }).isDisabled()).toBe(true)
        await page.getByRole('button', { name: 'Publish …' }).click()
        expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Preview of the change')
        expect(await page.locator('.bulk-counts .is-willChange dd').textContent()).toBe('35')
      }),
    timeoutMs,
  )
})

test(
  'lists are accessible, fit on a phone, and run no hostile text',
  () =>
    tell(true, 1, async (page) => {
      const hostile = createHostileRecord(collector)
      const ids = [await create({ ...hostile, state: 2 }), await create({ ...hostile, state: 2, duration: 5 })]
      const said: string[] = []
      page.on('dialog', (dialog) => void said.push(dialog.message()))
      const evil = encodeURIComponent('</title><img src=x onerror=window.pwned=1>')
      const pages = [
        ...['/edit/list?q=nothing', '/edit/duplicates', '/edit/findings', `/edit/duplicates?compare=${ids.join()}`],
        ...['/edit/list?state=2', '/edit/list?finding=shouting_title&whiteboard=0'],
        ...['/edit/duplicates?reason=same_title', '/edit/findings?sort=title'],
        ...[`/edit/list?language=${evil}&${evil}=1`, '/edit/list?page=x'],
        ...[`/edit/list?by=${evil}`, `/edit/list?state=2&done=parked&count=1&left=2`],
      ]
      await enter(page, '/edit')
      await page.waitForURL('**/edit')
      await check(page)
      for (const address of pages) {
        await page.goto(address)
        await (isLong ? check(page) : checkWidths(page))
        expect([path(page), await page.evaluate('window.pwned')]).toEqual([path(page), undefined])
        expect(await page.locator('main :is(iframe, object, embed, script, style)').count()).toBe(0)
      }
      expect(said).toEqual([])
    }),
  timeoutMs,
)
