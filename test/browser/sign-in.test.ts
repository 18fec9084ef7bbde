import { describe, expect, test } from 'bun:test'
import { longTest, sample } from '../harness/runs.ts'
import { useCuratorStories } from './curator-story.ts'

// Runner: slow

const { tell, fillIn, path, check } = useCuratorStories(['--sample'])

describe.each(sample([true, false]))('With JavaScript: %p', (isScripted) => {
  test(
    'a curator opens the editor from a talk, signs in, sees the sessions, and signs out',
    () =>
      tell(isScripted, 1, async (page) => {
        await page.goto('/video/1')
        await page.getByRole('link', { name: 'Edit', exact: true }).click()
        expect(path(page)).toBe('/edit/sign-in?next=%2Fedit%2Fvideo%2F1')
        await fillIn(page, 'rst_mistyped')
        expect(await page.getByRole('alert').textContent()).toContain('not valid')
        await fillIn(page)
        expect(path(page)).toBe('/edit/video/1')
        await page.getByRole('link', { name: 'ROSTRUM_ADMIN_TOKEN (admin)' }).click()
        expect(path(page)).toBe('/edit/sessions')
        expect(await page.getByRole('rowheader').textContent()).toContain('Chrome on Linux (this one)')
        await page.getByRole('button', { name: 'Sign out' }).click()
        expect(path(page)).toBe('/edit/sign-in')
        await page.goto('/edit/sessions')
        expect(path(page)).toBe('/edit/sign-in?next=%2Fedit%2Fsessions')
        await page.goBack()
        expect(await page.getByRole('rowheader').count()).toBe(0)
      }),
    180_000,
  )

  test(
    'a form whose session has ended is sent after signing in again',
    () =>
      tell(isScripted, 3, async (page, other, third) => {
        for (const each of [page, other, third]) {
          await each.goto('/edit/sessions')
          await fillIn(each)
        }
        await page.reload()
        await other.reload()
        await other.getByRole('button', { name: 'End all others' }).click()
        expect(await other.getByRole('rowheader').count()).toBe(1)
        // The page still has its button, but no session any more.
        await page.getByRole('button', { name: 'End all others' }).click()
        expect(await page.getByRole('alert').textContent()).toContain('session has ended')
        await fillIn(page)
        if (!isScripted) await page.getByRole('button', { name: 'Send', exact: true }).click()
        await page.waitForURL('**/edit/sessions')
        expect(await page.getByRole('rowheader').count()).toBe(1)
        await other.reload()
        expect(path(other)).toBe('/edit/sign-in?next=%2Fedit%2Fsessions')
        await page.getByRole('button', { name: 'Sign out' }).click()
      }),
    180_000,
  )
})

longTest(
  'the pages have no violations, on a desktop and on a phone',
  () =>
    tell(true, 1, async (page) => {
      await page.goto('/edit/sign-in')
      await fillIn(page, 'rst_mistyped')
      await check(page)
      await fillIn(page)
      for (const address of ['/edit', '/edit/sessions', '/edit/video/1', '/edit/sign-in']) {
        await page.goto(address)
        await check(page)
      }
    }),
  120_000,
)
