import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { createToken } from '../harness/server.ts'
import { useCuratorStories } from './curator-story.ts'

// Runner: long, slow, one engine

const testTimeoutMs = 180_000
const { server, tell, enter, create, check } = useCuratorStories()

const toFile = (...texts: readonly string[]) =>
  `WEBVTT\n\n${texts.map((text, i) => `00:00:0${i}.000 --> 00:00:0${i + 1}.000\n${text}\n`).join('\n')}`

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const main = async (page: Page) => (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ')

async function choose(page: Page, text: string): Promise<void> {
  const file = { name: 'talk.en.vtt', mimeType: 'text/vtt', buffer: Buffer.from(text) }
  await page.getByLabel('File', { exact: true }).setInputFiles(file)
  await page.getByLabel('Language', { exact: true }).fill('English')
  await press(page, 'Preview')
}

async function put(id: number, file: string): Promise<void> {
  const headers = { Authorization: `Token ${server().adminKey}`, 'Content-Type': 'text/vtt' }
  const url = `${server().url}/api/v2/video/${id}/transcripts/en`
  expect((await fetch(url, { method: 'PUT', headers, body: file })).status).toBe(200)
}

async function readText(id: number): Promise<string> {
  const headers = { Authorization: `Token ${server().adminKey}` }
  return (await fetch(`${server().url}/api/v2/video/${id}/transcripts/en.txt`, { headers })).text()
}

describe.each([true, false])('With JavaScript: %p', (isScripted) => {
  test(
    'a broken file is refused with the line; the corrected one is previewed and saved',
    () =>
      tell(isScripted, 1, async (page) => {
        const id = await create({ title: 'Lighthouses', state: 2 })
        await enter(page, `/edit/video/${id}/transcripts`)
        await choose(page, 'WEBVTT\n\n00:01.000 -> 00:02.000\nHello')
        expect(await page.getByRole('alert').innerText()).toContain('Line 3, cue 1: Must have two times')
        if (isScripted) await check(page)
        await choose(page, toFile('<i>Hello</i>', 'sailors'))
        await page.getByText('Cues with tags or entities').waitFor()
        expect(await main(page)).toContain('Cues with tags or entities, now plain text: 1 Hello sailors')
        if (isScripted) await check(page)
        await press(page, 'Save')
        await page.getByText('The transcript is saved.').waitFor()
        expect(await readText(id)).toBe('Hello sailors\n')
      }),
    testTimeoutMs,
  )

  test(
    'two curators replace the same transcript: the second one sees the first, and both are in the history',
    () =>
      tell(isScripted, 2, async (ann, bob) => {
        if (ann === undefined || bob === undefined) throw new Error('two pages were asked for')
        const id = await create({ title: 'Buoys', state: 2 })
        await put(id, toFile('First'))
        const key = await createToken(server(), `bob ${isScripted}`, 'editor')
        await enter(ann, `/edit/video/${id}/transcripts`)
        await enter(bob, `/edit/video/${id}/transcripts`, key)
        await choose(ann, toFile('By Ann'))
        await choose(bob, toFile('By Bob'))
        await press(bob, 'Save')
        await bob.getByText('The transcript is saved.').waitFor()
        await press(ann, 'Save')
        expect(await ann.getByRole('alert').innerText()).toContain('somebody else has changed this transcript')
        expect(await ann.locator('.list-diff ins').innerText()).toContain('By Bob')
        if (isScripted) await check(ann)
        await press(ann, 'Save')
        await ann.getByText('The transcript is saved.').waitFor()
        expect(await readText(id)).toBe('By Ann\n')
        await ann.goto(`/edit/video/${id}/history/3`)
        expect(await main(ann)).toContain('By Bob')
      }),
    testTimeoutMs,
  )

  test(
    'a name is corrected in 40 talks at once, and all of it is undone',
    () =>
      tell(isScripted, 1, async (page) => {
        const category = `Harbour ${isScripted}`
        const ids: number[] = []
        for (let i = 0; i < 40; i++) ids.push(await create({ title: `Ropes ${i}`, category, state: 2 }))
        for (const id of ids) await put(id, toFile('We moor with Jango', 'every day'))
        await enter(page, `/edit/bulk?list=${encodeURIComponent(new URLSearchParams({ category }).toString())}`)
        await page.getByLabel('Words to find').fill('Jango')
        await page.getByLabel('Replacement words').fill('Django')
        if (isScripted) await check(page)
        await press(page, 'Preview')
        await page.getByRole('heading', { name: 'Preview of the change' }).waitFor()
        expect(await main(page)).toContain('Transcripts: replace “Jango” with “Django”')
        expect(await page.locator('.bulk-differences ins').count()).toBe(40)
        if (isScripted) await check(page)
        await press(page, 'Change 40 talks')
        await page.waitForURL(/batches\/\d+\?done=1/)
        expect(await main(page)).toContain('Transcripts: “Jango” replaced with “Django” in 40 talks')
        for (const id of ids) expect(await readText(id)).toBe('We moor with Django every day\n')
        const batch = page.url()
        await page.getByRole('button', { name: 'Undo' }).first().click()
        await page.waitForURL((url) => url.href !== batch)
        for (const id of ids) expect(await readText(id)).toBe('We moor with Jango every day\n')
      }),
    testTimeoutMs,
  )
})
