import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { createToken } from '../harness/server.ts'
import { useCuratorStories } from './curator-story.ts'
import { createHostileRecord } from './hostile-markup.ts'

// Runner: long, slow, one engine

const testTimeoutMs = 180_000
const { server, tell, enter, path, create, read, check } = useCuratorStories()

/** A change by the API. */
async function change(id: number, fields: unknown, reason = '', key = server().adminKey): Promise<void> {
  const answer = await fetch(`${server().url}/api/v2/video/${id}`, {
    method: 'PATCH',
    headers: {
      Authorization: `Token ${key}`,
      'Content-Type': 'application/json',
      'Change-Reason': Buffer.from(reason).toString('latin1'),
    },
    body: JSON.stringify(fields),
  })
  expect(answer.status).toBe(200)
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).textContent()
const main = async (page: Page) => (await page.locator('main').textContent()) ?? ''

describe.each([true, false])('With JavaScript: %p', (isScripted) => {
  test(
    'two versions are compared, and the older one is restored although somebody else saves first',
    () =>
      tell(isScripted, 1, async (page) => {
        const id = await create({ title: 'Lanterns', summary: 'How harbours are lit at night.' })
        await change(id, { summary: 'How harbours were lit at night.' }, 'past')
        await change(id, { tags: ['light'] })
        await enter(page, `/edit/video/${id}/history`)
        expect(await heading(page)).toBe('Lanterns')
        await page.getByLabel('From version 1').check()
        await page.getByLabel('To version 2').check()
        await page.getByRole('button', { name: 'Compare' }).first().click()
        expect(path(page)).toBe(`/edit/video/${id}/compare?to=2&from=1`)
        expect(await page.locator('.record-diff del').innerText()).toContain('are')
        expect(await page.locator('.record-diff ins').innerText()).toContain('were')
        await page.getByRole('link', { name: 'Swap' }).click()
        expect(await page.locator('.record-diff ins').innerText()).toContain('are')
        await page.getByRole('link', { name: 'Restore version 1' }).click()
        await page.getByLabel('Reason').fill('It still is so')
        await change(id, { language: 'English' })
        await page.getByRole('button', { name: 'Restore this version' }).click()
        expect(await main(page)).toContain('Changes since you opened this page')
        expect(await page.getByLabel('Reason').inputValue()).toBe('It still is so')
        expect((await read(id)).summary).toBe('How harbours were lit at night.')
        await page.getByRole('button', { name: 'Restore this version' }).click()
        expect(await page.getByRole('status').textContent()).toContain('Version 1 restored.')
        expect(await main(page)).toContain('It still is so')
        expect(await read(id)).toMatchObject({ summary: 'How harbours are lit at night.', language: '', tags: [] })
      }),
    testTimeoutMs,
  )

  test(
    'a curator goes from the changes of an event to one of them',
    () =>
      tell(isScripted, 1, async (page) => {
        const id = await create({ title: `Pilots ${isScripted}`, category: `Roads ${isScripted}` })
        await change(id, { duration: 90 }, 'measured')
        await enter(page, '/edit/changes')
        await page.getByLabel('Event').fill(`Roads ${isScripted}`)
        await page.getByRole('button', { name: 'Show' }).click()
        expect(await heading(page)).toBe(`Changes to talks at Roads ${isScripted}`)
        expect(await main(page)).toContain('measured')
        await page.getByRole('link', { name: `Diff of Pilots ${isScripted}` }).click()
        expect(await page.locator('.record-diff').innerText()).toContain('1:30')
      }),
    testTimeoutMs,
  )
})

test(
  'hostile authors, reasons, titles and fields run nothing, and every page fits and is accessible',
  () =>
    tell(true, 1, async (page) => {
      const hostile = createHostileRecord('https://collector.example.org')
      const key = await createToken(server(), '"><img src=x onerror=window.pwned=1><script>', 'admin')
      const id = await create({ title: 'Plain', state: 1, category: hostile.category })
      await change(id, hostile, '</q><script>window.pwned=1</script>', key)
      await change(
        id,
        { summary: `${hostile.summary} ${'x'.repeat(3_000)}` },
        '"><img src=x onerror=window.pwned=1>',
        key,
      )
      const batch = await fetch(`${server().url}/api/v2/batches`, {
        method: 'POST',
        headers: { Authorization: `Token ${key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ select: { ids: [id] }, patch: { tags: [] }, reason: '<svg onload=window.pwned=1>' }),
      })
      expect(batch.status).toBe(201)
      await enter(page, '/edit/batches')
      const slug = await findSlug(id)
      for (const address of [
        `/edit/video/${id}/history`,
        `/edit/video/${id}/compare?from=1&to=3`,
        `/edit/video/${id}/history/1`,
        '/edit/changes',
        `/edit/changes?category=${slug}`,
        `/edit/changes?by=${encodeURIComponent('"><script>window.pwned=1</script>')}&day=<b>&category=<i>`,
        '/edit/batches',
        '/edit/batches/1?done=1',
      ]) {
        await page.goto(address)
        await check(page)
        expect([address, await page.evaluate('window.pwned')]).toEqual([address, undefined])
      }
    }),
  2 * testTimeoutMs,
)

test(
  'a phone shows everything about a batch',
  () =>
    tell(true, 1, async (page) => {
      const ids = [await create({ title: 'Narrow', state: 1 }), await create({ title: 'Narrower', state: 1 })]
      await fetch(`${server().url}/api/v2/batches`, {
        method: 'POST',
        headers: { Authorization: `Token ${server().adminKey}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ select: { ids }, patch: { tags: ['narrow'] }, reason: `On a phone ${'x'.repeat(100)}` }),
      })
      await page.setViewportSize({ width: 360, height: 640 })
      await enter(page, '/edit/batches')
      const row = page.locator('.batch-table tbody tr', { hasText: 'On a phone' })
      expect(await row.innerText()).toMatch(/narrow in 2 talks\s+On a phone x+\s+by ROSTRUM_ADMIN_TOKEN\s.*UTC\s+Undo/)
      const cut =
        'Math.max(...[...document.querySelectorAll(".batch-table")].map((e) => e.scrollWidth - e.clientWidth))'
      expect(await page.evaluate(cut)).toBe(0)
    }),
  testTimeoutMs,
)

/** The slug of the event of a talk. */
async function findSlug(id: number): Promise<string> {
  const { category } = await read(id)
  const answer = await fetch(`${server().url}/api/v2/category?page_size=100`)
  // What the API answers.
  const { results } = (await answer.json()) as { readonly results: readonly { title: string; slug: string }[] }
  return results.find(({ title }) => title === category)?.slug ?? ''
}
