import { describe, expect, test } from 'bun:test'
import { loadDocsAssets } from '../../src/api/docs.ts'
import { isFields, parseFields, useService } from '../contract/service.ts'

test('behind a proxy, the page loads its files from below the path of the proxy', async () => {
  const { toPage, files } = await loadDocsAssets()
  const page = toPage({ base: 'https://example.org/videos', id: 7, operations: '' })
  const addresses = [...page.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address = '']) => address)
  const named = [...files.keys()].map((name) => `/videos/api/docs/${name}`)
  expect(addresses.sort()).toEqual([...named, '/videos/', '/videos/api/v2/openapi.json'].sort())
  expect(page).toContain("curl 'https://example.org/videos/api/v2/video/7?format=json'")
})

describe('The page itself', () => {
  const service = useService()

  test('begins with examples that run unchanged', async () => {
    await service.create({ title: 'On testing' })
    const { body } = await service.call({ method: 'GET', path: '/api/docs' })
    const examples = [...body.matchAll(/<pre[^>]*>(curl [^<]*)<\/pre>/g)].map(([, text = '']) =>
      text.replaceAll('&amp;', '&'),
    )
    expect(examples).toHaveLength(3)
    for (const example of examples) {
      const env = { ...process.env, ROSTRUM_TOKEN: service.keyOf('admin') }
      const { stdout, exitCode } = Bun.spawnSync(['sh', '-c', example.replace('curl ', 'curl --silent --fail ')], {
        env,
      })
      expect([example, exitCode]).toEqual([example, 0])
      const answer = JSON.parse(stdout.toString())
      expect(answer.title ?? answer.results).toBeDefined()
    }
  })

  test('shows every operation, and how to get a token, without JavaScript', async () => {
    const { body } = await service.call({ method: 'GET', path: '/api/docs' })
    const { paths } = parseFields(await service.call({ method: 'GET', path: '/api/v2/openapi.json' }))
    for (const path of Object.keys(isFields(paths) ? paths : {})) expect(body).toContain(` ${path}</code>`)
    expect(body).toContain('rostrum token create --name NAME --role editor')
    expect(body).toContain("from 'rostrum-client'")
    expect(body).toContain('<a href="/">')
  })
})
