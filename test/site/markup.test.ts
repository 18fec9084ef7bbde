import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { HtmlValidate } from 'html-validate'
import { type Server, startServer } from '../harness/server.ts'
import { listPages, type PageCase } from './every-page.ts'
import { type HostileSite, startHostileSite } from './hostile-archive.ts'

const validator = new HtmlValidate({
  extends: ['html-validate:recommended', 'html-validate:document'],
  rules: {
    // Preact writes <br/>, Markdown <br>; both are valid.
    'void-style': 'off',
    // Lower case as in the HTML standard.
    'doctype-style': ['error', { style: 'lowercase' }],
    // Everything that pages load is ours.
    'require-sri': ['error', { target: 'crossorigin' }],
    // Titles of talks have up to 255 characters.
    'long-title': 'off',
    // ARIA allows to name a list.
    'aria-label-misuse': ['error', { allowAnyNamable: true }],
  },
})

async function findErrors(server: Server, pages: readonly PageCase[]): Promise<readonly string[]> {
  const found: string[] = []
  for (const { name, path, status } of pages) {
    const answer = await fetch(server.url + path, { headers: { Accept: 'text/html' }, redirect: 'manual' })
    expect([path, answer.status, answer.headers.get('Content-Type')]).toEqual([
      path,
      status,
      'text/html; charset=utf-8',
    ])
    const { results } = await validator.validateString(await answer.text())
    const messages = results.flatMap((result) => result.messages)
    found.push(...messages.map(({ ruleId, message, selector }) => `${name}: ${ruleId}: ${message} (${selector})`))
  }
  return [...new Set(found)]
}

describe('The HTML of every page is valid', () => {
  let server: Server
  let hostile: HostileSite
  beforeAll(async () => {
    server = await startServer({ args: ['--threads', '1', '--query-threads', '1', '--list-ms', '8000', '--sample'] })
    hostile = await startHostileSite('https://collector.example.org')
  }, 60_000)
  afterAll(async () => {
    await server?.kill9()
    await hostile?.stop()
  })

  test('with the sample', async () => {
    expect(await findErrors(server, await listPages(server))).toEqual([])
  }, 60_000)

  test('with hostile records', async () => {
    expect(await findErrors(hostile.server, hostile.pages)).toEqual([])
  }, 60_000)
})
