import { describe, expect, test } from 'bun:test'
import { testTimeoutMs, useViewer } from './viewer.ts'

// Runner: slow

const viewer = useViewer()

const createFile = () => viewer.create({ video_webm_url: `${viewer.media().url}/clip.webm`, duration: 20 })

interface Video {
  readonly currentTime: number
  readonly paused: boolean
  readonly playbackRate: number
  readonly muted: boolean
}

function readVideo(): Promise<Video> {
  const members = '({ currentTime, paused, playbackRate, muted }) => ({ currentTime, paused, playbackRate, muted })'
  return viewer.page().evaluate(`(${members})(document.querySelector('video'))`)
}

/** Waits until the video is past this second. */
async function waitForSecond(second: number): Promise<void> {
  await viewer.waitFor(`document.querySelector('video').currentTime > ${second}`)
}

async function seek(second: number): Promise<void> {
  await viewer.page().evaluate(`document.querySelector('video').currentTime = ${second}`)
}

describe('A file', () => {
  test(
    'plays when somebody presses play, and nothing is requested before',
    async () => {
      await viewer.page().goto(await createFile())
      await viewer.page().waitForTimeout(500)
      expect(viewer.media().requests).toEqual([])
      await viewer.page().locator('.big-play').click()
      await waitForSecond(0.3)
      expect(await readVideo()).toMatchObject({ paused: false })
      expect(viewer.media().requests[0]).toBe('/clip.webm bytes=0-')
      expect(viewer.foreign()).toEqual([])
    },
    testTimeoutMs,
  )

  for (const time of ['#t=12', '#t=0m12s', '?t=12', '?t=0:12']) {
    test(
      `starts at 12 seconds with ${time}`,
      async () => {
        await viewer.page().goto((await createFile()) + time)
        await viewer.page().keyboard.press('k')
        await waitForSecond(12.1)
        const { currentTime } = await readVideo()
        expect(currentTime).toBeLessThan(16)
      },
      testTimeoutMs,
    )
  }

  test(
    'continues where the viewer stopped, and forgets the position at its end',
    async () => {
      const url = await createFile()
      await viewer.page().goto(url)
      await viewer.page().keyboard.press('k')
      await waitForSecond(0.1)
      await seek(9)
      await viewer.page().keyboard.press('k')
      await viewer.page().reload()
      await viewer.waitFor("document.querySelector('video').currentTime >= 9")
      await viewer.page().keyboard.press('k')
      await waitForSecond(9)
      expect((await readVideo()).currentTime).toBeLessThan(13)
      await viewer.page().goto(`${url}#t=3`)
      await viewer.page().reload()
      expect((await readVideo()).currentTime).toBe(3)
      await viewer.page().keyboard.press('k')
      await waitForSecond(3)
      await seek(19.5)
      await viewer.waitFor("document.querySelector('video').ended")
      await viewer.page().goto(url)
      expect((await readVideo()).currentTime).toBe(0)
    },
    testTimeoutMs,
  )

  test(
    'reacts to keys, except in fields and when they are turned off',
    async () => {
      await viewer.page().goto(await createFile())
      await viewer.page().keyboard.press('Space')
      await waitForSecond(0.1)
      await viewer.page().keyboard.press('k')
      expect((await readVideo()).paused).toBe(true)
      await seek(2)
      await viewer.page().keyboard.press('ArrowRight')
      expect((await readVideo()).currentTime).toBe(12)
      await viewer.page().keyboard.press('j')
      expect((await readVideo()).currentTime).toBe(2)
      await viewer.page().keyboard.press('>')
      await viewer.page().keyboard.press('>')
      await viewer.page().keyboard.press('<')
      await viewer.page().keyboard.press('m')
      expect(await readVideo()).toMatchObject({ playbackRate: 1.25, muted: true, paused: true })
      expect(await viewer.page().locator('[data-speed] select').inputValue()).toBe('1.25')
      await viewer.page().locator('header input[type=search]').fill('k')
      await viewer.page().keyboard.press('k')
      expect((await readVideo()).paused).toBe(true)
      await viewer.page().locator('[data-keys] summary').click()
      await viewer.page().locator('[data-keys] input').uncheck()
      await viewer.page().locator('h1').click()
      await viewer.page().keyboard.press('k')
      expect((await readVideo()).paused).toBe(true)
      await viewer.page().reload()
      await viewer.page().keyboard.press('k')
      expect((await readVideo()).paused).toBe(true)
    },
    testTimeoutMs,
  )

  test(
    'seeks to a chapter, and the list marks the current one',
    async () => {
      const url = await createFile()
      await viewer.send('PUT', `video/${/video\/(\d+)/.exec(url)?.[1]}/chapters`, {
        chapters: [
          { start: 0, title: 'Opening' },
          { start: 6.5, title: 'Middle' },
          { start: 15, title: 'Questions' },
        ],
      })
      await viewer.page().goto(url)
      await viewer.page().getByText('Middle').click()
      await waitForSecond(6.5)
      expect(viewer.page().url()).toBe(url)
      const current = viewer.page().locator('.chapters [aria-current]')
      await viewer.waitFor("document.querySelector('.chapters [aria-current]')?.textContent === '0:06Middle'")
      await seek(16)
      await viewer.waitFor("document.querySelector('.chapters [aria-current]')?.textContent === '0:15Questions'")
      expect(await current.count()).toBe(1)
      await viewer.open({ javaScriptEnabled: false })
      await viewer.page().goto(url)
      await viewer.page().getByText('Questions').click()
      expect(viewer.page().url()).toBe(`${url}?t=15`)
      expect(await viewer.page().locator('source').getAttribute('src')).toEndWith('#t=15')
    },
    testTimeoutMs,
  )

  test(
    'of a longer recording plays only the part',
    async () => {
      const [whole, part] = [await createFile(), await viewer.create({ title: 'A part' })]
      const [wholeId, partId] = [whole, part].map((url) => Number(/video\/(\d+)/.exec(url)?.[1]))
      await viewer.send('PUT', `video/${wholeId}/chapters`, {
        chapters: [
          { start: 12, title: 'The part', end: 14, video: partId },
          { start: 16, title: 'The rest' },
        ],
      })
      await viewer.page().goto(part)
      await viewer.page().keyboard.press('k')
      await waitForSecond(12.1)
      await viewer.waitFor("document.querySelector('video').currentTime >= 14")
      await viewer.waitFor("document.querySelector('video').paused")
      expect((await readVideo()).currentTime).toBeLessThan(15.5)
      await viewer.page().reload()
      await viewer.page().keyboard.press('k')
      await waitForSecond(12.1)
      expect((await readVideo()).currentTime).toBeLessThan(14.5)
    },
    testTimeoutMs,
  )

  test(
    'is played at the chosen speed',
    async () => {
      await viewer.page().goto(await createFile())
      await viewer.page().locator('[data-speed] select').selectOption('2')
      await viewer.page().keyboard.press('k')
      await waitForSecond(0.1)
      expect((await readVideo()).playbackRate).toBe(2)
    },
    testTimeoutMs,
  )

  test(
    'can be linked at the current time',
    async () => {
      const url = await createFile()
      await viewer.page().goto(`${url}?t=7`)
      await viewer.page().getByText('Share', { exact: true }).click()
      await viewer.page().getByLabel('Link starting at').waitFor()
      await viewer.waitFor("document.querySelector('#share-time').value === '0:07'")
      await viewer.page().locator('.share form button').click()
      await viewer.waitFor("document.querySelector('.share form button').textContent === 'Copied'")
      expect(await viewer.page().evaluate('navigator.clipboard.readText()')).toBe(`${url}?t=7`)
    },
    testTimeoutMs,
  )

  test(
    'has the controls of the browser without a script',
    async () => {
      await viewer.open({ javaScriptEnabled: false })
      await viewer.page().goto(`${await createFile()}?t=12`)
      expect(await viewer.page().locator('video[controls] source').getAttribute('src')).toBe(
        `${viewer.media().url}/clip.webm#t=12`,
      )
      for (const part of [
        '.big-play',
        '[data-speed]',
        '[data-later]',
        '[data-watched]',
        '[data-keys]',
        '[data-copy]',
      ]) {
        expect([part, await viewer.page().locator(part).first().isVisible()]).toEqual([part, false])
      }
    },
    testTimeoutMs,
  )
})
