import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseForwarded, parseNode } from '../../src/http/trusted-proxies.ts'

const hop = (address: string | null, isHttps: boolean | null = null, host: string | null = null) => ({
  address,
  isHttps,
  host,
})

describe('Forwarded', () => {
  test.each([
    ['for=192.0.2.43', [hop('192.0.2.43')]],
    ['For="[2001:db8:cafe::17]:4711"', [hop('2001:db8:cafe::17')]],
    ['for="192.0.2.43:47011";proto=HTTPS;by=203.0.113.43', [hop('192.0.2.43', true)]],
    ['for=192.0.2.43, for=198.51.100.17;proto=http', [hop('192.0.2.43'), hop('198.51.100.17', false)]],
    ['for=unknown;host="talks.example.org:8443"', [hop(null, null, 'talks.example.org:8443')]],
    ['for="_hidden", for=_gazonk', [hop(null), hop(null)]],
    ['host="a\\"b\\\\c"', [hop(null, null, 'a"b\\c')]],
    ['host="a,b;for=1.2.3.4"', [hop(null, null, 'a,b;for=1.2.3.4')]],
    ['host=""', [hop(null, null, '')]],
    ['for=1.2.3.4;proto=wss', [hop('1.2.3.4')]],
    ['  ;; , for=1.2.3.4 ;; ,\t', [hop('1.2.3.4')]],
    ['', []],
  ])('%j is read', (text, hops) => expect(parseForwarded(text)).toEqual(hops))

  test.each([
    'for',
    'for=',
    'for =1.2.3.4',
    'for= 1.2.3.4',
    'for="1.2.3.4',
    'for=1.2.3.4"',
    'for="1.2.3.4"x',
    'for=[::1]',
    'for=1.2.3.4:80',
    'for=1.2.3.4;for=5.6.7.8',
    'for=1.2.3.4 for=5.6.7.8',
    '=1.2.3.4',
    'for="a\\',
    'for=1.2.3.4\u00e4',
  ])('%j is malformed', (text) => expect(parseForwarded(text)).toBeNull())

  const values = fc.string({ unit: 'grapheme-ascii', maxLength: 30 })
  const quote = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`

  test('returns any quoted text unchanged', () => {
    fc.assert(
      fc.property(fc.array(values, { minLength: 1, maxLength: 100 }), (hosts) => {
        const text = hosts.map((host) => `host=${quote(host)};x=1`).join(' , ')
        expect(parseForwarded(text)?.map(({ host }) => host)).toEqual(hosts)
      }),
    )
  })

  test('of any text is read or malformed, and never throws', () => {
    const pieces = fc.constantFrom(
      'for',
      '=',
      '"',
      ',',
      ';',
      '\\',
      ' ',
      '1.2.3.4',
      '[::1]',
      'proto',
      'https',
      'host',
      '\u00ff',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(pieces).map((all) => all.join('')),
        ),
        (text) => {
          const hops = parseForwarded(text)
          expect(hops === null || Array.isArray(hops)).toBe(true)
        },
      ),
      { numRuns: 2_000 },
    )
  })
})

describe('A node', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['192.0.2.1:80', '192.0.2.1'],
    ['192.0.2.1:_port', '192.0.2.1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:65535', '2001:db8::1'],
    ['2001:DB8::1', '2001:db8::1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
  ])('%s has the address %s', (text, address) => expect(parseNode(text)).toBe(address))

  test.each([
    '',
    'unknown',
    '_x',
    'example.org',
    '192.0.2.1:',
    '192.0.2.1:x',
    '[192.0.2',
    '192.0.2.1]',
    '[::1]x',
    '[::1',
    '::1]',
  ])('%j has none', (text) => expect(parseNode(text)).toBeNull())
})
