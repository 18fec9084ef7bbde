import { exchange } from '../harness/exchange.ts'
import type { Row } from '../harness/question.ts'
import { asBrowser, type PageKind, toTarget, waitForPages } from './page-requests.ts'

/** Pages of each kind whose sizes are read. */
const sizedPages = 20

/** What a browser transfers: pages of each kind with their heads, then style sheet and script together. */
export async function measureSizes(port: number, kinds: readonly PageKind[]): Promise<Row[]> {
  await waitForPages(port, kinds)
  const rows: Row[] = []
  for (const { name, requests } of kinds) {
    const targets = [...new Set(requests.map(toTarget))].slice(0, sizedPages)
    const values: number[] = []
    for (const target of targets) values.push((await exchange(port, asBrowser(target))).bytes / 1000)
    rows.push({ label: `size of ${name}`, unit: 'KB', values })
  }
  return [...rows, { label: 'size of style sheet and script', unit: 'KB', values: [await readAssetBytes(port)] }]
}

async function readAssetBytes(port: number): Promise<number> {
  const { body } = await exchange(port, { method: 'GET', target: '/about', headers: {} })
  const names = new Set(body.toString().match(/\/assets\/site-[0-9a-f]+\.(?:css|js)/g))
  if (names.size !== 2) throw new Error(`a page has ${names.size} assets instead of two`)
  let bytes = 0
  for (const target of names) bytes += (await exchange(port, asBrowser(target))).bytes
  return bytes / 1000
}
