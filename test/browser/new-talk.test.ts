import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { sample } from '../harness/runs.ts'
import { until } from '../harness/until.ts'
import { testTimeoutMs, useCuratorPages } from './curator-pages.ts'
import { keptTexts } from './curator-story.ts'

// Runner: slow, one engine

const { open, create, read, path } = useCuratorPages()

const field = (page: Page, name: string) => page.locator(`#field-${name}`)

async function paste(page: Page, address: string): Promise<void> {
  await page.getByLabel('Address of the video').fill(address)
  await page.getByRole('button', { name: 'Continue' }).click()
}

const idOf = (page: Page) => /\/edit\/video\/(\d+)/.exec(page.url())?.[1]

describe.each(sample([true, false]))('With JavaScript: %p', (javaScriptEnabled) => {
  test(
    'a curator pastes an address that we have, opens the talk, then adds one that we do not have',
    async () => {
      const video = javaScriptEnabled ? 'storyknown1' : 'storyknown2'
      const { id } = await create({
        title: `Hosted ${video}`,
        state: 2,
        source_url: `https://www.youtube.com/watch?v=${video}`,
      })
      const { page, wrong } = await open('/edit', { javaScriptEnabled })
      await page.getByRole('link', { name: 'New talk' }).click()
      await paste(page, 'not an address')
      expect(await page.getByRole('alert').textContent()).toContain('no spaces')
      expect(await page.getByLabel('Address of the video').inputValue()).toBe('not an address')
      await paste(page, ` http://youtu.be/${video} `)
      await page.getByRole('heading', { name: 'This video is already here' }).waitFor()
      await page.getByRole('link', { name: `Hosted ${video}` }).click()
      expect(idOf(page)).toBe(String(id))
      await page.goBack()
      await page.getByRole('link', { name: 'Add it again anyway' }).click()
      expect(await field(page, 'source_url').inputValue()).toBe(`https://www.youtube.com/watch?v=${video}`)

      await page.goto('/edit/new?category=pond-days')
      await paste(page, `https://youtu.be/new${video.slice(3)}`)
      expect(await field(page, 'category').inputValue()).toBe('Pond Days')
      await page.getByRole('button', { name: 'Create draft' }).click()
      // Nothing is lost with a mistake.
      await page.locator('#field-title-error').waitFor()
      await field(page, 'title').fill('Made from an address')
      await page.getByRole('button', { name: 'Create draft' }).click()
      await page.waitForURL('**/edit/video/*')
      expect(await read(idOf(page))).toMatchObject({ title: 'Made from an address', state: 2, category: 'Pond Days' })
      expect(wrong).toEqual([])
    },
    testTimeoutMs,
  )
})

test(
  'what is typed for a new talk is offered again after its tab was closed, until it is created',
  async () => {
    const address = '/edit/new?address=https%3A%2F%2Fyoutu.be%2Fdraftdraft1'
    const { context, page } = await open(address)
    const offer = (each: Page) => each.getByRole('button', { name: 'Restore them' })
    await field(page, 'title').fill('Half a tit')
    page.on('dialog', (dialog) => dialog.accept())
    const isClosed = page.waitForEvent('close')
    await page.close({ runBeforeUnload: true })
    await isClosed

    const other = await context.newPage()
    await other.goto('/edit/new?address=https%3A%2F%2Fyoutu.be%2Fdraftdraft2')
    expect(await offer(other).count()).toBe(0)
    await other.goto(address)
    await offer(other).click()
    expect(await field(other, 'title').inputValue()).toBe('Half a tit')
    await field(other, 'title').fill('Half a title')
    await field(other, 'category').fill('Pond Days')
    await other.getByRole('button', { name: 'Create draft' }).click()
    await other.waitForURL('**/edit/video/*')
    await until('the draft is gone', async () => (await other.evaluate(`${keptTexts}.length`)) === 0)
    await other.goto(`${address}&anyway=1`)
    expect(await offer(other).count()).toBe(0)
  },
  testTimeoutMs,
)

test(
  'a form whose request failed is still there, and can be sent again',
  async () => {
    const { context, page } = await open('/edit/new?blank=1')
    await field(page, 'title').fill('Against the wind')
    await field(page, 'category').fill('Pond Days')
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Create draft' }).click()
    await page.getByText('Not saved: this device is offline.').waitFor()
    await context.setOffline(false)
    expect(await field(page, 'title').inputValue()).toBe('Against the wind')
    await page.getByRole('button', { name: 'Create draft' }).click()
    await page.waitForURL('**/edit/video/*')
    expect(await read(idOf(page))).toMatchObject({ title: 'Against the wind' })
    expect(path(page)).toContain('saved=')
  },
  testTimeoutMs,
)

test(
  'two talks of an event are typed one after the other, with tags separated by commas',
  async () => {
    const { page, wrong } = await open('/edit/new')
    await paste(page, 'https://youtu.be/nexttalk001')
    const focused = page.locator('#field-title:focus')
    await focused.waitFor()
    // Letters are text and not shortcuts.
    await page.keyboard.type('hello')
    expect(await field(page, 'title').inputValue()).toBe('hello')
    await field(page, 'category').fill('Comma Days')
    const tags = page.locator('#field-tags-add')
    await tags.pressSequentially('keynote,sea,')
    const entries = page.locator('.name-entries .name')
    expect(await entries.allTextContents()).toEqual(['keynote', 'sea'])
    await page.keyboard.press('Control+Enter')
    await page.getByText('Saved: hello').waitFor()
    await paste(page, 'https://youtu.be/nexttalk002')
    expect(await field(page, 'category').inputValue()).toBe('Comma Days')
    // A script makes entries of the typed tags.
    await entries.nth(1).waitFor()
    expect(await entries.allTextContents()).toEqual(['keynote', 'sea'])
    await focused.waitFor()
    await page.keyboard.type('second')
    await page.getByRole('button', { name: 'Create draft' }).click()
    await page.waitForURL('**/edit/video/*')
    expect(await read(idOf(page))).toMatchObject({ title: 'second', category: 'Comma Days', tags: ['keynote', 'sea'] })
    expect(wrong).toEqual([])
  },
  testTimeoutMs,
)

test(
  'a talk that is opened from a list has the focus in the first field that needs work',
  async () => {
    const { id } = await create({ title: 'Without a language', category: 'Typed at once', state: 2 })
    const { page } = await open(`/edit/list?missing=language&category=${encodeURIComponent('Typed at once')}`)
    await page.getByRole('link', { name: 'Without a language' }).click()
    await page.waitForURL(`**/edit/video/${id}?**`)
    await page.keyboard.type('Chinese')
    expect(await field(page, 'language').inputValue()).toBe('Chinese')
  },
  testTimeoutMs,
)
