import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { type HttpCall, readHead } from '../../src/http/route.ts'
import { clipFolder, createReadClip, findClip } from '../../src/site/asset/sample-clips.ts'
import { launchChromium } from './chromium.ts'

const clips = ['dusk', 'forest'].flatMap((clip) => [`${clip}.webm`, `${clip}.mp4`])
const page = '<!doctype html><video muted></video>'
const pictures = ['dusk.webp', 'forest.webp']

let browser: Browser
const readClip = createReadClip()
const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: answer })

beforeAll(async () => {
  browser = await launchChromium()
}, 180_000)

afterAll(async () => {
  await browser?.close()
  await server.stop(true)
})

function answer(request: Request): Response {
  const { pathname } = new URL(request.url)
  if (!pathname.startsWith(clipFolder)) return new Response(page, { headers: { 'Content-Type': 'text/html' } })
  const route = { path: `${clipFolder}/:file`, headers: new Headers() }
  const params = { file: pathname.slice(clipFolder.length + 1) }
  const call = { request, route, params, method: request.method, head: readHead(request.headers) }
  // The handler needs no more of a call than this.
  return readClip(call as unknown as HttpCall<'file'>)
}

test.each(clips)(
  'Chromium plays %s and seeks in it',
  async (name) => {
    const tab = await browser.newPage()
    try {
      await tab.goto(server.url.href)
      const seen = await tab.evaluate(`(${watch})(${JSON.stringify(`${clipFolder}/${name}`)})`)
      expect(seen).toEqual({ length: 20, shape: '640x360', played: true, position: 15, playedOn: true })
    } finally {
      await tab.close()
    }
  },
  180_000,
)

/** Plays half a second, seeks, and plays on from there. */
const watch = `async (address) => {
  const video = document.querySelector('video')
  const pass = async (from) => {
    for (let tries = 0; tries < 200 && video.currentTime < from + 0.5; tries++) await new Promise((go) => setTimeout(go, 50))
    return video.currentTime >= from + 0.5
  }
  video.src = address
  await video.play()
  const played = await pass(0)
  video.pause()
  const seeked = new Promise((done) => video.addEventListener('seeked', done, { once: true }))
  video.currentTime = 15
  await seeked
  const position = video.currentTime
  await video.play()
  const playedOn = await pass(15)
  const shape = video.videoWidth + 'x' + video.videoHeight
  return { length: Math.round(video.duration), shape, played, position, playedOn }
}`

test('they are small, and each has its type', () => {
  const files = [...clips, ...pictures].map((name) => ({ name, file: findClip(name) }))
  expect(files.map(({ file }) => file?.type)).toEqual([
    'video/webm',
    'video/mp4',
    'video/webm',
    'video/mp4',
    'image/webp',
    'image/webp',
  ])
  expect(files.reduce((sum, { file }) => sum + (file?.bytes.length ?? 0), 0)).toBeLessThan(300_000)
  expect(new Set(files.map(({ file }) => file?.etag)).size).toBe(files.length)
})

test.each(['', 'dusk', 'dusk.ogv', '../sample-clips.ts', 'dusk.mp4/', '__proto__', 'constructor'])(
  'there is no clip %p',
  (name) => expect(findClip(name)).toBeNull(),
)
