import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseAddressRange } from '../../src/http/host.ts'
import { createTrustedProxies } from '../../src/http/trusted-proxies.ts'

const ranges = ['127.0.0.1', '10.0.0.0/8', '2001:db8::/32'].flatMap((text) => parseAddressRange(text) ?? [])
const find = createTrustedProxies(ranges)
const judge = (peer: string, headers: Record<string, string>) => find?.(peer, new Headers(headers))

const nothing = { address: null, isHttps: null, host: null }
const all = { 'X-Forwarded-For': '192.0.2.7', 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'talks.example.org' }
const said = { address: '192.0.2.7', isHttps: true, host: 'talks.example.org' }

test('Without a range there is no trusted proxy', () => expect(createTrustedProxies([])).toBeNull())

describe('The headers of', () => {
  test.each(['192.0.2.1', '11.0.0.1', '::1', '::ffff:192.0.2.1', '', 'unix:', '2001:db9::1'])(
    'the peer %j change nothing',
    (peer) => {
      expect(judge(peer, all)).toEqual(nothing)
      expect(judge(peer, { Forwarded: 'for=192.0.2.7;proto=https;host=a.test' })).toEqual(nothing)
    },
  )

  test.each(['127.0.0.1', '::ffff:127.0.0.1', '10.9.8.7', '2001:db8::5'])('the trusted peer %s count', (peer) => {
    expect(judge(peer, all)).toEqual(said)
    expect(judge(peer, { Forwarded: 'for=192.0.2.7;proto=https;host=talks.example.org' })).toEqual(said)
  })

  test('both kinds are ignored, since one of them may be the client’s', () => {
    for (const [name, value] of Object.entries(all)) {
      expect(judge('127.0.0.1', { [name]: value, Forwarded: 'for=192.0.2.9' })).toEqual(nothing)
    }
  })
})

describe('In a chain', () => {
  test.each([
    ['192.0.2.66, 192.0.2.7', '192.0.2.7'],
    ['192.0.2.7, 10.0.0.1', '192.0.2.7'],
    ['192.0.2.66, 192.0.2.7, 10.0.0.1, 10.0.0.2', '192.0.2.7'],
    ['2001:db9::7, 2001:db8::1', '2001:db9::7'],
    ['[2001:db9::7]:1234, 10.0.0.1:99', '2001:db9::7'],
    ['10.0.0.1, 10.0.0.2', '10.0.0.1'],
    ['<script>, 192.0.2.7', '192.0.2.7'],
    ['192.0.2.7, unknown, 10.0.0.1', null],
    ['192.0.2.7, ', '192.0.2.7'],
    ['nonsense', null],
    ['', null],
    [`${'10.0.0.1, '.repeat(100)}10.0.0.2`, '10.0.0.1'],
    [`192.0.2.66, 192.0.2.7${', 10.0.0.1'.repeat(100)}`, '192.0.2.7'],
  ])('X-Forwarded-For: %s comes from %p', (text, address) => {
    expect(judge('127.0.0.1', { 'X-Forwarded-For': text })).toMatchObject({ address })
  })

  test.each([
    ['for=192.0.2.66;host=a.test, for=192.0.2.7;host=b.test', '192.0.2.7', 'b.test'],
    ['for=192.0.2.7;host=a.test, for=10.0.0.1;host=b.test', '192.0.2.7', 'a.test'],
    ['for=192.0.2.66, for="[2001:db9::7]:1";host=a.test, for="[2001:db8::1]"', '2001:db9::7', 'a.test'],
    ['for=192.0.2.66;host=a.test, for=_hidden;host=b.test', null, 'b.test'],
    ['for=192.0.2.7;host=a.test, for="broken', null, null],
    [`for=192.0.2.7;host=a.test${', for=10.0.0.1'.repeat(100)}`, '192.0.2.7', 'a.test'],
  ])('Forwarded: %s comes from %p for %p', (text, address, host) => {
    expect(judge('127.0.0.1', { Forwarded: text })).toMatchObject({ address, host })
  })

  test('scheme and host are those that the outermost trusted proxy received', () => {
    const lists = (proto: string, host: string) =>
      judge('127.0.0.1', {
        'X-Forwarded-For': '192.0.2.66, 192.0.2.7, 10.0.0.1',
        'X-Forwarded-Proto': proto,
        'X-Forwarded-Host': host,
      })
    expect(lists('http, https, http', 'evil.test, a.test, b.test')).toMatchObject({ isHttps: true, host: 'a.test' })
    expect(lists('https', 'a.test')).toMatchObject({ isHttps: true, host: 'a.test' })
    expect(lists('https, http', 'a.test, b.test')).toMatchObject({ isHttps: true, host: 'a.test' })
    expect(lists('ftp', ' , ')).toMatchObject({ isHttps: null, host: null })
  })

  test('what a client writes to the left of its own address changes nothing', () => {
    const garbage = fc.oneof(
      fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)) }),
      fc.ipV4(),
    )
    fc.assert(
      fc.property(fc.array(garbage, { maxLength: 100 }), fc.integer({ min: 0, max: 3 }), (spoofed, inner) => {
        const list = [...spoofed, '192.0.2.7', ...Array<string>(inner).fill('10.0.0.1')].join(', ')
        expect(judge('127.0.0.1', { 'X-Forwarded-For': list })).toMatchObject({ address: '192.0.2.7' })
      }),
    )
  })
})
