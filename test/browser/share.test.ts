import { expect, test } from 'bun:test'
import { findViolations } from './axe.ts'
import { testTimeoutMs, useViewer } from './viewer.ts'

// Runner: slow

const viewer = useViewer()
const source = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'
const frame = 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1'
const copied = () => viewer.page().evaluate('navigator.clipboard.readText()')
const share = () => viewer.page().locator('details.share')

test(
  'a talk at YouTube is shared with a start time',
  async () => {
    const url = await viewer.create({ source_url: source, title: 'Shared', duration: 1800 })
    await viewer.page().goto(`${url}?t=90`)
    await share().locator('summary').click()
    const time = viewer.page().getByLabel('Link starting at')
    expect(await time.inputValue()).toBe('1:30')
    await time.fill('12:34')
    await viewer.page().keyboard.press('Enter')
    await share().getByRole('button', { name: 'Copied' }).waitFor()
    expect(await copied()).toBe(`${url}?t=754`)
    await share().getByRole('button', { name: 'Copy' }).first().click()
    await viewer.waitFor(`navigator.clipboard.readText().then((text) => text === '${url}')`)
    await time.fill('soon')
    await viewer.page().keyboard.press('Enter')
    const message = () => share().getByRole('alert').innerText()
    expect(await message()).toBe('Enter a time such as 12:34.')
    await time.fill('30:00')
    await viewer.page().keyboard.press('Enter')
    expect(await message()).toBe('This talk is 30:00 long. Enter an earlier time.')
    expect(await copied()).toBe(url)
    expect(await findViolations(viewer.page())).toEqual([])
  },
  testTimeoutMs,
)

test(
  'a menu below the screen comes into view',
  async () => {
    await viewer.page().goto(await viewer.create({ source_url: source, title: 'Shared on a laptop' }))
    await viewer.page().setViewportSize({ width: 1280, height: 820 })
    await share().locator('summary').click()
    await viewer.page().locator('.share[open] .panel').waitFor()
    await viewer.waitFor("document.querySelector('.share .panel').getBoundingClientRect().bottom <= innerHeight")
  },
  testTimeoutMs,
)

test(
  'the share sheet of a phone gets the title and the link',
  async () => {
    await viewer.page().addInitScript('navigator.share = async (data) => { window.shared = data }')
    const url = await viewer.create({ source_url: source, title: 'Shared by phone' })
    await viewer.page().goto(`${url}?t=5`)
    await share().locator('summary').click()
    await share().getByRole('button', { name: 'Share with an app …' }).click()
    expect(await viewer.page().evaluate('window.shared')).toEqual({ title: 'Shared by phone', url: `${url}?t=5` })
  },
  testTimeoutMs,
)

test(
  'without a script, a form leads to the start time, and the link to YouTube has it',
  async () => {
    await viewer.open({ javaScriptEnabled: false })
    const url = await viewer.create({ source_url: source, title: 'Shared without a script', duration: 1800 })
    await viewer.page().goto(url)
    await share().locator('summary').click()
    await viewer.page().getByLabel('Link starting at').fill('1:30')
    await share().getByRole('button', { name: 'Open' }).click()
    await viewer.page().waitForURL(`${url}?t=1%3A30`)
    await viewer.page().locator('.player a').click()
    await viewer.page().waitForURL(`${source}&t=90s`)
    await viewer.page().goto(`${url}?t=45:00`)
    expect(await share().getByRole('alert').innerText()).toBe('This talk is 30:00 long. Enter an earlier time.')
  },
  testTimeoutMs,
)

test(
  'a time in a description seeks in the player of a host',
  async () => {
    const description = '0:10 The loom\n1:05 The lathe'
    const url = await viewer.create({ source_url: source, title: 'With times', description, duration: 300 })
    await viewer.page().goto(url)
    for (const [name, start] of [
      ['1:05', 65],
      ['0:10', 10],
    ] as const) {
      await viewer.page().getByRole('link', { name, exact: true }).click()
      await viewer.waitFor(`document.querySelector('.player iframe')?.src === '${frame}&start=${start}'`)
    }
    expect(viewer.page().url()).toBe(url)
  },
  testTimeoutMs,
)

test(
  'a time in a description seeks in a file',
  async () => {
    const file = { video_webm_url: `${viewer.media().url}/clip.webm`, duration: 120 }
    await viewer.page().goto(await viewer.create({ ...file, title: 'File with times', description: '0:12 The loom' }))
    await viewer.page().getByRole('link', { name: '0:12' }).click()
    await viewer.waitFor("document.querySelector('video').currentTime > 12.1")
  },
  testTimeoutMs,
)

test(
  'an address is copied from the subscribe menu, which closes with Escape',
  async () => {
    const url = await viewer.create({ category: 'Subscribed', video_mp4_url: 'https://files.example.org/a.mp4' })
    for (const [width, colorScheme] of [
      [1280, 'light'],
      [390, 'dark'],
    ] as const) {
      await viewer.page().setViewportSize({ width, height: 800 })
      await viewer.page().emulateMedia({ colorScheme })
      await viewer.page().goto(new URL('/category/subscribed', url).href)
      await viewer.page().getByText('Subscribe', { exact: true }).click()
      expect(await viewer.page().evaluate('document.documentElement.scrollWidth')).toBe(width)
      expect(await findViolations(viewer.page())).toEqual([])
      await viewer.page().locator('.subscribe button').nth(1).click()
      const podcast = new URL('/category/subscribed/feed.rss?format=mp4', url).href
      await viewer.waitFor(`navigator.clipboard.readText().then((text) => text === '${podcast}')`)
      await viewer.page().keyboard.press('Escape')
      expect(await viewer.page().locator('.subscribe .panel').isVisible()).toBe(false)
    }
  },
  testTimeoutMs,
)

test(
  'a feed is a readable page, whose links work',
  async () => {
    const url = await viewer.create({ category: 'Read in a browser', title: 'Woven' })
    await viewer.page().goto(new URL('/category/read-in-a-browser/feed.atom', url).href)
    expect(await viewer.page().locator('h1').innerText()).toBe('Talks at Read in a browser')
    expect(await viewer.page().getByText('This is a feed.').isVisible()).toBe(true)
    expect(await viewer.page().evaluate('getComputedStyle(document.querySelector("generator")).display')).toBe('none')
    await viewer.page().getByRole('link', { name: 'Woven' }).click()
    await viewer.page().waitForURL(url)
    await viewer.open({ viewport: { width: 390, height: 800 }, isMobile: true })
    await viewer.page().goto(new URL('/category/read-in-a-browser/feed.atom', url).href)
    expect(await viewer.page().evaluate('document.documentElement.clientWidth')).toBe(390)
  },
  testTimeoutMs,
)
