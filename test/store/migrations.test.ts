import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { postgresMigrations, sqliteMigrations } from '../../src/store/schema/migrations.ts'

/** The first digits of the SHA-256 of each migration. Only ever append: the `doctor` compares a file with this text. */
const released = {
  sqlite: [
    '0c4112dff02997c5',
    'ad96fe4842c05fa4',
    'ce5b0ad0e0d43721',
    '759b30f76a064044',
    'eeb6a751f5112c00',
    '0d7f6035ba7113e3',
    'f0220f63bf3bdecf',
    '74fceef0e14ad293',
    'f6296a27e2dbb09a',
    '014bc69dc26eece4',
    '33148115d9e54324',
    '672a20e190389723',
    '51431389f9f94671',
    '6488c0bdd9b45cbc',
  ],
  postgres: [
    '6a58922aea777cbc',
    '74363d541a9cfa82',
    'e82ac15f0de2efe6',
    '384eb39c43cf6659',
    '77dccdecced4991e',
    '33148115d9e54324',
    '85fc3cac4fca575b',
    '5681fd7d0d2ae8e5',
    'ba69e193092d95e6',
  ],
}

test('No released migration has changed, its comments included', () => {
  expect({ sqlite: sqliteMigrations.map(toDigest), postgres: postgresMigrations.map(toDigest) }).toEqual(released)
})

function toDigest(sql: string): string {
  return createHash('sha256').update(sql).digest('hex').slice(0, 16)
}
