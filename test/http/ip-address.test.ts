import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { createRangeCheck, parseAddressRange, parseIpAddress, toNetwork } from '../../src/http/host.ts'

describe('An IP address', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:0201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:0:1', '0.0.0.1'],
    ['::', '::'],
  ])('%s is %s', (text, address) => expect(parseIpAddress(text)).toBe(address))

  test.each([
    '',
    '1.2.3',
    '01.2.3.4',
    '256.0.0.1',
    '1.2.3.4:80',
    '[::1]',
    '::1::',
    'fe80::1%eth0',
    '1.2.3.4 ',
    'a',
    '١.2.3.4',
  ])('is not %j', (text) => expect(parseIpAddress(text)).toBeNull())

  test('has one form, which is an address again', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
        const address = parseIpAddress(text)
        expect(address).not.toBeNull()
        expect(parseIpAddress(address ?? '')).toBe(address)
        expect(parseIpAddress(text.toUpperCase())).toBe(address)
      }),
    )
  })

  test('is never anything that throws', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => parseIpAddress(text) !== undefined))
  })
})

describe('The network of', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:0:0:ffff::1', '2001:db8:0:0::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['unknown', 'unknown'],
  ])('%s is %s', (address, network) => expect(toNetwork(address)).toBe(network))

  test('an address is that of all with its first 64 bits', () => {
    fc.assert(
      fc.property(addresses, addresses, (a, b) => {
        const [one, other] = [parseIpAddress(a) ?? '', parseIpAddress(b) ?? '']
        const isSame =
          one.includes(':') && other.includes(':') && toBits(one).slice(0, 64) === toBits(other).slice(0, 64)
        expect(toNetwork(one) === toNetwork(other)).toBe(isSame || one === other)
      }),
    )
  })
})

/** All bits of an address, by arithmetic of our own. */
function toBits(address: string): string {
  if (address.includes('.')) return toBinary(address.split('.').map(Number), 8)
  const [left = '', right = ''] = address.split('::')
  const toWords = (text: string) => text.split(':').flatMap((word) => (word === '' ? [] : [Number.parseInt(word, 16)]))
  const zeros = address.includes('::') ? 8 - toWords(left).length - toWords(right).length : 0
  return toBinary([...toWords(left), ...Array<number>(zeros).fill(0), ...toWords(right)], 16)
}

const toBinary = (parts: readonly number[], width: number) =>
  parts.map((part) => part.toString(2).padStart(width, '0')).join('')

const addresses = fc.oneof(
  fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)).map((bytes) => bytes.join('.')),
  fc
    .array(fc.oneof(fc.constant(0), fc.nat(0xffff)), { minLength: 8, maxLength: 8 })
    .map((words) => words.map((word) => word.toString(16)).join(':')),
)

describe('A range of addresses', () => {
  test.each([
    ['10.0.0.0/8', ['10.0.0.0', '10.255.255.255'], ['9.255.255.255', '11.0.0.0', '::a00:0']],
    ['10.1.2.3/8', ['10.200.0.1'], ['11.1.2.3']],
    ['192.0.2.1', ['192.0.2.1'], ['192.0.2.0', '192.0.2.2']],
    ['2001:db8::/32', ['2001:db8:ffff::1'], ['2001:db9::', '10.0.0.1']],
    ['::1', ['::1'], ['::2', '127.0.0.1']],
    ['::ffff:10.0.0.0/104', ['10.9.9.9'], ['11.0.0.0']],
    ['0.0.0.0/0', ['1.2.3.4'], ['::1']],
    ['::/0', ['::1', '2001:db8::1'], []],
  ])('%s holds %j, not %j', (text, inside, outside) => {
    const range = parseAddressRange(text)
    const isIn = createRangeCheck(range === null ? [] : [range])
    expect(inside.map(isIn)).toEqual(inside.map(() => true))
    expect(outside.map(isIn)).toEqual(outside.map(() => false))
  })

  test('holds the addresses with its first bits', () => {
    fc.assert(
      fc.property(addresses, addresses, fc.nat(128), fc.boolean(), (first, second, wanted, isNear) => {
        const range = parseAddressRange(`${first}/${first.includes('.') ? wanted % 33 : wanted}`)
        const address = parseIpAddress(isNear ? first : second) ?? ''
        const isSameFamily = address.includes('.') === (range?.family === 'ipv4')
        const [own, other] = [toBits(range?.address ?? ''), toBits(address)].map((bits) => bits.slice(0, range?.bits))
        expect(createRangeCheck(range === null ? [] : [range])(address)).toBe(isSameFamily && own === other)
      }),
      { numRuns: 2_000 },
    )
  })

  test.each([
    '',
    '/',
    '10.0.0.0/',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0.0.0/8x',
    '10/8',
    'localhost',
    '::ffff:10.0.0.0/95',
    'fe80::1%eth0',
    '[::1]',
    '*',
  ])('is not %j', (text) => {
    expect(parseAddressRange(text)).toBeNull()
  })
})
