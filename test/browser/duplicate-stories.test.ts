import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { sample } from '../harness/runs.ts'
import { useCuratorStories } from './curator-story.ts'

// Runner: slow

const { server, tell, enter, create, read, check, path } = useCuratorStories()
const timeoutMs = 120_000

let made = 0

/** Two talks with one video. */
async function createPair(...talks: readonly Readonly<Record<string, unknown>>[]): Promise<number[]> {
  const source_url = `https://example.org/same-${++made}`
  const ids: number[] = []
  for (const talk of talks) ids.push(await create({ title: 'Tides', state: 1, source_url, ...talk }))
  return ids
}

const heading = (page: Page) => page.getByText(/^Pair \d+ of \d+$/)

describe.each(sample([[true], [false]]))('With scripts: %p', (isScripted) => {
  test(
    'a curator finishes every pair of duplicates, takes a value of the other talk, and undoes one decision',
    () =>
      tell(isScripted, 1, async (page) => {
        const [kept = 0, other = 0] = await createPair({ summary: 'Short' }, { summary: 'Long', speakers: ['Ann'] })
        await createPair({ title: 'Buoys' }, { title: 'Ropes' })
        const [third = 0, fourth = 0] = await createPair({ title: 'Knots' }, { title: 'Knots' })
        await enter(page, '/edit')
        await page.getByRole('link', { name: /^Pairs with the same video/ }).click()
        expect(await heading(page).textContent()).toBe('Pair 1 of 3')
        if (isScripted) await check(page)
        await page.getByRole('group', { name: 'Summary' }).getByLabel('Take this').nth(1).check()
        await page.getByRole('button', { name: 'Keep this one' }).first().click()
        await page.getByText('Merged into “Tides”.').waitFor()
        expect(await read(kept)).toMatchObject({ summary: 'Long', speakers: ['Ann'], state: 1 })
        expect(await read(other)).toMatchObject({ state: 2 })
        if (isScripted) await check(page)
        await page.getByRole('button', { name: 'Undo' }).click()
        await page.getByText('Undone.').waitFor()
        expect(await read(kept)).toMatchObject({ summary: 'Short', speakers: [] })
        await page.getByRole('button', { name: 'Keep this one' }).first().click()
        expect(await heading(page).textContent()).toBe('Pair 1 of 2')
        const box = await page.getByRole('button', { name: 'Not the same' }).boundingBox()
        // In sight, however long the texts are.
        expect(box?.y).toBeLessThan(480)
        if (isScripted) await page.keyboard.press('y')
        else await page.getByRole('button', { name: 'Not the same' }).click()
        await page.getByText('Marked as different talks.').waitFor()
        if (isScripted) await page.keyboard.press('2')
        else await page.getByRole('button', { name: 'Keep this one' }).nth(1).click()
        await page.getByText('No two talks have the same video').waitFor()
        expect(await page.getByRole('link', { name: 'Go on: same title in one event' }).count()).toBe(1)
        expect([(await read(third)).state, (await read(fourth)).state]).toEqual([2, 1])
        // A visitor who follows an old link arrives at the kept talk.
        await page.goto(`/video/${third}`)
        expect(path(page)).toStartWith(`/video/${fourth}/`)
      }),
    timeoutMs,
  )

  test(
    'an undo of 201 talks needs their number, and does nothing without it',
    () =>
      tell(isScripted, 1, async (page) => {
        const ids: number[] = []
        for (let i = 0; i < 201; i++) ids.push(await create({ title: `Mass ${isScripted} ${i}`, state: 1 }))
        const answer = await fetch(`${server().url}/api/v2/batches`, {
          method: 'POST',
          headers: { Authorization: `Token ${server().adminKey}`, 'Content-Type': 'application/json' },
          body: JSON.stringify({ select: { ids }, patch: { language: 'Dutch' } }),
        })
        const { id }: { id: number } = JSON.parse(await answer.text())
        await enter(page, '/edit/batches')
        await page.getByRole('link', { name: 'Language set to Dutch in 201 talks' }).first().click()
        await page.getByRole('button', { name: `Undo bulk change ${id}` }).click()
        await page.getByText('This changes 201 talks.').waitFor()
        if (isScripted) await check(page)
        await page.getByLabel(/Type 201 to confirm/).fill('200')
        await page.getByRole('button', { name: 'Undo' }).click()
        await page.getByText('This is not the number of talks.').waitFor()
        expect(await read(ids[200] ?? 0)).toMatchObject({ language: 'Dutch' })
        await page.getByLabel(/Type 201 to confirm/).fill('201')
        await page.getByRole('button', { name: 'Undo' }).click()
        await page.getByRole('heading', { name: 'Undone: Language set to Dutch in 201 talks' }).waitFor()
        expect(await read(ids[200] ?? 0)).toMatchObject({ language: '' })
      }),
    timeoutMs,
  )
})
