import { expect, test } from 'bun:test'
import { testTimeoutMs, useCuratorPages } from './curator-pages.ts'

// Runner: slow, one engine

const { open, create, server } = useCuratorPages()

test(
  'pickers and the preview say that the session has ended, and nothing is called new',
  async () => {
    const { id } = await create({ title: 'Alone', state: 2, speakers: ['Solveig Brun'] })
    const { context, page, wrong } = await open(`/edit/video/${id}`)
    await context.clearCookies()
    await page.getByLabel('Add to speakers').click()
    await page.keyboard.type('Sol')
    const list = page.locator('.pick-list:visible [role=option]')
    await list.getByText('No suggestions: your session has ended. Sign in in another tab.').waitFor()
    expect(await list.count()).toBe(1)
    await page.keyboard.press('ArrowDown')
    await list.click({ force: true })
    expect(await page.getByLabel('Add to speakers').inputValue()).toBe('Sol')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Edit Sol', exact: true }).waitFor()
    expect(await page.locator('.new-name:visible').count()).toBe(0)
    await page.locator('summary', { hasText: 'Preview' }).click()
    await page.getByText('No preview: your session has ended. Sign in in another tab.').waitFor()

    const tab = await context.newPage()
    await tab.goto('/edit/sign-in')
    await tab.getByLabel('Access token').fill(server().adminKey)
    await tab.getByRole('button', { name: 'Sign in' }).click()
    await tab.waitForURL('**/edit')
    await page.getByLabel('Add to speakers').click()
    await page.keyboard.type('solv')
    await list.getByText('Solveig Brun').waitFor()
    await page.getByText('No preview: this form is from a session that has ended.').waitFor({ timeout: 5_000 })
    expect(wrong).toEqual([])
  },
  testTimeoutMs,
)

test(
  'pickers say that the server does not answer',
  async () => {
    const { id } = await create({ title: 'Offline', state: 2 })
    const { context, page } = await open(`/edit/video/${id}`)
    await context.setOffline(true)
    await page.locator('#field-category').pressSequentially(' x')
    const list = page.locator('.pick-list:visible [role=option]')
    await list.getByText('No suggestions: the server does not answer.').waitFor()
    expect(await list.count()).toBe(1)
    await context.setOffline(false)
    await page.keyboard.press('Backspace')
    await list.getByText('Pond Days').waitFor()
  },
  testTimeoutMs,
)
