import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { useCuratorStories } from './curator-story.ts'
import { createHostileRecord } from './hostile-markup.ts'

// Runner: long, slow

const { tell, enter, create, path } = useCuratorStories()
/** Nobody listens there; a request to it fails the story. */
const collector = 'http://127.0.0.1:9'
const settleMs = 250

/** On a busy machine our script focuses the first field before the browser does. */
const isOfBrowser = (text: string) => text.startsWith('Autofocus processing was blocked')

test(
  'hostile texts in every field run nothing in the editor, on its conflict page and in what will change',
  () =>
    tell(true, 2, async (page, other) => {
      const said: string[] = []
      for (const each of [page, other]) {
        each.on('console', (message) => isOfBrowser(message.text()) || said.push(`${path(each)}: ${message.text()}`))
        each.on('dialog', (dialog) => {
          if (dialog.type() !== 'beforeunload') said.push(dialog.message())
          return dialog.accept()
        })
      }
      const id = await create({ ...createHostileRecord(collector), state: 2 })
      const look = async (each: Page) => {
        await Bun.sleep(settleMs)
        expect(await each.evaluate('window.pwned')).toBeUndefined()
        expect(await each.locator('iframe, object, embed, main script, main style, [onload], [onerror]').count()).toBe(
          0,
        )
      }
      const hostile = '</title></textarea><img src=x onerror=window.pwned=1>'
      await enter(page, `/edit/video/${id}?list=${encodeURIComponent(hostile)}`)
      await enter(other, `/edit/video/${id}`)
      await look(page)
      await page.locator('#field-title').fill(`${hostile} mine`)
      await page.locator('#field-duration').fill(hostile)
      await page.getByLabel('Reason').fill(hostile)
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.locator('.error-summary').waitFor()
      await look(page)
      await page.locator('#field-duration').fill('')
      await page.getByRole('button', { name: 'What will change?' }).click()
      await page.locator('#review').waitFor()
      await look(page)
      await other.locator('#field-title').fill(`${hostile} theirs`)
      await other.getByRole('button', { name: 'Save', exact: true }).click()
      await other.getByText('Saved as version 2.').waitFor()
      await look(other)
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.locator('.conflict').first().waitFor()
      await look(page)
      // The console has the answers to forms with errors, and hints about the sign-in form.
      expect(said.filter((text) => !/status of (?:422|409)|\[DOM\] Password/.test(text))).toEqual([])
    }),
  120_000,
)
