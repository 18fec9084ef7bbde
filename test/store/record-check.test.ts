import { expect, test } from 'bun:test'
import { createChecksumCheck, DamagedRecord } from '../../src/store/write/version-rows.ts'

const toRecord = (id: number, text: string, stored = text) => {
  const sum = new Bun.CryptoHasher('sha256').update(stored).digest('hex').slice(0, 8)
  return { id, versionTag: `3-${sum}`, body: Buffer.from(text) }
}

test('a damaged record is not let through, however often it is asked for, nor one that has its place', () => {
  const check = createChecksumCheck()
  const other = toRecord(7 + 2 ** 17, 'other')
  for (let round = 0; round < 3; round++) {
    expect(check(toRecord(7, 'good'))).toMatchObject({ id: 7 })
    expect(() => check(toRecord(8, 'rotten', 'good'))).toThrow(DamagedRecord)
    expect(() => check(toRecord(7 + 2 ** 17, 'rotten', 'other'))).toThrow(DamagedRecord)
    expect(check(other)).toBe(other)
    expect(() => check(toRecord(7, 'rotten', 'good'))).toThrow(DamagedRecord)
  }
  expect(check(null)).toBeNull()
})

test('a record is looked at again when it has changed, and when some minutes are over', () => {
  let ms = 0
  const check = createChecksumCheck(() => ms)
  check(toRecord(7, 'good'))
  expect(() => check(toRecord(7, 'rotten', 'changed'))).toThrow(DamagedRecord)
  check(toRecord(7, 'good'))
  ms = 600_000
  expect(() => check(toRecord(7, 'rotten', 'good'))).toThrow(DamagedRecord)
})
