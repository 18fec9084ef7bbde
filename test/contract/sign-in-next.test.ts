import { describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { createCurator, listForms } from './curator.ts'
import { useService } from './service.ts'

// Runner: one engine (where a sign-in leads does not depend on the store)

const service = useService({ roles: ['reader'], args: ['--threads', '1'] })

describe('After signing in', () => {
  const ours = ['/edit', '/edit/sessions', '/edit/video/1?a=b&c=%20', '/edit?x', '/edit/names/speaker']
  const foreign = [
    ...['https://evil.example.org', '//evil.example.org', '/\\evil.example.org', '\\\\evil.example.org', '///evil'],
    ...['/\t/evil.example.org', '/edit/../../evil', '/edit/../video/1', '/edit/%2e%2e/video/1', '/editor', '/', ''],
    ...['javascript:alert(1)', '/edit:80@evil.example.org', 'edit', '/edit\\..\\..\\evil', ' //evil.example.org'],
    ...[
      'http:/edit',
      'http:edit',
      'https:///edit',
      '//[::1]/edit',
      '////edit',
      '/./edit/../evil',
      '/%65dit',
      '/edit%2f..',
    ],
    ...[
      '/edit/..%2f..%2fevil/../../evil',
      '/edit/.%2e/evil',
      '/edit/%2E./evil',
      '@evil.example.org/edit',
      '\u2215edit',
    ],
    ...[
      '/edit/sign-in',
      '/edit/sign-in/',
      '/edit/sign-out/',
      '/edit/sign-out?x',
      '//edit',
      '/\u0000/edit',
      'data:text/html,x',
    ],
    ...['/edit/sign-out', '/edit/sign-in?next=/edit', '/EDIT', `/edit/${'x'.repeat(3_000)}`, '/api/v2/video'],
  ]

  async function follow(next: string): Promise<string | null> {
    const fields = [['key', service.keyOf('reader')] as const, ['next', next] as const]
    const answer = await createCurator(service).post('/edit/sign-in', fields, { token: null })
    return answer.status === 303 ? headerOf(answer, 'Location') : null
  }

  test('the page that was wanted follows', async () => {
    for (const next of ours) expect([next, await follow(next)]).toEqual([next, next])
    expect(await follow('/edit/\u00e9?q=\u00e9')).toBe('/edit/%C3%A9?q=%C3%A9')
    expect(await follow('/edit/a\r\nSet-Cookie: x=y')).toBe('/edit/aSet-Cookie:%20x=y')
  })

  test('nothing outside the pages for curators does', async () => {
    for (const next of foreign) expect([next, await follow(next)]).toEqual([next, '/edit'])
  })

  test('the form itself names nothing else either', async () => {
    for (const next of foreign.filter((each) => each.length < 1_000)) {
      const { body } = await createCurator(service).get(`/edit/sign-in?next=${encodeURIComponent(next)}`)
      const fields = listForms(body).flatMap((form) => form.fields)
      expect([next, fields]).toEqual([next, [['next', '/edit']]])
    }
  })
})
