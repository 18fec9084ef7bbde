import { afterAll, describe, expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAddress, withoutPassword } from '../../src/store/postgres/address.ts'
import { createFolder } from '../harness/server.ts'
import { createCertificate } from './certificate.ts'

const folder = createFolder()
const roots = join(folder, 'roots.pem')
writeFileSync(roots, createCertificate({ name: 'localhost' }).certificate)
afterAll(() => rmSync(folder, { recursive: true }))

const plain = { password: null, tlsMode: 'prefer', tlsRoots: null } as const
const local = { host: 'localhost', port: 5432 } as const

describe('An address is taken apart', () => {
  test.each([
    ['postgres://ann@localhost/talks', { ...plain, user: 'ann', hosts: [local], database: 'talks' }],
    ['postgresql://localhost/talks', { ...plain, user: null, hosts: [local], database: 'talks' }],
    [
      'postgres://ann:s%40c%3Ar%2Ft@localhost/a%20b',
      { ...plain, user: 'ann', password: 's@c:r/t', hosts: [local], database: 'a b' },
    ],
    [
      'postgres://ann@h1:5433,h2,[::1]:1/talks',
      {
        ...plain,
        user: 'ann',
        hosts: [
          { host: 'h1', port: 5433 },
          { host: 'h2', port: 5432 },
          { host: '::1', port: 1 },
        ],
        database: 'talks',
      },
    ],
    [
      `postgres://localhost/talks?sslmode=verify-full&sslrootcert=${encodeURIComponent(roots)}`,
      { ...plain, user: null, hosts: [local], database: 'talks', tlsMode: 'verify-full', tlsRoots: roots },
    ],
    [
      'postgres://localhost/talks?sslmode=verify-ca&sslrootcert=system',
      { ...plain, user: null, hosts: [local], database: 'talks', tlsMode: 'verify-ca' },
    ],
  ])('%s', (address, parts) => {
    expect<unknown>(parseAddress(address)).toEqual(parts)
  })
})

test.each([
  ['postgres://', /must look like/],
  ['postgres://localhost', /must look like/],
  ['postgres://localhost/', /must look like/],
  ['postgres://ann:secret@x@localhost/talks', /must look like/],
  ['postgres://ann:sec%ret@localhost/talks', /must look like/],
  ['postgres://localhost:secret/talks', /Each host/],
  ['postgres://h1,,h2/talks', /Each host/],
  ['postgres://localhost:70000/talks', /Each host/],
  ['postgres://localhost/talks?password=secret', /only known parameters/],
  ['postgres://localhost/talks?sslmode=secret', /sslmode must be one of/],
  ['postgres://localhost/talks?sslrootcert=secret.pem', /no readable certificate/],
])('%s is no address, and nothing of it is shown', (address, says) => {
  expect(parseAddress(address)).toMatch(says)
  expect(parseAddress(address)).not.toContain('secret')
})

test.each([
  ['postgres://ann:secret@localhost:5432/talks?sslmode=require', 'postgres://ann@localhost:5432/talks'],
  ['postgres://ann:sec@ret@h1:1,h2/talks', 'postgres://ann@h1:1,h2/talks'],
  ['postgres://ann:sec/ret?@localhost/talks', 'postgres://ann@localhost/talks'],
  ['postgres://ann:secret/talks', 'postgres://ann/talks'],
  ['postgres://[::1]:5432/talks', 'postgres://[::1]:5432/talks'],
  ['postgres://localhost/talks?password=secret', 'postgres://localhost/talks'],
  ['postgres://ann:secret', 'postgres://ann'],
  ['talks.db', 'talks.db'],
])('%s is shown without what nobody may see', (address, shown) => {
  expect(withoutPassword(address)).toBe(shown)
})
