import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { until } from '../harness/until.ts'
import { requireBatch } from './bulk-pages.ts'
import { openTable, readTableCounts, textOf } from './edit-table-pages.ts'
import { listPath, parseFields, useService } from './service.ts'
import { batchPath, undo } from './versions.ts'

// Runner: slow, long

const service = useService({ roles: ['publisher'], timeoutMs: 120_000 })
const count = 10_000

/** Nearly 5 MiB; with all of its columns, the download has nearly 10 MiB. */
const rows = Array.from({ length: count }, (_, i) => `Tide ${i},Ten Thousand,"${`${i} `.padEnd(480, 'word ')}"`)
const table = ['title,event,description', ...rows].join('\n')

/** Several copies of the table, its rows and their versions fit; one per page would not. */
const maxMoreMegabytes = 600

function readMegabytes(): number {
  const status = readFileSync(`/proc/${service.server().process.pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024
}

async function countDrafts(): Promise<unknown> {
  const path = `${listPath}?category=Ten+Thousand&state=2&page_size=1`
  return parseFields(await service.call({ method: 'GET', path, as: 'admin' })).count
}

/** A batch that takes long goes on after the answer. */
async function finish(batch: number): Promise<number> {
  await until('the batch is done', async () => {
    const read = await service.call({ method: 'GET', path: `${batchPath}/${batch}`, as: 'admin' })
    return parseFields(read).state === 'done'
  })
  return batch
}

test('Ten thousand talks are uploaded, previewed, created, changed, and reverted', async () => {
  const { curator, upload, press } = await openTable(service)
  const before = readMegabytes()
  const preview = await upload(table)
  expect([preview.status, readTableCounts(preview)]).toEqual([200, [count, 0, 0, 0]])
  expect(textOf(await press(preview, 'page-50'))).toContain('51 to 100 of 10,000')
  const unconfirmed = await press(preview, 'apply')
  expect([textOf(unconfirmed), await countDrafts()]).toEqual([expect.stringContaining('Type 10000 to confirm.'), 0])
  const created = await finish(requireBatch(await press(unconfirmed, 'apply', [['talk_count', '10000']])))
  expect(await countDrafts()).toBe(count)
  expect(textOf(await curator.get(`/edit/batches/${created}?done=1`))).toContain('Publish these 10,000 drafts …')

  const csv = (await curator.get('/edit/list.csv?category=Ten+Thousand')).body
  const changed = await upload(csv.replaceAll('"Tide ', '"Ebb '))
  expect(readTableCounts(changed)).toEqual([0, count, 0, 0])
  const applied = await finish(requireBatch(await press(changed, 'apply', [['talk_count', '10,000']])))
  await finish(Number(parseFields(await undo(service, applied)).id))
  expect(readTableCounts(await upload(csv))).toEqual([0, 0, count, 0])
  expect(readMegabytes() - before).toBeLessThan(maxMoreMegabytes)
}, 600_000)
