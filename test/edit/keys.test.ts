import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { shortcutGroups } from '../../src/edit/shortcuts.ts'

const pages = resolve(import.meta.dir, '../../src/edit')
const shortcuts = shortcutGroups.flatMap((group) => group.shortcuts)
const known = shortcuts.map(({ keys }) => keys)

test('every key of a page is in the table of shortcuts', async () => {
  const used = new Set<string>()
  for await (const file of new Bun.Glob('**/*.tsx').scan(pages)) {
    const text = readFileSync(join(pages, file), 'utf8')
    for (const [, keys = ''] of text.matchAll(/data-key="([^"]+)"/g)) used.add(keys)
  }
  expect(used.size).toBeGreaterThan(5)
  expect([...used].filter((keys) => !known.includes(keys))).toEqual([])
})

test('no shortcut hides another one', () => {
  expect(known).toEqual([...new Set(known)])
  const hidden = known.filter((keys) => known.some((other) => other.startsWith(`${keys} `)))
  expect(hidden).toEqual([])
})

test('shortcuts are single keys, two of them, or Ctrl with one that browsers leave to pages', () => {
  const wellFormed = /^(?:[a-z?/](?: [a-z])?|[12]|1–9|Esc|Ctrl\+(?:S|(?:Shift\+)?Enter))$/
  expect(known.filter((keys) => !wellFormed.test(keys))).toEqual([])
  for (const { does } of shortcuts) expect(does).toMatch(/^[A-Z].*[^.]$/)
})
