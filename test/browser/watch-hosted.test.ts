import { describe, expect, test } from 'bun:test'
import { testTimeoutMs, useViewer } from './viewer.ts'

// Runner: long, slow

const viewer = useViewer()

describe('A video at YouTube', () => {
  const source = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'
  const thumbnail = 'https://i.ytimg.com/vi/dQw4w9WgXcQ/hqdefault.jpg'

  test(
    'requests only its picture, until a click loads its player without cookies',
    async () => {
      await viewer
        .page()
        .goto(`${await viewer.create({ source_url: source, thumbnail_url: thumbnail, title: 'Hosted' })}#t=90`)
      await viewer.page().waitForTimeout(500)
      expect(viewer.foreign()).toEqual([thumbnail])
      expect(await viewer.page().locator('iframe').count()).toBe(0)
      await viewer.page().locator('.player a').click()
      const frame = 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1&start=90'
      await viewer.page().frameLocator('.player iframe').locator('title').waitFor({ state: 'attached' })
      expect(viewer.foreign()).toEqual([thumbnail, frame])
      const iframe = viewer.page().locator('.player iframe')
      expect(await iframe.getAttribute('allow')).toBe('autoplay; fullscreen; picture-in-picture')
      expect(await iframe.getAttribute('title')).toBe('Hosted')
    },
    testTimeoutMs,
  )

  test(
    'is played by keyboard',
    async () => {
      await viewer.page().goto(await viewer.create({ source_url: source, category: 'By keyboard' }))
      await viewer.page().locator('.player a').focus()
      await viewer.page().keyboard.press('Enter')
      await viewer.page().frameLocator('.player iframe').locator('title').waitFor({ state: 'attached' })
      expect(viewer.foreign()).toEqual(['https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1'])
    },
    testTimeoutMs,
  )

  test(
    'is in view when a time far below it plays it',
    async () => {
      const description = `${'A paragraph.\n\n'.repeat(60)}1:30 The end`
      const talk = await viewer.create({ source_url: source, category: 'Below', duration: 600, description })
      await viewer.page().goto(talk)
      await viewer.page().getByRole('link', { name: '1:30' }).click()
      const top = "document.querySelector('.player iframe').getBoundingClientRect().top"
      await viewer.waitFor(`${top} >= 0 && ${top} < innerHeight / 2`)
    },
    testTimeoutMs,
  )

  test(
    'is a link to its page without a script',
    async () => {
      await viewer.open({ javaScriptEnabled: false })
      await viewer.page().goto(await viewer.create({ source_url: source, category: 'Without a script' }))
      await viewer.page().locator('.player a').click()
      await viewer.page().waitForURL(source)
      expect(viewer.foreign()).toEqual([source])
    },
    testTimeoutMs,
  )

  test(
    'shows the generated picture in place of a placeholder',
    async () => {
      const none = 'https://i.ytimg.com/vi/none/hqdefault.jpg'
      await viewer.page().goto(await viewer.create({ source_url: source, thumbnail_url: none, category: 'Alone' }))
      await viewer.waitFor("document.querySelector('.backdrop img') === null")
      expect(await viewer.page().locator('.backdrop .generated').isVisible()).toBe(true)
      await viewer
        .page()
        .goto(await viewer.create({ source_url: source, thumbnail_url: thumbnail, category: 'Alone as well' }))
      await viewer.page().waitForTimeout(500)
      expect(await viewer.page().locator('.backdrop img').count()).toBe(1)
    },
    testTimeoutMs,
  )

  test(
    'plays in a frame of another site',
    async () => {
      const url = await viewer.create({ source_url: source, title: 'Framed' })
      await viewer.page().goto(url.replace(/video\/(\d+).*/, 'embed/$1?t=30'))
      await viewer.page().locator('.player a').click()
      await viewer.page().frameLocator('.player iframe').locator('title').waitFor({ state: 'attached' })
      expect(viewer.foreign()).toEqual(['https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1&start=30'])
    },
    testTimeoutMs,
  )
})

test('no text of a record makes the page wider than a phone', async () => {
  const long = 'w'.repeat(100)
  const fields = {
    title: `Long ${'W'.repeat(200)}`,
    category: `Event ${'E'.repeat(200)}`,
    speakers: Array.from({ length: 30 }, (_, i) => `${long}${i}`),
    tags: Array.from({ length: 200 }, (_, i) => `${long.slice(0, 90)}${i}`),
    summary: 'x'.repeat(5_000),
    description: `\`\`\`\n${long.repeat(10)}\n\`\`\`\n\n| a | b |\n|---|---|\n| ${long} | ${long} |\n\n${'y'.repeat(5_000)}`,
    copyright_text: 'z'.repeat(2_000),
    source_url: `https://example.org/${long}`,
  }
  // As the next talk, in the list of the event, and of the same speakers.
  for (const category of [fields.category, fields.category, fields.category, 'Another event']) {
    await viewer.create({ ...fields, category })
  }
  const url = await viewer.create(fields)
  for (const width of [320, 768, 1280]) {
    await viewer.page().setViewportSize({ width, height: 800 })
    await viewer.page().goto(url)
    expect(await viewer.page().evaluate('document.documentElement.scrollWidth')).toBe(width)
  }
}, 180_000)
