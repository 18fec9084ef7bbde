import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { createToken } from '../harness/server.ts'
import { useCuratorStories } from './curator-story.ts'

// Runner: long, slow, one engine

const testTimeoutMs = 180_000
const { server, tell, enter, create, read, check } = useCuratorStories()

const toLines = (page: Page) => page.locator('textarea[name="field.lines"]')
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()
const main = async (page: Page) => (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ')

async function readCompanion(id: number, name: string): Promise<unknown> {
  const headers = { Authorization: `Token ${server().adminKey}` }
  return (await fetch(`${server().url}/api/v2/video/${id}/${name}`, { headers })).json()
}

describe.each([true, false])('With JavaScript: %p', (isScripted) => {
  test(
    'two people paste slides at once; they are undone and restored',
    () =>
      tell(isScripted, 2, async (ann, bob) => {
        if (ann === undefined || bob === undefined) throw new Error('two pages were asked for')
        const id = await create({ title: 'Lighthouses', state: 2 })
        const key = await createToken(server(), `bob ${isScripted}`, 'editor')
        const [slides, paper, code] = [
          'https://example.org/slides.pdf',
          'https://example.org/paper.pdf',
          'https://github.com/x/y',
        ]
        await enter(ann, `/edit/video/${id}/related`)
        await enter(bob, `/edit/video/${id}/related`, key)
        await toLines(bob).fill(`${paper} Paper`)
        await save(bob)
        await bob.waitForURL(/done=saved/)
        await toLines(ann).fill(`Slides: ${slides}\n\n${code}`)
        await save(ann)
        await ann.waitForURL(/done=merged/)
        expect(await ann.getByRole('status').innerText()).toContain(
          'Saved, together with what others have changed since.',
        )
        expect(await toLines(ann).inputValue()).toBe(`${slides} Slides\n${code}\n${paper} Paper`)
        if (isScripted) await check(ann)
        await toLines(bob).fill(`${paper} Preprint`)
        await save(bob)
        await bob.waitForURL(/done=merged/)
        await toLines(ann).fill(`${slides} Slides\n${code}\n${paper} Article`)
        await save(ann)
        const alert = ann.getByRole('alert')
        expect(await alert.innerText()).toContain(`bob ${isScripted} has changed the same link since you opened it`)
        expect(await alert.locator('dd').allInnerTexts()).toEqual([
          `${paper} Preprint`,
          `${paper} Article`,
          `${paper} Paper`,
        ])
        expect(await toLines(ann).inputValue()).toBe(`${slides} Slides\n${code}\n${paper} Article`)
        if (isScripted) await check(ann)
        await save(ann)
        await ann.waitForURL(/done=saved/)
        await ann.getByRole('status').getByRole('button', { name: 'Undo' }).click()
        await ann.waitForURL(/done=restored/)
        expect(await toLines(ann).inputValue()).toBe(`${slides} Slides\n${code}\n${paper} Preprint`)
        await ann.goto(`/edit/video/${id}/history`)
        if (isScripted) await check(ann)
        await ann.getByRole('link', { name: 'Restore the related links of version 5' }).click()
        await ann.waitForURL(/history\/5/)
        expect(await main(ann)).toContain('Restores the related links alone')
        if (isScripted) await check(ann)
        await ann.getByRole('button', { name: 'Restore the related links' }).click()
        expect(await ann.getByRole('status').innerText()).toContain('Version 5 restored.')
        expect(await readCompanion(id, 'related')).toMatchObject({
          links: [{ kind: 'slides' }, { kind: 'code' }, { label: 'Article' }],
        })
      }),
    testTimeoutMs,
  )

  test(
    'chapters are pasted, get the time of the player, and become drafts, which can be undone',
    () =>
      tell(isScripted, 1, async (page) => {
        const id = await create({ title: 'Lightning talks', video_mp4_url: `${server().url}/talks.mp4`, state: 2 })
        await enter(page, `/edit/video/${id}/chapters`)
        await toLines(page).fill('0:00 Welcome – Ada Sample\n12:04 Ten lines – Lin Probe')
        const button = page.getByRole('button', { name: 'Add a chapter at this time' })
        expect(await button.count()).toBe(isScripted ? 1 : 0)
        if (isScripted) {
          await page.evaluate('Object.defineProperty(document.querySelector("video"), "currentTime", { value: 125.7 })')
          await button.click()
          await page.keyboard.type('Knots')
          expect(await toLines(page).inputValue()).toContain('\n2:05 Knots\n12:04')
        }
        await save(page)
        await page.waitForURL(/done=saved/)
        if (isScripted) await check(page)
        await page.getByRole('button', { name: 'Make drafts of these chapters' }).click()
        await page.waitForURL(/batches\/\d+\?done=1/)
        const batch = page.url()
        expect(await main(page)).toContain(`${isScripted ? 3 : 2} drafts made of chapters`)
        const made = (await readCompanion(id, 'chapters')) as { chapters: { video: number }[] }
        expect(await read(made.chapters.at(-1)?.video ?? 0)).toMatchObject({
          title: 'Ten lines',
          speakers: ['Lin Probe'],
        })
        await page.getByRole('button', { name: 'Undo' }).first().click()
        await page.waitForURL((url) => url.href !== batch)
        const undone = (await readCompanion(id, 'chapters')) as { chapters: object[] }
        expect(undone.chapters[0]).toEqual({ start: 0, title: 'Welcome – Ada Sample' })
      }),
    testTimeoutMs,
  )
})
