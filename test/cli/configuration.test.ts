import { expect, test } from 'bun:test'
import { join, resolve } from 'node:path'
import { toConfigurationPage } from '../../scripts/configuration.ts'
import { toServeHelp } from '../../src/cli/help.ts'
import { parseArguments, warnOfVariables } from '../../src/cli/terminal/arguments.ts'
import { readConfig } from '../../src/settings/config.ts'
import type { Setting } from '../../src/settings/parsers.ts'
import { settings } from '../../src/settings/settings.ts'

const root = resolve(import.meta.dir, '../..')
const all = Object.values<Setting<unknown>>(settings)

test('the page in docs is the table', async () => {
  expect(await Bun.file(new URL('../../docs/configuration.md', import.meta.url)).text()).toBe(toConfigurationPage())
})

test('help names every flag and variable', () => {
  for (const { flag, variables } of all) {
    for (const name of [...variables, ...(flag === null ? [] : [`--${flag}`])]) expect(toServeHelp()).toContain(name)
  }
})

test('a flag takes precedence over ROSTRUM_PORT, then PORT, then the default', () => {
  const read = (flags: [string, string][], environment: Record<string, string>) => {
    const result = readConfig(new Map(flags), environment)
    return result.ok && result.config.port
  }
  expect(read([['port', '1']], { ROSTRUM_PORT: '2', PORT: '3' })).toBe(1)
  expect(read([], { ROSTRUM_PORT: '2', PORT: '3' })).toBe(2)
  expect(read([], { ROSTRUM_PORT: '', PORT: '3' })).toBe(3)
  expect(read([], {})).toBe(8000)
})

test.each([
  ['ROSTRUM_PORT', '65536'],
  ['ROSTRUM_PORT', '-1'],
  ['ROSTRUM_THREADS', '0'],
  ['ROSTRUM_AUTH', 'none'],
  ['ROSTRUM_BASE_URL', 'example.org'],
  ['ROSTRUM_DB', 'mysql://x'],
  ['ROSTRUM_ADMIN_TOKEN', 'short-secret'],
])('%s=%s is refused by name, without showing the value', (variable, value) => {
  const result = readConfig(new Map(), { [variable]: value })
  expect(result.ok).toBe(false)
  if (!result.ok) {
    expect(result.problems.join()).toContain(variable)
    expect(result.problems.join()).not.toContain('short-secret')
  }
})

test('a slash at the end of a base URL is removed', () => {
  const result = readConfig(new Map(), { ROSTRUM_BASE_URL: 'https://talks.example.org/archive/' })
  expect(result.ok && result.config.baseUrl).toBe('https://talks.example.org/archive')
})

test.each([
  [['--port', '1', 'x', '--sample'], { port: '1', sample: 'true' }, ['x']],
  [['--port=1', '--sample=no'], { port: '1', sample: 'no' }, []],
])('%j is understood', (args, flags, words) => {
  const parsed = parseArguments(args, { valued: ['port'], switches: ['sample'] })
  expect(parsed.ok && [Object.fromEntries(parsed.flags), parsed.args]).toEqual([flags, words])
})

test.each([
  ['--prot', 'Unknown option --prot. Did you mean --port?'],
  ['--sampel=x', 'Unknown option --sampel. Did you mean --sample?'],
  ['--verbose', 'Unknown option --verbose.'],
  // Two letters of four differ.
  ['--cost', 'Unknown option --cost.'],
  ['-p', 'Unknown option -p.'],
  ['--port', 'Option --port needs a value.'],
])('%s is answered: %s', (arg, problem) => {
  expect(parseArguments([arg], { valued: ['port'], switches: ['sample'] })).toEqual({ ok: false, problem })
})

test.each([[['--prot', '1']], [['-p']], [['--port']], [['--key=secret']]])(
  '%j is refused, and no value is shown',
  (args) => {
    const parsed = parseArguments(args, { valued: ['port'], switches: [] })
    expect(parsed.ok).toBe(false)
    if (!parsed.ok) expect(parsed.problem).not.toContain('secret')
  },
)

test('a variable that looks like a setting and is not one causes a warning, without its value', () => {
  const environment = {
    ROSTRUM_PROT: 'secret',
    ROSTRUM_COLOUR: '1',
    ROSTRUM_FAST: '1',
    ROSTRUM_EMPTY: '',
    ROSTRUM_TEST_SEED: '1',
    PROT: '1',
  }
  expect(warnOfVariables(environment)).toEqual([
    'Unknown variable ROSTRUM_PROT. Did you mean ROSTRUM_PORT?',
    'Unknown variable ROSTRUM_COLOUR.',
    'Unknown variable ROSTRUM_FAST.',
  ])
})

test('variables that the program, its launcher or its texts use cause no warning', async () => {
  const names: string[] = []
  for await (const file of new Bun.Glob('{src,bin,scripts,docs}/**/*').scan(root)) {
    names.push(...((await Bun.file(join(root, file)).text()).match(/ROSTRUM_[A-Z_]*[A-Z]/g) ?? []))
  }
  expect(names.length).toBeGreaterThan(50)
  expect(warnOfVariables(Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual([])
})
