import { expect, test } from 'bun:test'
import { isPublicAddress, parseAskedUrl } from '../../src/link/guard.ts'

// Runner: one engine

test.each([
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '100.64.0.1', '100.127.255.255', '127.0.0.1', '127.255.0.1', '169.254.169.254'],
  ...['172.16.0.1', '172.31.255.255', '192.0.0.8', '192.0.2.1', '192.88.99.1', '192.168.1.1', '198.18.0.1'],
  ...['198.19.255.255', '198.51.100.1', '203.0.113.9', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
  ...['::', '::1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::8.8.8.8', '::ffff:0:7f00:1', '64:ff9b::7f00:1'],
  ...['64:ff9b:1::1', '100::1', '2001::1', '2001:db8::1', '2001:10::1', '2002:7f00:1::', '2002:a00:1::1', '3fff::1'],
  ...[
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '4000::1',
    '8000::1',
    'no address',
    '',
  ],
])('%s is never contacted', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each([
  '8.8.8.8',
  '1.1.1.1',
  '100.63.255.255',
  '100.128.0.1',
  '172.15.0.1',
  '172.32.0.1',
  '192.167.0.1',
  '223.255.0.1',
])('%s may be contacted', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

test.each(['2606:2800:220:1::1', '2a00:1450:4001::1', '2001:4860:4860::8888', '2620:0:2d0:200::7'])(
  '%s may be contacted',
  (address) => {
    expect(isPublicAddress(address)).toBe(true)
  },
)

test('only http and https on their own ports, without user and password', () => {
  const refused = [
    'ftp://a.example/',
    'file:///etc/passwd',
    'gopher://a.example/',
    'https://a.example:8443/',
    'nonsense',
  ]
  for (const url of [...refused, 'http://a.example:22/', 'https://me@a.example/', 'https://:secret@a.example/'])
    expect(parseAskedUrl(url, false)).toBeNull()
  for (const url of ['http://a.example/', 'https://a.example:443/x', 'http://a.example:443/', 'https://a.example:80/'])
    expect(parseAskedUrl(url, false)).not.toBeNull()
  expect(parseAskedUrl('http://a.example:8080/', true)?.port).toBe('8080')
  expect(parseAskedUrl('http://me@a.example:8080/', true)).toBeNull()
})

test('addresses in disguise are judged as what they are', () => {
  for (const host of ['2130706433', '0x7f.1', '0177.0.0.1', '127.1', '[::ffff:7f00:1]']) {
    const url = parseAskedUrl(`http://${host}/`, false)
    expect(isPublicAddress(url?.hostname.replace(/^\[|\]$/g, '') ?? '')).toBe(false)
  }
})
