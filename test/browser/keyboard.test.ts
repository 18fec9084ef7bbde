import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { shortcutGroups } from '../../src/edit/shortcuts.ts'
import { until } from '../harness/until.ts'
import { findViolations } from './axe.ts'
import { testTimeoutMs, useCuratorPages } from './curator-pages.ts'

// Runner: long, slow, one engine

const { start, open, create, read, server, path } = useCuratorPages()

const focused = (page: Page, what: string) => page.evaluate(`document.activeElement.${what}`)
const isHelpOpen = (page: Page) => page.evaluate('document.querySelector("#keys-help").open')

async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

test(
  'a curator works without a mouse: signs in, opens a list, changes two talks, and looks up the keys',
  async () => {
    for (const name of ['first', 'second', 'third'])
      await create({ title: `Zither ${name}`, category: 'Keys', state: 2 })
    const { page, wrong } = await start()
    await page.goto('/edit')
    // The key has the focus.
    await page.keyboard.type(server().adminKey)
    await press(page, 'Enter')
    await page.waitForURL('**/edit')
    await press(page, '/')
    await page.keyboard.type('zither')
    await press(page, 'Enter')
    await page.waitForURL('**/edit/list?**')
    await press(page, 'j', 'j', 'k', 'x')
    expect(await focused(page, 'closest("tr").querySelector("[type=checkbox]").checked')).toBe(true)
    const first = String(await focused(page, 'textContent'))
    expect(first).toStartWith('Zither ')
    await press(page, 'Enter')
    await page.waitForURL('**/edit/video/**')
    expect(await page.locator('h1').textContent()).toBe(first)
    const ids = [/\/video\/(\d+)/.exec(page.url())?.[1]]
    // A talk has the focus where it needs work, and a letter is text there.
    await until('a field has the focus', async () => (await focused(page, 'id')) === 'field-language')
    await press(page, 'Escape', 'e')
    expect(await focused(page, 'id')).toBe('field-title')
    await page.keyboard.type('Typed ? j first')
    await press(page, 'Control+Enter')
    await until('the next talk is shown', async () => !page.url().includes(`/video/${ids[0]}?`))
    await page.waitForLoadState()
    ids.push(/\/video\/(\d+)/.exec(page.url())?.[1])
    await until('a field has the focus', async () => (await focused(page, 'id')) === 'field-language')
    await page.evaluate('document.activeElement.blur()')
    await press(page, '?')
    expect(await isHelpOpen(page)).toBe(true)
    await press(page, 'Escape', 'e')
    await page.keyboard.type('Typed second')
    await press(page, 'Control+s')
    await until('the second is saved', async () => (await read(ids[1])).title === 'Typed second')
    expect(await read(ids[0])).toMatchObject({ title: 'Typed ? j first' })
    await page.waitForURL(`**saved=${ids[1]}-**`)
    await press(page, 'g', 'l')
    await page.waitForURL('**/edit')
    expect(wrong).toEqual([])
  },
  testTimeoutMs,
)

test(
  'j and k continue in a list from the talk that was open last, even if it has left the list',
  async () => {
    const titles = ['one', 'three', 'two', 'zero'].map((name) => `Kazoo ${name}`)
    for (const title of titles) await create({ title, category: 'Rows', state: 2 })
    const { page, wrong } = await open('/edit/list?state=2&q=kazoo&ordering=title')
    await press(page, 'j', 'j', 'Enter')
    await page.waitForURL('**/edit/video/**')
    await page.goBack()
    await page.waitForURL('**/edit/list?**')
    await press(page, 'j')
    expect(await focused(page, 'textContent')).toBe('Kazoo two')
    await press(page, 'Enter')
    await page.waitForURL('**/edit/video/**')
    await page.locator('nav.place a').first().click()
    await page.waitForURL('**/edit/list?**')
    await press(page, 'k')
    expect(await focused(page, 'textContent')).toBe('Kazoo three')
    await press(page, 'Enter')
    await page.waitForURL('**/edit/video/**')
    await page.locator('#field-title').fill('No longer found')
    await press(page, 'Control+s')
    await page.waitForURL('**saved=**')
    await page.locator('nav.place a').first().click()
    await page.waitForURL('**/edit/list?**')
    await press(page, 'j')
    expect(await focused(page, 'textContent')).toBe('Kazoo two')
    await press(page, 'k')
    expect(await focused(page, 'textContent')).toBe('Kazoo one')
    expect(wrong).toEqual([])
  },
  testTimeoutMs,
)

describe('The help', () => {
  test(
    'is an overlay that keeps the focus, and has all keys',
    async () => {
      const { page } = await open('/edit/new')
      // Typed into a field, a key is a letter.
      await page.keyboard.type('?')
      expect(await page.getByLabel('Address of the video').inputValue()).toBe('?')
      await page.evaluate('document.activeElement.blur()')
      await press(page, '?')
      expect(await isHelpOpen(page)).toBe(true)
      const shown = await page.locator('#keys-help dt').allTextContents()
      expect(shown).toEqual(
        shortcutGroups.flatMap(({ shortcuts }) => shortcuts.map(({ keys }) => keys.replaceAll('+', ' '))),
      )
      for (let i = 0; i < 6; i++) {
        await press(page, 'Tab')
        expect(await focused(page, 'closest("#keys-help, body").id || document.activeElement.tagName')).toMatch(
          /^(?:keys-help|BODY)$/,
        )
      }
      // No page is left from within.
      await press(page, 'g', 'l')
      expect(path(page)).toBe('/edit/new')
      expect(await findViolations(page)).toEqual([])
      await page.setViewportSize({ width: 360, height: 640 })
      expect(await findViolations(page)).toEqual([])
      await press(page, 'Escape')
      expect(await isHelpOpen(page)).toBe(false)
      await page.getByRole('link', { name: 'Keyboard shortcuts' }).click()
      expect(await isHelpOpen(page)).toBe(true)
      await press(page, '?')
      expect(await isHelpOpen(page)).toBe(false)
    },
    testTimeoutMs,
  )

  test(
    'is a page without JavaScript',
    async () => {
      const { page } = await open('/edit/new', { javaScriptEnabled: false })
      await page.getByRole('link', { name: 'Keyboard shortcuts' }).click()
      expect(path(page)).toBe('/edit/keys')
      expect(await page.locator('main .keys-page dt').first().textContent()).toBe('?')
      expect(await page.locator('noscript p').isVisible()).toBe(true)
    },
    testTimeoutMs,
  )
})

test(
  'single keys do nothing if they are turned off; Ctrl+S still saves',
  async () => {
    const { id } = await create({ title: 'Quiet keys', state: 2 })
    const { page } = await open('/edit/keys')
    await page.locator('main .keys-page').getByLabel('Use single-key shortcuts').uncheck()
    await press(page, 'g', 'l', '?')
    expect([path(page), await isHelpOpen(page)]).toEqual(['/edit/keys', false])
    await page.goto(`/edit/video/${id}`)
    await press(page, '?', 'g', 'l')
    expect(path(page)).toBe(`/edit/video/${id}`)
    await page.locator('#field-title').fill('Loud keys')
    await press(page, 'Control+s')
    await page.waitForURL('**saved=**')
    expect(await read(id)).toMatchObject({ title: 'Loud keys' })
  },
  testTimeoutMs,
)

test(
  'keys with Alt, Shift or Control, and pairs of keys that are not a shortcut, are ignored',
  async () => {
    const { page } = await open('/edit/keys')
    await press(page, 'g', 'x', 'l', 'Alt+g', 'l', 'Shift+G', 'l', 'Control+g', 'l', 'Control+Shift+S')
    expect(path(page)).toBe('/edit/keys')
    await press(page, 'g', 't')
    await page.waitForURL('**/edit/new')
    expect(await focused(page, 'id')).toBe('address')
  },
  testTimeoutMs,
)

test(
  'Ctrl+Shift+Enter publishes and opens the next talk of the list, at its first field that needs work',
  async () => {
    const full = { language: 'English', recorded: '2024-05-31', duration: 600, summary: 'Short', description: 'Long' }
    const category = 'Published by key'
    const first = await create({ ...full, category, title: 'A first', state: 2 })
    await create({ ...full, category, title: 'B second', speakers: ['Ada Quill'], state: 2 })
    const { page, wrong } = await open(
      `/edit/video/${first.id}?list=${encodeURIComponent('category=published-by-key&state=2&ordering=title')}`,
    )
    await page.locator('#field-title').focus()
    await press(page, 'Control+Shift+Enter')
    await page.waitForURL('**saved=**')
    expect(await read(first.id)).toMatchObject({ state: 1 })
    expect(await page.locator('h1').textContent()).toBe('B second')
    // The list of names stands for its text area.
    await until('the tags have the focus', async () => (await focused(page, 'id')) === 'field-tags-add')
    const notice = await page.evaluate(
      'document.activeElement.getAttribute("aria-describedby").split(" ").map((id) => document.getElementById(id).textContent).join(" ")',
    )
    expect(notice).toContain('Published: A first')
    expect(await findViolations(page)).toEqual([])
    expect(wrong).toEqual([])
  },
  testTimeoutMs,
)

describe('Enter', () => {
  test(
    'in the reason presses the primary button',
    async () => {
      const { id } = await create({ title: 'A reason', category: 'Entered', state: 2 })
      await create({ title: 'B reason', category: 'Entered', state: 2 })
      const { page } = await open(`/edit/video/${id}?list=${encodeURIComponent('category=entered&ordering=title')}`)
      await page.getByLabel('Reason').fill('because')
      await press(page, 'Enter')
      await page.waitForURL('**unchanged=**')
      expect(await page.locator('h1').textContent()).toBe('B reason')
    },
    testTimeoutMs,
  )

  test(
    'in a field saves a draft, and moves to the reason of a live talk',
    async () => {
      const [draft, live] = [await create({ title: 'Draft', state: 2 }), await create({ title: 'Live', state: 1 })]
      const { page } = await open(`/edit/video/${draft.id}`)
      await page.locator('#field-title').fill('Draft, entered')
      await press(page, 'Enter')
      await page.waitForURL('**saved=**')
      await page.goto(`/edit/video/${live.id}`)
      await page.locator('#field-title').fill('Live, entered')
      await press(page, 'Enter')
      expect(await focused(page, 'id')).toBe('reason')
      expect(await read(live.id)).toMatchObject({ title: 'Live' })
      await press(page, 'Enter')
      await page.waitForURL('**saved=**')
      expect(await read(live.id)).toMatchObject({ title: 'Live, entered' })
    },
    testTimeoutMs,
  )
})
