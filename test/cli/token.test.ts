import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseExpiry, toTokenTable } from '../../src/cli/token.ts'
import { toTimestamp } from '../../src/record/timestamp.ts'
import { createStore, runRostrum, spoil, toTalk } from './store-command.ts'

const nowMs = Date.UTC(2030, 0, 1, 12)
const hourMs = 3_600_000

describe('--expires', () => {
  test.each([
    ['12h', '2030-01-02T00:00:00.000'],
    ['1d', '2030-01-02T12:00:00.000'],
    ['90d', '2030-04-01T12:00:00.000'],
    ['2w', '2030-01-15T12:00:00.000'],
    ['2030-01-01', '2030-01-02T00:00:00.000'],
    ['2032-02-29', '2032-03-01T00:00:00.000'],
    ['2030-01-01T12:30', '2030-01-01T12:30:00.000'],
    ['2030-01-01T12:00:01Z', '2030-01-01T12:00:01.000'],
    ['2030-01-01T12:00:00.001Z', '2030-01-01T12:00:00.001'],
    ['never', null],
  ])('%s is %s', (text, expires) => {
    expect(parseExpiry(text, nowMs)).toEqual({ ok: true, expires })
  })

  test.each([
    ...['', '90', 'd', '90 d', '-1d', '1.5d', '1e3d', '90D', '5m', '1y', 'tomorrow', '1d2h', '+1d', '٩d'],
    ...['2030-13-01', '2031-02-29', '01.02.2031', '2031-02-01T25:00', '2031-02-01 12:00', '2031-02-01T12:00+01:00'],
  ])('%p is refused with examples', (text) => {
    expect(parseExpiry(text, nowMs)).toEqual({
      ok: false,
      problem: expect.stringMatching(/^--expires must be .*12h, 90d or 2w.*2030-04-01, or never\.$/),
    })
  })

  test.each(['0d', '0h', '2029-12-31', '2030-01-01T12:00:00Z', '1970-01-01'])('%s is in the past', (text) => {
    expect(parseExpiry(text, nowMs)).toMatchObject({ ok: false, problem: expect.stringContaining('in the past') })
  })

  test.each(['999999999w', '9999-12-31', '36501d'])('%s is too far ahead', (text) => {
    expect(parseExpiry(text, nowMs)).toMatchObject({ ok: false, problem: expect.stringContaining('100 years') })
  })
})

test('the table of tokens shows a readable state', () => {
  const in_ = (hours: number) => toTimestamp(nowMs + hours * hourMs)
  const base = { role: 'reader', created: in_(-48), last_used: null, expires: null, replaced: null, revoked: null }
  const rows = [
    { ...base, name: 'a' },
    { ...base, name: 'b', expires: in_(24 * 90), last_used: in_(-1) },
    { ...base, name: 'c', expires: in_(24 * 3 + 1) },
    { ...base, name: 'd', expires: in_(30) },
    { ...base, name: 'e', expires: in_(1.5) },
    { ...base, name: 'f', expires: in_(0.001) },
    { ...base, name: 'g', expires: in_(0) },
    { ...base, name: 'h', expires: in_(23.5), replaced: in_(-0.5) },
    { ...base, name: 'i', expires: in_(-1), replaced: in_(-25) },
    { ...base, name: 'j', expires: in_(5), replaced: in_(-1), revoked: in_(-1) },
  ]
  const [header = '', ...lines] = toTokenTable(rows, nowMs).trimEnd().split('\n')
  expect(header).toBe('NAME  ROLE    CREATED              EXPIRES              LAST USED            STATE')
  expect(lines[1]).toBe('b     reader  2029-12-30 12:00:00  2030-04-01 12:00:00  2030-01-01 11:00:00  valid')
  expect(lines.map((line) => line.slice(header.indexOf('STATE')))).toEqual([
    'valid',
    'valid',
    'expires in 3 days',
    'expires in 30 hours',
    'expires in 90 minutes',
    'expires in 1 minute',
    'expired',
    'replaced, works for 23 hours',
    'replaced',
    'revoked 2030-01-01 11:00:00',
  ])
})

describe('The command', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rostrum-token-'))
  const db = join(folder, 'records.db')
  beforeAll(() => createStore(db, [toTalk('One')]))
  afterAll(() => rmSync(folder, { recursive: true }))
  const run = (...args: readonly string[]) => runRostrum('token', ...args, '--db', db)

  test.each([
    [['create', '--name', 'a', '--role', 'reader', '--expires', 'soon'], 64, /--expires must be .*90d/],
    [['create', '--name', 'a', '--role', 'reader', '--expires', '2020-01-01'], 64, /2020-01-01 is in the past/],
    [['create', '--name', 'a', '--role', 'reader', '--now'], 64, /"token create" does not take --now/],
    [['rotate', '--name', 'a', '--role', 'reader'], 64, /"token rotate" does not take --role/],
    [['list', '--expires', '1d'], 64, /"token list" does not take --expires/],
    [['rotate', '--name', 'nobody'], 65, /no valid token named nobody\. See: .*token list/],
    [['rotate'], 64, /--name must have/],
    [['create', '--name', 'import', '--role', 'reader'], 64, /reserved/],
    [['create', '--name', 'bulk', '--role', 'editor'], 64, /reserved/],
    [['revoke', '--name', 'bulk'], 65, /no valid token named bulk/],
    [['renew', '--name', 'a'], 64, /"token rotate"/],
  ])('%j ends with %d and says what to do', async (args, exitCode, says) => {
    expect(await run(...args)).toMatchObject({ exitCode, stdout: '', stderr: expect.stringMatching(says) })
  })

  test('refuses a new name that looks like that of another token, even a revoked one, and says which', async () => {
    const create = (name: string) => run('create', '--name', name, '--role', 'reader')
    expect(await create('Zoë Müller-Ott')).toMatchObject({ exitCode: 0 })
    const alike = [
      'zoë müller-ott',
      'ZOE MULLER-OTT',
      'Zoe\u0308 Mu\u0308ller-Ott',
      'Ｚｏｅ Muller-Ott',
      'Zoe Muller\u2011Ott',
    ]
    const taken = {
      exitCode: 65,
      stdout: '',
      stderr: expect.stringMatching(/token named Zoë Müller-Ott, which looks like/),
    }
    for (const name of alike) expect(await create(name)).toMatchObject(taken)
    await run('revoke', '--name', 'Zoë Müller-Ott')
    expect(await create('zoe muller\u2212ott')).toMatchObject(taken)
    expect(await create('Zoë Müller-Ott')).toMatchObject({ exitCode: 0 })
    // Names of before stay as they are.
    spoil(db, `INSERT INTO token (name, role, hash, created) VALUES ('zoe\u200b muller-ott', 'reader', x'0102', '')`)
    expect(await run('rotate', '--name', 'zoe\u200b muller-ott')).toMatchObject({ exitCode: 0 })
  })

  test.each([
    ['zed\u200b', /visible characters only, not U\+200B/],
    ['\u202ezed', /not U\+202E/],
    ['z\u0007ed', /1 to 100 characters|not U\+0007/],
    ['z\u0085ed', /not U\+0085/],
    ['zed\u00a0x', /not U\+00A0/],
    ['zed\u3164', /not U\+3164/],
    [' zed', /begin or end with a space/],
    ['zed ', /begin or end with a space/],
    ['zed  x', /two in a row/],
    ['Import', /reserved/],
  ])('does not take %j as a name', async (name, says) => {
    const ended = await run('create', '--name', name, '--role', 'reader')
    expect(ended).toMatchObject({ exitCode: 64, stdout: '', stderr: expect.stringMatching(says) })
  })

  test('creates the store with --create-store, and not without', async () => {
    const other = ['create', '--name', 'ann', '--role', 'admin', '--db', join(folder, 'new.db')]
    expect(await runRostrum('token', ...other)).toMatchObject({
      exitCode: 66,
      stdout: '',
      stderr: expect.stringMatching(/no database at .*new\.db.*--create-store/),
    })
    expect(existsSync(join(folder, 'new.db'))).toBe(false)
    expect(await runRostrum('token', ...other, '--create-store')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^rst_\S+\n$/),
    })
    expect((await runRostrum('token', 'list', '--db', join(folder, 'new.db'))).stdout).toMatch(/^ann +admin .* valid$/m)
  })

  test('prints only the key on standard output, and its expiry on standard error', async () => {
    const made = await run('create', '--name', 'ann', '--role', 'reader', '--expires', '90d')
    expect(made.stdout).toMatch(/^rst_\S+\n$/)
    expect(made.stderr).toMatch(
      /^Created token ann \(reader\), which expires at \d{4}-\S+ \S+ UTC\. .*shown only once\.\n$/,
    )
    const rotated = await run('rotate', '--name', 'ann', '--now')
    expect(rotated.stdout).toMatch(/^rst_\S+\n$/)
    expect(rotated.stderr).toMatch(/expires at \d{4}-\S+ \S+ UTC\. The old key no longer works\.\n$/)
    expect(rotated.stderr).not.toContain(rotated.stdout.trim())
  })
})
