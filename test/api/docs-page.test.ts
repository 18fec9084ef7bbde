import { expect, test } from 'bun:test'
import { loadDocsAssets } from '../../src/api/docs/docs-assets.ts'

test('behind a proxy the page finds its files below the proxy’s path', async () => {
  const { toPage, files } = await loadDocsAssets()
  const addresses = [...toPage('/videos').matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address = '']) => address)
  const named = [...files.keys()].map((name) => `/videos/api/docs/${name}`)
  expect(addresses.sort()).toEqual([...named, '/videos/api/v2/openapi.json'].sort())
})
