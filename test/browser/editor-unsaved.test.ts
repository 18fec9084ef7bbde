import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { runRostrum } from '../cli/store-command.ts'
import { until } from '../harness/until.ts'
import { testTimeoutMs, useCuratorPages } from './curator-pages.ts'
import { keptTexts } from './curator-story.ts'

// Runner: long, slow, one engine

const { open, create, read, server } = useCuratorPages()

const title = (page: Page) => page.locator('#field-title')
const restore = (page: Page) => page.getByRole('button', { name: 'Restore them' })
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true })

/** Closes the tab although the browser asks. */
async function close(page: Page): Promise<void> {
  page.on('dialog', (dialog) => dialog.accept())
  const isClosed = page.waitForEvent('close')
  await page.close({ runBeforeUnload: true })
  await isClosed
}

test(
  'text typed in a closed tab is kept, and merged with what others saved meanwhile',
  async () => {
    const { id } = await create({ title: 'Kept in a tab', state: 2, tags: ['sea'] })
    const { context, page, wrong } = await open(`/edit/video/${id}`)
    await title(page).fill('Typed and closed')
    await page.getByLabel('Add to tags').fill('never added by Enter')
    await close(page)
    const other = await open(`/edit/video/${id}`)
    expect(await restore(other.page).count()).toBe(0)
    await other.page.locator('#field-summary').fill('By somebody else')
    await save(other.page).click()
    await other.page.waitForURL('**saved=**')

    const again = await context.newPage()
    await again.goto(`/edit/video/${id}`)
    expect(await title(again).inputValue()).toBe('Kept in a tab')
    expect(await again.locator('.unsaved-offer').textContent()).toContain('changed since')
    await restore(again).click()
    expect(await title(again).inputValue()).toBe('Typed and closed')
    await save(again).click()
    await again.waitForURL('**saved=**')
    expect(await read(id)).toMatchObject({
      title: 'Typed and closed',
      summary: 'By somebody else',
      tags: ['sea', 'never added by Enter'],
    })
    await again.goto(`/edit/video/${id}`)
    expect(await restore(again).count()).toBe(0)
    expect(wrong).toEqual([])
  },
  testTimeoutMs,
)

const notice = (page: Page) => page.locator('.save-bar [role=alert]')

test(
  'a save that fails with the network stays in the form, and succeeds when the network is back',
  async () => {
    const { id } = await create({ title: 'Before the storm', state: 2 })
    const { context, page, wrong } = await open(`/edit/video/${id}`)
    await title(page).fill('After the storm')
    await context.setOffline(true)
    await page.keyboard.press('Control+s')
    await notice(page).waitFor()
    expect(await notice(page).textContent()).toContain('Not saved: this device is offline. Your text is kept here.')
    expect(await title(page).inputValue()).toBe('After the storm')
    expect(await read(id)).toMatchObject({ title: 'Before the storm' })
    await context.setOffline(false)
    // A proxy answers for a server that is stopped.
    await context.route('**/edit/keys', (route) => route.fulfill({ status: 502 }), { times: 1 })
    await save(page).click()
    await page.getByText('Not saved: the server did not respond.').waitFor()
    await save(page).dblclick()
    await page.waitForURL('**saved=**')
    expect(await read(id)).toMatchObject({ title: 'After the storm' })
    await page.goBack()
    expect(await restore(page).count()).toBe(0)
    expect(wrong).toEqual([])
  },
  testTimeoutMs,
)

test(
  'text whose save failed is offered in another tab, too',
  async () => {
    const { id } = await create({ title: 'Before the storm', state: 2 })
    const { context, page } = await open(`/edit/video/${id}`)
    await title(page).fill('After the storm')
    await context.setOffline(true)
    await save(page).click()
    await notice(page).waitFor()
    await context.setOffline(false)
    const other = await context.newPage()
    await other.goto(`/edit/video/${id}`)
    await restore(other).click()
    expect(await title(other).inputValue()).toBe('After the storm')
    await save(other).click()
    await other.waitForURL('**saved=**')
    expect(await read(id)).toMatchObject({ title: 'After the storm' })
    // The first tab comes back to a form that has nothing unsaved to offer.
    page.on('dialog', (dialog) => dialog.accept())
    await page.goto(`/edit/video/${id}`)
    expect([await title(page).inputValue(), await restore(page).count()]).toEqual(['After the storm', 0])
  },
  testTimeoutMs,
)

test(
  'discarded text is not offered again',
  async () => {
    const { id } = await create({ title: 'Thrown away', state: 2 })
    const { context, page } = await open(`/edit/video/${id}`)
    await title(page).fill('Nobody wants this')
    await until('it is kept', async () => (await page.evaluate(`${keptTexts}.length`)) === 1)
    await close(page)
    const again = await context.newPage()
    await again.goto(`/edit/video/${id}`)
    await again.getByRole('button', { name: 'Discard them' }).click()
    await again.reload()
    expect([await restore(again).count(), await title(again).inputValue()]).toEqual([0, 'Thrown away'])
  },
  testTimeoutMs,
)

test(
  'the page of an erased talk shows only what was typed',
  async () => {
    const { id } = await create({ title: 'Erased soon', state: 2, description: 'Was there before' })
    const { page, wrong } = await open(`/edit/video/${id}`)
    await title(page).fill('Typed in vain')
    await runRostrum('purge', String(id), '--yes', '--db', server().db)
    await save(page).click()
    await page.getByRole('heading', { name: 'This talk no longer exists' }).waitFor()
    await until('the rest is gone', async () => (await page.locator('.record-values dt').count()) === 1)
    expect(await page.locator('.record-values').textContent()).toBe('TitleTyped in vain')
    expect(wrong).toEqual([])
  },
  testTimeoutMs,
)
