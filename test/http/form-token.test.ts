import { expect, test } from 'bun:test'
import { isFormToken, toFormToken } from '../../src/http/auth/auth.ts'
import { createSecret, createSessionCookies, isOwnOrigin } from '../../src/http/auth/session.ts'
import { Head } from '../../src/http/route.ts'

const toHead = (origin: string | undefined, host: string | undefined) => Object.assign(new Head(), { origin, host })

test('Without a configured address, the host of the Origin has to be the Host', () => {
  const cases = [
    ['http://talks.example', 'talks.example', true],
    ['https://talks.example', 'talks.example', true],
    ['https://TALKS.example:8443', 'talks.EXAMPLE:8443', true],
    ['http://[::1]:8080', '[::1]:8080', true],
    ['http://talks.example:8080', 'talks.example', false],
    ['http://talks.example/', 'talks.example', false],
    ['http://x@talks.example', 'talks.example', false],
    ['talks.example', 'talks.example', false],
    ['null', 'null', false],
    [undefined, 'talks.example', false],
    ['http://talks.example', undefined, false],
  ] as const
  for (const [origin, host, isOwn] of cases) {
    expect([origin, host, isOwnOrigin(toHead(origin, host), null)]).toEqual([origin, host, isOwn])
  }
})

test('With a configured address, its origin counts alone', () => {
  const isOwn = (origin: string, host: string) => isOwnOrigin(toHead(origin, host), 'https://talks.example')
  expect(isOwn('https://talks.example', '10.0.0.1:8080')).toBe(true)
  expect(isOwn('http://talks.example', 'talks.example')).toBe(false)
  expect(isOwn('https://10.0.0.1:8080', '10.0.0.1:8080')).toBe(false)
})

test('Secrets and tokens have 256 bits, and each secret has its own token', () => {
  const secrets = Array.from({ length: 100 }, createSecret)
  const all = [...secrets, ...secrets.map(toFormToken)]
  expect(new Set(all).size).toBe(200)
  expect(all.filter((text) => !/^[\w-]{43}$/.test(text))).toEqual([])
  const [one = '', other = ''] = secrets
  expect([isFormToken(toFormToken(one), toFormToken(one)), isFormToken(toFormToken(other), toFormToken(one))]).toEqual([
    true,
    false,
  ])
  expect([null, '', one].map((given) => isFormToken(given, toFormToken(one)))).toEqual([false, false, false])
})

test('Cookies have the path of the site, and Secure with https', () => {
  const secret = createSecret()
  const at = (url: string | null) => createSessionCookies(url).toSession(secret)
  expect(at(null)).toBe(`rostrum_session=${secret}; Max-Age=2592000; Path=/edit; HttpOnly; SameSite=Lax`)
  expect(at('http://a.example/b/c')).toContain('; Path=/b/c/edit;')
  expect(at('https://a.example')).toBe(
    `__Secure-rostrum_session=${secret}; Max-Age=2592000; Path=/edit; HttpOnly; SameSite=Lax; Secure`,
  )
  const { findSession } = createSessionCookies('https://a.example')
  expect(findSession(`rostrum_session=${secret}`)).toBeNull()
  expect(findSession(`x; __Secure-rostrum_session=${secret}`)).toBe(secret)
})
