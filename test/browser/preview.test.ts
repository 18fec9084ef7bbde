import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { until } from '../harness/until.ts'
import { findViolations } from './axe.ts'
import { testTimeoutMs, useCuratorPages } from './curator-pages.ts'
import { createHostileMarkup, createHostileRecord } from './hostile-markup.ts'

// Runner: long, slow, one engine

const { open, create, read } = useCuratorPages()
/** Nobody listens there: a request would be seen all the same. */
const collector = 'http://127.0.0.1:9'

const panel = (page: Page) => page.locator('#preview')
const shows = (page: Page, text: string) =>
  until(`the preview shows ${text}`, async () => (await panel(page).textContent())?.includes(text) === true)

describe('The live preview', () => {
  test(
    'follows what is typed, stores nothing, and stays open for the next talk',
    async () => {
      const { id } = await create({ title: 'Before', state: 2, description: 'Stored text' })
      const { page, wrong } = await open(`/edit/video/${id}`)
      expect(await panel(page).isVisible()).toBe(false)
      await page.keyboard.press('v')
      await shows(page, 'Stored text')
      await page.locator('#field-description').fill('Some *new* text\n\n<b>no markup</b>')
      await shows(page, '<b>no markup</b>')
      expect(await panel(page).locator('em').textContent()).toBe('new')
      await page.locator('#field-title').fill(' ')
      await page.locator('#field-whiteboard').fill('anything')
      await Bun.sleep(800)
      await shows(page, 'Before')
      expect(await read(id)).toMatchObject({ title: 'Before', description: 'Stored text' })
      page.on('dialog', (dialog) => dialog.accept())
      const other = await create({ title: 'Another', state: 2 })
      await page.goto(`/edit/video/${other.id}`)
      await shows(page, 'Another')
      expect(wrong).toEqual([])
    },
    testTimeoutMs,
  )

  test(
    'continues to play while somebody types elsewhere, and requests nothing from a host before',
    async () => {
      const { id } = await create({
        title: 'Hosted',
        state: 2,
        source_url: 'https://www.youtube.com/watch?v=hostedvideo',
      })
      const { page, wrong } = await open(`/edit/video/${id}`)
      await page.keyboard.press('v')
      await shows(page, 'Plays from YouTube')
      expect(wrong).toEqual([])
      await panel(page).locator('a.play').click()
      const frame = panel(page).locator('iframe')
      expect(await frame.getAttribute('src')).toStartWith('https://www.youtube-nocookie.com/embed/hostedvideo')
      expect(await frame.getAttribute('referrerpolicy')).toBe('strict-origin-when-cross-origin')
      await page.locator('#field-summary').fill('Typed while it plays')
      await shows(page, 'Typed while it plays')
      expect(await frame.count()).toBe(1)
      await page.locator('#field-source_url').fill('https://vimeo.com/123456')
      await shows(page, 'Plays from Vimeo')
      expect(await frame.count()).toBe(0)
    },
    testTimeoutMs,
  )

  test(
    'says that there is no preview when the server does not respond',
    async () => {
      const { id } = await create({ title: 'Alone', state: 2 })
      const { context, page } = await open(`/edit/video/${id}`)
      await context.setOffline(true)
      await page.locator('summary', { hasText: 'Preview' }).click()
      await shows(page, 'No preview: the server is not responding.')
      await context.setOffline(false)
      await page.locator('#field-title').fill('Not alone')
      await shows(page, 'Not alone')
    },
    testTimeoutMs,
  )
})

test.each([true, false])(
  'a button opens the preview in another tab, and the form stays; with JavaScript: %p',
  async (javaScriptEnabled) => {
    const { id } = await create({ title: 'Tabbed', state: 2 })
    const { context, page } = await open(`/edit/video/${id}`, { javaScriptEnabled })
    await page.locator('#field-title').fill('Typed & kept')
    await page.locator('summary', { hasText: 'Preview' }).click()
    const opened = context.waitForEvent('page')
    await page.getByRole('button', { name: 'Open the preview in a new tab' }).click()
    const tab = await opened
    await tab.waitForLoadState()
    expect(await tab.locator('#preview h2').first().textContent()).toBe('Typed & kept')
    expect(await page.locator('#field-title').inputValue()).toBe('Typed & kept')
    expect(await read(id)).toMatchObject({ title: 'Tabbed' })
    if (!javaScriptEnabled) return
    const asked: string[] = []
    page.on('dialog', async (dialog) => {
      asked.push(dialog.type())
      await dialog.dismiss()
    })
    await page.close({ runBeforeUnload: true })
    await until('the browser still asks', async () => asked.length > 0)
  },
  testTimeoutMs,
)

test(
  'hostile texts run nothing and load nothing, in the panel, on preview pages and for a new talk',
  async () => {
    const { id } = await create({ ...createHostileRecord(collector), state: 2, source_url: `${collector}/known.mp4` })
    const { page, wrong } = await open(`/edit/video/${id}/preview`)
    await page.goto(`/edit/video/${id}`)
    await page.keyboard.press('v')
    await page.locator('#field-description').fill(createHostileMarkup(collector).join('\n\n'))
    await shows(page, 'window.pwned')
    for (const address of [
      `${collector}/known.mp4`,
      '"><img src=x onerror=window.pwned=1>',
      'javascript:window.pwned=1',
    ]) {
      page.once('dialog', (dialog) => dialog.accept())
      await page.goto(`/edit/new?address=${encodeURIComponent(address)}`)
    }
    await page.goto(`/edit/new?anyway=1&category=%3Cb%3E&address=${encodeURIComponent(`${collector}/<img>.mp4`)}`)
    await page.locator('#field-speakers-add').fill('<')
    await Bun.sleep(500)
    expect(await page.evaluate('String(window.pwned)')).toBe('undefined')
    expect(wrong).toEqual([])
  },
  testTimeoutMs,
)

test(
  'the pages have no violations, and fit on a phone',
  async () => {
    const { id } = await create({
      title: 'Checked',
      state: 2,
      summary: '# Heading\n\ntext',
      tags: ['sea'],
      source_url: 'https://vimeo.com/77',
    })
    const { page } = await open('/edit/keys')
    const pages = [
      ...['/edit/keys', '/edit/new', '/edit/new?address=nonsense', '/edit/new?blank=1', `/edit/video/${id}/preview`],
      '/edit/new?address=https%3A%2F%2Fplayer.vimeo.com%2Fvideo%2F77',
    ]
    for (const path of pages) {
      await page.goto(path)
      for (const [width, colorScheme] of [
        [1280, 'dark'],
        [360, 'light'],
      ] as const) {
        await page.setViewportSize({ width, height: 800 })
        await page.emulateMedia({ colorScheme })
        expect([path, width, await findViolations(page)]).toEqual([path, width, []])
        expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, width])
      }
    }
    await page.goto('/edit/new?blank=1')
    // The form opens with the focus in its first field.
    await page.keyboard.press('Escape')
    await page.keyboard.press('v')
    await shows(page, 'No recording')
    expect(await findViolations(page)).toEqual([])
  },
  2 * testTimeoutMs,
)
