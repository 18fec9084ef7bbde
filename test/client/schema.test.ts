import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { toClientTypes } from '../../scripts/client-types.ts'

// Runner: one engine (the description and its page are static)

test('the types of the client are those of the description; if not, run bin/bun --dev scripts/client-types.ts', async () => {
  const file = join(import.meta.dir, '../../src/client/schema.ts')
  expect(await Bun.file(file).text()).toBe(await toClientTypes())
})
