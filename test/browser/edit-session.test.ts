import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { createToken } from '../harness/server.ts'
import { until } from '../harness/until.ts'
import { testTimeoutMs, useCuratorPages } from './curator-pages.ts'

// Runner: long, slow, one engine

const { open, create, server } = useCuratorPages()

test(
  'pickers and the preview say that the session has ended, and no name is marked as new',
  async () => {
    const { id } = await create({ title: 'Alone', state: 2, speakers: ['Solveig Brun'] })
    const { context, page, wrong } = await open(`/edit/video/${id}`)
    await context.clearCookies()
    await page.getByLabel('Add to speakers').click()
    await page.keyboard.type('Sol')
    const list = page.locator('.pick-list:visible [role=option]')
    await list.getByText('No suggestions: your session has ended. Use another tab to sign in.').waitFor()
    expect(await list.count()).toBe(1)
    await page.keyboard.press('ArrowDown')
    await list.click({ force: true })
    expect(await page.getByLabel('Add to speakers').inputValue()).toBe('Sol')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Edit Sol', exact: true }).waitFor()
    expect(await page.locator('.new-name:visible').count()).toBe(0)
    await page.locator('summary', { hasText: 'Preview' }).click()
    await page.getByText('No preview: your session has ended. Use another tab to sign in.').waitFor()

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
  'pickers say that the server does not respond',
  async () => {
    const { id } = await create({ title: 'Offline', state: 2 })
    const { context, page } = await open(`/edit/video/${id}`)
    await context.setOffline(true)
    await page.locator('#field-category').pressSequentially(' x')
    const list = page.locator('.pick-list:visible [role=option]')
    await list.getByText('No suggestions: the server is not responding.').waitFor()
    expect(await list.count()).toBe(1)
    await context.setOffline(false)
    await page.keyboard.press('Backspace')
    await list.getByText('Pond Days').waitFor()
  },
  testTimeoutMs,
)

const field = (page: Page, name: string) => page.locator(`#field-${name}`)
const signOut = (page: Page) => page.getByRole('button', { name: 'Sign out' }).click()
const offers = (page: Page) => page.locator('.unsaved-offer, .kept-unsaved li')
const isKept = async (page: Page, text: string) =>
  String(await page.evaluate('JSON.stringify(localStorage)')).includes(text)

async function signIn(page: Page, key: string): Promise<void> {
  await page.goto('/edit/sign-in')
  await page.getByLabel('Access token').fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/edit')
}

test(
  'signing out asks about unsaved text, and discards it',
  async () => {
    const [one, two] = [await create({ title: 'One', state: 2 }), await create({ title: 'Two', state: 2 })]
    const { context, page, wrong } = await open(`/edit/video/${one.id}`)
    const asked: string[] = []
    let isAccepted = false
    page.on('dialog', async (dialog) => {
      asked.push(`${dialog.type()}: ${dialog.message()}`)
      await (isAccepted ? dialog.accept() : dialog.dismiss())
    })
    await field(page, 'title').fill('Typed just now')
    await signOut(page)
    expect(asked).toEqual(['confirm: You have unsaved changes in 1 talk. Sign out and discard them?'])
    expect([new URL(page.url()).pathname, await field(page, 'title').inputValue()]).toEqual([
      `/edit/video/${one.id}`,
      'Typed just now',
    ])
    const other = await context.newPage()
    await other.goto(`/edit/video/${two.id}`)
    await field(other, 'summary').fill('Typed in another tab')
    await until('it is kept', () => isKept(page, 'Typed in another tab'))
    await other.close()
    isAccepted = true
    await signOut(page)
    await page.waitForURL('**/edit/sign-in')
    expect(asked.slice(1)).toEqual(['confirm: You have unsaved changes in 2 talks. Sign out and discard them?'])
    expect(await isKept(page, 'Typed')).toBe(false)
    await signIn(page, server().adminKey)
    expect(await offers(page).count()).toBe(0)
    await signOut(page)
    await page.waitForURL('**/edit/sign-in')
    expect([asked.length, wrong]).toEqual([2, []])
  },
  testTimeoutMs,
)

test(
  'unsaved text is offered to the curator who typed it, and to nobody else',
  async () => {
    const { id } = await create({ title: 'Whose', state: 2 })
    const bea = await createToken(server(), 'bea', 'publisher')
    const { context, page, wrong } = await open(`/edit/video/${id}`)
    await field(page, 'title').fill('Typed by the admin')
    await until('it is kept', () => isKept(page, 'Typed by the admin'))
    expect(await isKept(page, 'ROSTRUM_ADMIN_TOKEN')).toBe(false)
    // The session ends without signing out.
    await context.clearCookies()
    const second = await context.newPage()
    const asked: string[] = []
    second.on('dialog', async (dialog) => {
      asked.push(dialog.message())
      await dialog.accept()
    })
    await signIn(second, bea)
    for (const address of ['/edit', `/edit/video/${id}`]) {
      await second.goto(address)
      expect(await offers(second).count()).toBe(0)
    }
    await field(second, 'summary').fill('Saved by Bea')
    await second.getByRole('button', { name: 'Save', exact: true }).click()
    await second.waitForURL('**saved=**')
    await signOut(second)
    await second.waitForURL('**/edit/sign-in')
    expect(asked).toEqual([])
    await signIn(second, server().adminKey)
    expect(await offers(second).count()).toBe(1)
    await second.goto('/edit/sessions')
    // To end one's own session is to sign out.
    await second.getByRole('row', { name: 'this one' }).getByRole('button').click()
    await second.waitForURL('**/edit/sign-in')
    expect(asked).toEqual(['You have unsaved changes in 1 talk. Sign out and discard them?'])
    expect([await isKept(second, 'Typed by the admin'), wrong]).toEqual([false, []])
  },
  testTimeoutMs,
)
