import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { HtmlValidate } from 'html-validate'
import { editRows, toEditAddress } from '../contract/edit-table.ts'
import { type Server, startServer } from '../harness/server.ts'
import { listPages, type PageCase } from './every-page.ts'
import { startHostileSite } from './hostile-archive.ts'

// Runner: slow

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
    // Ticked talks of a list are sent under one name; a flag sends "no" before its "yes". The rule allows one or the other.
    'form-dup-name': 'off',
    // ARIA allows to name a list.
    'aria-label-misuse': ['error', { allowAnyNamable: true }],
  },
})

/** Not HTML. */
const isUnmarked = (path: string) => path.endsWith('.csv') || path === '/edit/pick/:kind'

/** Makes a batch, so that there is a page of it. The slug is that of the first category. */
async function changeOne({ url, adminKey }: Server): Promise<string> {
  const headers = { Authorization: `Token ${adminKey}`, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ select: { ids: [1, 2] }, patch: { whiteboard: 'look at the title' } })
  const changed = await fetch(`${url}/api/v2/batches`, { method: 'POST', headers, body })
  expect(changed.status).toBe(201)
  return JSON.parse(await (await fetch(`${url}/api/v2/category`, { headers })).text()).results[0].slug
}

async function findErrors(server: Server, pages: readonly PageCase[], Cookie = ''): Promise<readonly string[]> {
  const found: string[] = []
  for (const { name, path, status } of pages) {
    const answer = await fetch(server.url + path, { headers: { Accept: 'text/html', Cookie }, redirect: 'manual' })
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
  beforeAll(async () => {
    server = await startServer({ args: ['--threads', '1', '--query-threads', '1', '--sample'] })
  }, 180_000)
  afterAll(() => server?.kill9())

  test('with the sample', async () => {
    expect(await findErrors(server, await listPages(server))).toEqual([])
  }, 180_000)

  test('for curators', async () => {
    const signIn = (key: string) => {
      const body = new FormData()
      const fields = { key, repeats: '1', 'typed:a"<b>': '"<i>&\n', next: '/edit/sessions' }
      for (const [name, value] of Object.entries(fields)) body.append(name, value)
      const headers = { Origin: server.url, Accept: 'text/html' }
      return fetch(`${server.url}/edit/sign-in`, { method: 'POST', body, headers, redirect: 'manual' })
    }
    const [wrong, right] = [await signIn('rst_mistyped'), await signIn(server.adminKey)]
    const cookie = /^[^;]+/.exec(right.headers.get('Set-Cookie') ?? '')?.[0]
    const forms = await Promise.all([wrong, right].map(async (answer) => validator.validateString(await answer.text())))
    expect(forms.flatMap(({ results }) => results.flatMap(({ messages }) => messages))).toEqual([])
    const slug = await changeOne(server)
    const pages = editRows.flatMap(({ path, method }) => {
      const address = toEditAddress(path.replace(':slug', slug), 1)
      return method === 'GET' && !isUnmarked(path) ? [{ name: path, path: address, status: 200 }] : []
    })
    expect(pages.length).toBeGreaterThan(20)
    expect(await findErrors(server, pages, cookie)).toEqual([])
  }, 180_000)

  test('with hostile records', async () => {
    const hostile = await startHostileSite('https://collector.example.org')
    try {
      expect(await findErrors(hostile.server, hostile.pages)).toEqual([])
    } finally {
      await hostile.stop()
    }
  }, 180_000)
})
