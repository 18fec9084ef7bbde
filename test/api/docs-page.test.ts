import { expect, test } from 'bun:test'
import { join, resolve } from 'node:path'
import { loadDocsAssets } from '../../src/api/docs/docs-assets.ts'

const root = resolve(import.meta.dir, '../..')

test('the scripts of the reference page have sound types', () => {
  const command = [join(root, 'node_modules/typescript/bin/tsc'), '--noEmit', '-p', join(root, 'src/api/docs-page')]
  const { exitCode, stdout } = Bun.spawnSync([process.execPath, ...command])
  expect({ exitCode, said: stdout.toString() }).toEqual({ exitCode: 0, said: '' })
})

test('behind a proxy the page finds its files below the proxy’s path', async () => {
  const { toPage, files } = await loadDocsAssets()
  const addresses = [...toPage('/videos').matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address = '']) => address)
  const named = [...files.keys()].map((name) => `/videos/api/docs/${name}`)
  expect(addresses.sort()).toEqual([...named, '/videos/api/v2/openapi.json'].sort())
})
