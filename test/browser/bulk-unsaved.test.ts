import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { testTimeoutMs, useCuratorPages } from './curator-pages.ts'
import { keptTexts } from './curator-story.ts'

// Runner: long, slow, one engine

const { open, create } = useCuratorPages()

const whiteboard = (page: Page) => page.locator('#field-whiteboard')
const restore = (page: Page) => page.getByRole('button', { name: 'Restore them' })
const press = (page: Page, name: string) => page.getByRole('button', { name }).click()

test(
  'the form of a bulk change is kept until it is applied',
  async () => {
    const { id } = await create({ title: 'One of many', state: 2 })
    const { page, wrong } = await open(`/edit/bulk?id=${id}`)
    await whiteboard(page).fill('Typed for many')
    await press(page, 'Preview')
    await page.getByRole('heading', { name: 'Preview of the change' }).waitFor()
    await page.goto('/edit')

    // Another change, without the form, is not this one.
    await page.goto('/edit/list?q=One+of+many')
    await page.locator(`input[name=id][value="${id}"]`).check()
    await press(page, 'Publish')
    await press(page, 'Publish 1 talk')
    await page.waitForURL('**/edit/batches/**done=1**')
    await page.goto(`/edit/bulk?id=${id}`)
    await restore(page).click()
    expect(await whiteboard(page).inputValue()).toBe('Typed for many')

    await press(page, 'Preview')
    await press(page, 'Back to the form')
    expect(await whiteboard(page).inputValue()).toBe('Typed for many')
    await press(page, 'Preview')
    await press(page, 'Change 1 talk')
    await page.waitForURL('**/edit/batches/**done=1**')
    await page.goto(`/edit/bulk?id=${id}`)
    expect(await restore(page).count()).toBe(0)
    expect(await page.evaluate(`${keptTexts}.join()`)).toBe('')
    expect(wrong).toEqual([])
  },
  testTimeoutMs,
)
