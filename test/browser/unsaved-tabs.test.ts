import { expect, test } from 'bun:test'
import type { BrowserContext, Page } from 'playwright-core'
import { until } from '../harness/until.ts'
import { findViolations } from './axe.ts'
import { testTimeoutMs, useCuratorPages } from './curator-pages.ts'
import { keptTexts } from './curator-story.ts'

// Runner: long, slow, one engine

const { open, create, read } = useCuratorPages()

const field = (page: Page, name: string) => page.locator(`#field-${name}`)
const restore = (page: Page) => page.getByRole('button', { name: 'Restore them' })

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL('**saved=**')
}

async function isKept(page: Page, text: string): Promise<void> {
  await until('it is kept', async () => String(await page.evaluate('JSON.stringify(localStorage)')).includes(text))
}

/** A tab that begins with what the first one has in its session storage, as a duplicated one does. */
async function duplicate(context: BrowserContext, page: Page): Promise<Page> {
  const opened = context.waitForEvent('page')
  await page.evaluate('void window.open(location.href)')
  const copy = await opened
  await copy.waitForLoadState()
  return copy
}

for (const kind of ['another', 'a duplicated'])
  test(
    `a save in ${kind} tab keeps what was typed in the first one`,
    async () => {
      const { id } = await create({ title: 'Two tabs', state: 2 })
      const { context, page, wrong } = await open(`/edit/video/${id}`)
      const other = kind === 'another' ? await context.newPage() : await duplicate(context, page)
      await other.goto(`/edit/video/${id}`)
      await field(page, 'description').fill('Typed in the first tab')
      await isKept(page, 'Typed in the first tab')
      await field(other, 'duration').fill('42:00')
      await save(other)
      expect(await restore(other).count()).toBe(1)
      // The first tab never says goodbye, as in a crash.
      const after = await context.newPage()
      await after.goto(`/edit/video/${id}`)
      await restore(after).click()
      expect(await field(after, 'description').inputValue()).toBe('Typed in the first tab')
      await save(after)
      expect(await read(id)).toMatchObject({ description: 'Typed in the first tab', duration: 2520 })
      expect(await restore(after).count()).toBe(0)
      expect(wrong).toEqual([])
    },
    testTimeoutMs,
  )

test(
  'the unsaved text of several tabs is offered, and can be saved together',
  async () => {
    const { id } = await create({ title: 'Three tabs', state: 2 })
    const { context, page } = await open(`/edit/video/${id}`)
    const other = await context.newPage()
    await other.goto(`/edit/video/${id}`)
    await field(page, 'description').fill('From the first')
    await field(other, 'summary').fill('From the second')
    await other.getByLabel('Add to tags').fill('tide')
    await other.keyboard.press('Enter')
    await isKept(page, 'From the first')
    await isKept(page, 'From the second')
    const after = await context.newPage()
    await after.goto(`/edit/video/${id}`)
    const offers = await after.locator('.unsaved-offer').allTextContents()
    const named = offers.map((text) => /\): (.*?)\./.exec(text)?.[1])
    expect(named.toSorted()).toEqual(['Description', 'Tags, Summary'])
    for (let left = 2; left > 0; left--) await restore(after).first().click()
    await save(after)
    expect(await read(id)).toMatchObject({
      description: 'From the first',
      summary: 'From the second',
      tags: ['tide'],
    })
    expect(await restore(after).count()).toBe(0)
    expect(await after.evaluate(`${keptTexts}.join()`)).toBe('')
  },
  testTimeoutMs,
)

test(
  'a browser that refuses storage still saves',
  async () => {
    const { id } = await create({ title: 'Nothing is kept', state: 2 })
    const { context, page, wrong } = await open(`/edit/video/${id}`)
    await context.addInitScript(`
      for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, { get() { throw new DOMException('No', 'SecurityError') } })
    `)
    await page.reload()
    await field(page, 'title').fill('Saved at once')
    await save(page)
    expect(await read(id)).toMatchObject({ title: 'Saved at once' })
    expect(wrong).toEqual([])
  },
  testTimeoutMs,
)

test(
  'the overview names the talks whose changes are not saved',
  async () => {
    const { id } = await create({ title: 'Left unsaved', state: 2 })
    const { context, page, wrong } = await open('/edit')
    expect(await page.locator('.kept-unsaved').isVisible()).toBe(false)
    const tab = await context.newPage()
    await tab.goto(`/edit/video/${id}?list=state%3D2`)
    await field(tab, 'summary').fill('Forgotten in a tab')
    await isKept(tab, 'Forgotten in a tab')
    await tab.close()
    await page.reload()
    expect(await page.locator('.kept-unsaved').textContent()).toContain('Unsaved changes in this browser:')
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 })
      expect(await findViolations(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
    }
    await page.getByRole('link', { name: 'Left unsaved' }).click()
    await page.waitForURL(`**/edit/video/${id}?list=state%3D2`)
    await restore(page).click()
    expect(await field(page, 'summary').inputValue()).toBe('Forgotten in a tab')
    page.on('dialog', (dialog) => dialog.accept())
    await page.goto('/edit')
    await page.getByRole('button', { name: 'Discard the changes to Left unsaved' }).click()
    await page.reload()
    expect(await page.locator('.kept-unsaved').isVisible()).toBe(false)
    expect(wrong).toEqual([])
  },
  testTimeoutMs,
)
