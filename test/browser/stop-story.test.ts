import { expect, test } from 'bun:test'
import { runRostrum } from '../archive/command.ts'
import { writeRecords } from '../contract/importing.ts'
import { withFolder } from '../faults/scratch.ts'
import { useCuratorStories } from './curator-story.ts'

// Runner: long

const { server, tell, enter } = useCuratorStories()
/** More than go in one transaction, so that the undo runs in slices. */
const count = 10_200
const timeoutMs = 240_000

test(
  'an admin stops an undo of a large import while it runs, without scripts, and undoes the part that was done',
  () =>
    withFolder((folder) =>
      tell(false, 1, async (page) => {
        const talks = Array.from({ length: count }, (_, i) => ({ category: 'Large', title: `Talk ${i}` }))
        const archive = writeRecords(folder, 'large.ndjson', talks)
        expect((await runRostrum('import', archive, '--db', server().db)).exitCode).toBe(0)
        await enter(page, '/edit/batches')
        const headers = { Authorization: `Token ${server().adminKey}` }
        const asked = fetch(`${server().url}/api/v2/batches/1/undo`, { method: 'POST', headers })
        const stop = page.getByRole('button', { name: 'Stop bulk change 2' })
        while ((await stop.count()) === 0) await page.goto('/edit/batches')
        await page.goto('/edit/batches/2')
        await page.getByText('the talks that are done may stay changed').waitFor()
        await stop.click()
        await asked
        await page.goto('/edit/batches/2')
        await page.getByText(/^Stopped after [\d,]+ of 10,200 talks\./).waitFor()
        await page.getByRole('button', { name: 'Undo bulk change 2' }).click()
        const [, number = ''] = /Type (\d+) to confirm/.exec((await page.locator('main').textContent()) ?? '') ?? []
        // Up to 200 talks are not asked for.
        if (number !== '') {
          await page.getByLabel(/to confirm/).fill(number)
          await page.getByRole('button', { name: 'Undo' }).click()
        }
        await page.getByRole('heading', { name: /^Undone: Undo of bulk change 1/ }).waitFor({ timeout: timeoutMs })
        const { count: drafts } = JSON.parse(
          await (await fetch(`${server().url}/api/v2/video?state=2&page_size=1`, { headers })).text(),
        )
        expect(drafts).toBe(0)
      }),
    ),
  timeoutMs,
)
