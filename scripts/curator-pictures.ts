import type { Page } from 'playwright-core'
import { createToken, type Server } from '../test/harness/server.ts'

/** A page for curators, and the steps before its picture. */
interface CuratorPicture {
  readonly name: string
  open(page: Page, archive: Archive): Promise<unknown>
}

/** The actions of the other curator in these pictures. */
export interface Archive {
  readonly key: string
  patch(id: number, changes: Readonly<Record<string, unknown>>, reason: string): Promise<void>
}

/** Two curators, Ada and Ben; Ada makes the pictures. */
export async function openArchive(server: Server): Promise<Archive> {
  const [key, other] = [await createToken(server, 'Ada', 'publisher'), await createToken(server, 'Ben', 'publisher')]
  return {
    key,
    async patch(id, changes, reason) {
      const headers = {
        Authorization: `Token ${other}`,
        'Content-Type': 'application/json',
        'Change-Reason': reason,
      }
      const body = JSON.stringify(changes)
      const response = await fetch(`${server.url}/api/v2/video/${id}`, { method: 'PATCH', headers, body })
      if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
    },
  }
}

export async function signIn(page: Page, { key }: Archive): Promise<void> {
  await page.goto('/edit/sign-in')
  await page.getByLabel('Access token').fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

export const curatorPictures: readonly CuratorPicture[] = [
  { name: 'edit-lists', open: (page) => page.goto('/edit') },
  {
    name: 'edit-talk',
    async open(page) {
      await page.goto('/edit/list?state=2')
      await page.locator('.edit-table tbody a').first().click()
      await page.waitForLoadState()
      await page.locator('#field-title').waitFor()
      // The talk opens at the first field that needs work.
      await page.evaluate('scrollTo(0, 0)')
    },
  },
  {
    name: 'edit-conflict',
    async open(page, { patch }) {
      await page.goto('/edit/video/1')
      await page.locator('[name="field.title"]').fill('What the Tide Tables Told Us About Caching')
      await patch(1, { title: 'What Tide Tables Taught Us About Caching' }, 'as on the slides')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.locator('.conflict').first().waitFor()
    },
  },
  { name: 'edit-history', open: (page) => page.goto('/edit/video/1/history') },
  {
    name: 'edit-bulk',
    async open(page) {
      await page.goto('/edit/bulk?id=1&id=2&id=3')
      await page.locator('[name="field.copyright_text"]').fill('CC BY-SA 4.0')
      await page.getByRole('button', { name: 'Preview' }).click()
      await page.locator('.bulk-counts').waitFor()
    },
  },
  {
    name: 'edit-variants',
    async open(page, { patch }) {
      await patch(3, { tags: ['Caching', 'teams'] }, 'tags')
      await patch(4, { tags: ['CACHING'] }, 'tags')
      await page.goto('/edit/variants/tag')
      // The page loads itself again until the names have been compared.
      await page.locator('h1', { hasNotText: 'Still searching' }).waitFor()
    },
  },
]
