import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { isLong, sample } from '../harness/runs.ts'
import { useCuratorStories } from './curator-story.ts'

// Runner: slow

const { tell, enter, fillIn, path, create, read, check } = useCuratorStories()
const timeoutMs = 120_000

const control = (page: Page, name: string) => page.locator(`#field-${name}`)
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const listDrafts = (page: Page) => page.evaluate('Object.keys(localStorage).filter((key) => key.includes(".draft."))')

describe.each(sample([true, false]))('With JavaScript: %p', (isScripted) => {
  test(
    'a curator signs in, opens the drafts, edits one, saves it and continues with the next',
    () =>
      tell(isScripted, 1, async (page) => {
        const category = `Quay ${isScripted}`
        const first = await create({ category, title: 'Anchors', state: 2 })
        const second = await create({ category, title: 'Bollards', state: 2 })
        await enter(page, '/edit')
        await page
          .getByRole('link', { name: /^Drafts/ })
          .first()
          .click()
        await page.goto(`${path(page)}&category=${encodeURIComponent(category)}&ordering=title`)
        await page.getByRole('link', { name: 'Anchors' }).first().click()
        expect(path(page)).toStartWith(`/edit/video/${first}?list=`)
        await control(page, 'title').fill('Anchors and chains')
        await control(page, 'summary').fill('Two lines\nof it')
        await page.getByLabel('Reason').fill('from the programme')
        if (isScripted) await page.keyboard.press('Control+Enter')
        else await press(page, 'Save and next')
        await page.waitForURL(`**/edit/video/${second}?*`)
        expect(await page.getByRole('status').first().textContent()).toContain('Anchors and chains')
        expect(await read(first)).toMatchObject({ title: 'Anchors and chains', summary: 'Two lines\nof it', state: 2 })
        await press(page, 'Publish and next')
        await page.getByText('End of list.').waitFor()
        expect(await read(second)).toMatchObject({ title: 'Bollards', state: 1 })
        if (isScripted) expect(await listDrafts(page)).toEqual([])
      }),
    timeoutMs,
  )

  test(
    'two curators change the same field: the second one chooses, and both changes are kept',
    () =>
      tell(isScripted, 2, async (ann, bob) => {
        const id = await create({ title: 'Tides', tags: ['sea'], state: 2 })
        for (const page of [ann, bob]) await enter(page, `/edit/video/${id}`)
        await control(ann, 'title').fill('Tides of the sea')
        await control(ann, 'quality_notes').fill('Hum')
        await press(ann, 'Save')
        await ann.getByText('Saved as version 2.').waitFor()
        await control(bob, 'title').fill('Tides and moons')
        await control(bob, 'summary').fill('By Bob')
        await press(bob, 'Save')
        await bob.getByText('You have changed these fields elsewhere').waitFor()
        if (isScripted) await check(bob)
        await press(bob, 'Save')
        await bob.getByText('Choose one of these.').first().waitFor()
        await control(bob, 'title').fill('Tides and moons of the sea')
        if (!isScripted) await bob.getByLabel('My own text', { exact: true }).check()
        await press(bob, 'Save')
        await bob.getByText('Saved as version 3.').waitFor()
        const title = 'Tides and moons of the sea'
        expect(await read(id)).toMatchObject({ title, summary: 'By Bob', quality_notes: 'Hum', tags: ['sea'] })
        if (isScripted) expect(await listDrafts(bob)).toEqual([])
      }),
    timeoutMs,
  )

  test(
    'a session ends while somebody types: after signing in, the text is saved',
    () =>
      tell(isScripted, 2, async (page, other) => {
        const id = await create({ title: 'Knots', state: 2 })
        await enter(page, `/edit/video/${id}`)
        await control(page, 'description').fill('Typed for an hour.\n\nAnd more.')
        await enter(other, '/edit/sessions')
        await press(other, 'End all others')
        await press(page, 'Save')
        expect(await page.getByRole('alert').textContent()).toContain('session has ended')
        await fillIn(page)
        if (!isScripted) await press(page, 'Send')
        await page.getByText('Saved as version 2.').waitFor()
        expect(await read(id)).toMatchObject({ description: 'Typed for an hour.\n\nAnd more.' })
      }),
    timeoutMs,
  )

  test(
    'a curator looks at what will change, mistypes, and loses nothing',
    () =>
      tell(isScripted, 1, async (page) => {
        const id = await create({ title: 'Old words', state: 2 })
        await enter(page, `/edit/video/${id}`)
        if (isScripted) await check(page)
        await control(page, 'title').fill('New words')
        await press(page, 'What will change?')
        const review = page.locator('#review')
        expect(await review.locator('ins').textContent()).toContain('New')
        if (isScripted) {
          await control(page, 'quality_notes').fill('Echo')
          await review.getByText('Echo').waitFor()
        }
        if (isLong && isScripted) await check(page)
        await control(page, 'duration').fill('an hour')
        await press(page, 'Save')
        await page.getByText('Nothing is saved yet: one field has an error.').waitFor()
        if (isLong && isScripted) await check(page)
        expect(await control(page, 'title').inputValue()).toBe('New words')
        await control(page, 'duration').fill('1:00:00')
        await press(page, 'Save')
        await page.getByText('Saved as version 2.').waitFor()
        expect(await read(id)).toMatchObject({ title: 'New words', duration: 3600 })
      }),
    timeoutMs,
  )
})

test(
  'the keyboard alone is enough',
  () =>
    tell(true, 1, async (page) => {
      const [first, second] = [
        await create({ category: 'Keys', title: 'Capstan', state: 2 }),
        await create({ category: 'Keys', title: 'Davit', state: 2 }),
      ]
      await enter(page, `/edit/video/${first}?list=${encodeURIComponent('category=keys&ordering=title')}`)
      await page.waitForLoadState()
      // The first field to fix has the focus.
      await page.keyboard.press('Escape')
      await page.keyboard.press('n')
      await page.waitForURL(`**/edit/video/${second}?*`)
      await page.waitForLoadState()
      await page.keyboard.press('Escape')
      await page.keyboard.press('p')
      await page.waitForURL(`**/edit/video/${first}?*`)
      await page.waitForLoadState()
      await page.keyboard.press('Escape')
      await page.keyboard.press('e')
      await page.keyboard.press('End')
      await page.keyboard.type(' and rope')
      await page.keyboard.press('Control+s')
      await page.getByText('Saved as version 2.').waitFor()
      expect(await read(first)).toMatchObject({ title: 'Capstan and rope' })
    }),
  timeoutMs,
)
