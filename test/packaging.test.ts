import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import packageJson from '../package.json'
import { buildDeb } from '../scripts/deb.ts'
import { findNotes } from '../scripts/release.ts'
import { readBuildCommit } from '../src/build-commit.ts'
import { parseConfigFile, toFileName } from '../src/settings/config-file.ts'
import type { Setting } from '../src/settings/parsers.ts'
import { settings } from '../src/settings/settings.ts'
import { runRostrum } from './cli/store-command.ts'
import { runNpm } from './client/installed.ts'
import { withFolder } from './faults/scratch.ts'
import { spawnServer } from './faults/spawn.ts'
import { findProgram } from './harness/find-program.ts'
import { program } from './harness/program.ts'
import { longTest } from './harness/runs.ts'
import { startServer } from './harness/server.ts'
import { until } from './harness/until.ts'

// Runner: long, slow (builds packages and installs them)

const root = resolve(import.meta.dir, '..')
const packaging = join(root, 'packaging')
const read = (file: string) => readFileSync(join(packaging, file), 'utf8')
const run = (...command: string[]) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { stdin: 'ignore' })
  return { exitCode, text: `${stdout}${stderr}` }
}
interface Dashboard {
  readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[]
}
interface Series {
  readonly text: string
  readonly name: string
  readonly labels: readonly (readonly [name: string, operator: string, value: string])[]
}

/** The samples of a scrape, or the selectors of queries. */
function toSeries(text: string): Series[] {
  return [...text.matchAll(/\b((?:rostrum|process)_\w+)(?:\{([^}]*)\})?/g)].map(([whole, name = '', labels = '']) => ({
    text: whole,
    name,
    labels: [...labels.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)].map(([, label = '', operator = '', value = '']) => [
      label,
      operator,
      value,
    ]),
  }))
}

/** Whether a sample has the name and each label. Prometheus adds `job` and `instance`; few statuses are served in a test. */
function isSelected(wanted: Series, served: Series): boolean {
  return (
    wanted.name === served.name &&
    wanted.labels.every(([label, operator, value]) => {
      if (label === 'job' || label === 'instance') return true
      const own = served.labels.find(([name]) => name === label)?.[2]
      const isMatch = operator.endsWith('~') ? new RegExp(`^(?:${value})$`).test(own ?? '') : own === value
      return own !== undefined && (label === 'status' || isMatch !== operator.startsWith('!'))
    })
  )
}
const isKnown = (variable: string) =>
  Object.values<Setting<unknown>>(settings).some(({ variables }) => variables.includes(variable))

describe('The systemd units', () => {
  // Not every machine that runs the tests has systemd.
  const analyze = Bun.which('systemd-analyze')
  const maxExposure = 2.5

  test.skipIf(analyze === null)('are correct, and the server is exposed as little as it can be', () =>
    withFolder(async (folder) => {
      const units = readdirSync(join(packaging, 'systemd')).filter((name) => /\.(?:service|timer)$/.test(name))
      expect(units.length).toBe(3)
      for (const name of units) {
        writeFileSync(join(folder, name), read(`systemd/${name}`).replace('/usr/bin/rostrum', program))
      }
      expect(run(analyze ?? '', 'verify', ...units.map((name) => join(folder, name)))).toEqual({
        exitCode: 0,
        text: '',
      })
      const { text } = run(analyze ?? '', 'security', '--offline=true', '--no-pager', join(folder, 'rostrum.service'))
      const exposure = Number(/exposure level for rostrum\.service: ([\d.]+)/.exec(text)?.[1])
      expect(exposure).toBeLessThan(maxExposure)
    }),
  )

  test('name settings that exist', async () => {
    const names = Object.values<Setting<unknown>>(settings).map(toFileName)
    expect(parseConfigFile(read('systemd/rostrum.conf'), 'rostrum.conf', names).ok).toBe(true)
    const { exitCode, stderr } = await runRostrum(
      'config',
      'check',
      '--config',
      join(packaging, 'systemd/rostrum.conf'),
    )
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('in order')])
  })
})

test('the container and its compose file name variables that exist', () => {
  const text = read('docker/Dockerfile') + read('docker/compose.yaml')
  const variables = text.match(/ROSTRUM_[A-Z_]+/g) ?? []
  expect(variables.length).toBeGreaterThan(5)
  expect(variables.filter((name) => !isKnown(name))).toEqual([])
})

describe('rostrum ready', () => {
  let server: Awaited<ReturnType<typeof startServer>>
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server.stop())

  test('says whether the server is ready', async () => {
    expect(await runRostrum('ready', '--port', String(server.port))).toMatchObject({ exitCode: 0 })
    expect(await runRostrum('ready', '--port', '1')).toMatchObject({ exitCode: 69 })
  })

  test('every number that the alert rules and the dashboard ask for is served, with its labels', async () => {
    for (const path of ['/api/v2/video/1', '/edit']) await fetch(`${server.url}${path}`)
    const served = toSeries(await (await fetch(`${server.url}/metrics`)).text())
    for (const file of ['alerts.yml', 'grafana-dashboard.json']) {
      const wanted = toSeries(read(`monitoring/${file}`).replaceAll('\\"', '"'))
      expect(wanted.length).toBeGreaterThan(5)
      expect(wanted.filter((each) => !served.some((one) => isSelected(each, one))).map(({ text }) => text)).toEqual([])
    }
  })

  longTest('promtool finds nothing wrong with the metrics and the alert rules', async () => {
    const promtool = await findProgram('promtool', 'prometheus')
    const metrics = await (await fetch(`${server.url}/metrics`)).bytes()
    const check = Bun.spawnSync([promtool, 'check', 'metrics'], { stdin: metrics })
    expect([check.exitCode, `${check.stdout}${check.stderr}`]).toEqual([0, ''])
    expect(run(promtool, 'check', 'rules', join(packaging, 'monitoring/alerts.yml')).text).toContain('SUCCESS')
    // Rules that record each query of the dashboard: promtool parses no query by itself.
    const { panels } = JSON.parse(read('monitoring/grafana-dashboard.json')) as Dashboard
    const queries = panels.flatMap(({ targets }) =>
      targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m')),
    )
    const rules = queries.map((expr, i) => ({ record: `query_${i}`, expr }))
    await withFolder(async (folder) => {
      const file = join(folder, 'queries.json')
      writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))
      expect(run(promtool, 'check', 'rules', file).text).toContain(`${rules.length} rules found`)
    })
  })
})

describe('The package of the server', () => {
  const maxBytes = 2_000_000

  test(
    'is small, and serves from an empty folder, beside nothing but the packages that it depends on',
    () =>
      withFolder(async (folder) => {
        const file = await packServer(folder)
        expect(statSync(file).size).toBeLessThan(maxBytes)
        unpackAsNpmDoes(file, folder)
        const installed = join(folder, 'node_modules/rostrum')
        expect(readdirSync(installed).filter((name) => ['test', 'bench', 'scripts'].includes(name))).toEqual([])
        expect(existsSync(join(installed, 'docs/images'))).toBe(false)
        await expectServing(join(folder, 'node_modules/.bin/rostrum'), folder)
        const version = run(join(folder, 'node_modules/.bin/rostrum'), '--version')
        expect(version).toMatchObject({ exitCode: 0, text: expect.stringContaining(`(commit ${readBuildCommit()},`) })
        expect(existsSync(join(installed, 'node_modules'))).toBe(false)
      }),
    180_000,
  )

  longTest(
    'is installed by npm',
    () =>
      withFolder(async (folder) => {
        await runNpm(['install', await packServer(folder)], folder, folder)
        await expectServing(join(folder, 'node_modules/.bin/rostrum'), folder)
      }),
    600_000,
  )

  async function packServer(folder: string): Promise<string> {
    const stdout = await runNpm(['pack', '--pack-destination', folder], root, folder)
    return join(folder, stdout.trim().split('\n').at(-1) ?? '')
  }

  /** Without a network: the packages are those of this checkout. */
  function unpackAsNpmDoes(file: string, folder: string): void {
    const packages = join(folder, 'node_modules')
    for (const name of ['rostrum', '.bin']) mkdirSync(join(packages, name), { recursive: true })
    expect(run('tar', '-xzf', file, '--strip-components=1', '-C', join(packages, 'rostrum')).text).toBe('')
    symlinkSync('../rostrum/bin/rostrum', join(packages, '.bin/rostrum'))
    for (const name of Object.keys(packageJson.dependencies)) {
      symlinkSync(join(root, 'node_modules', name), join(packages, name))
    }
  }

  async function expectServing(command: string, cwd: string): Promise<void> {
    const server = await spawnServer([command, 'serve', '--port', '0', '--sample', '--db', 'talks.db'], { cwd })
    const at = async (path: string) => (await fetch(`http://127.0.0.1:${server.port}${path}`)).status
    try {
      // The first page bundles its scripts, and is a 503 where that takes too long.
      for (const path of ['/', '/api/docs', '/api/v2/video/1']) await until(path, async () => (await at(path)) === 200)
    } finally {
      await server.stop()
    }
  }
})

// Not every machine that runs the tests has Debian's tools.
test.skipIf(Bun.which('dpkg-deb') === null)('the Debian package has what its unit names, and belongs to root', () =>
  withFolder(async (folder) => {
    const file = buildDeb(program, 'amd64', folder)
    expect(run('dpkg-deb', '--field', file, 'Version', 'Architecture').text).toBe(
      `Version: ${packageJson.version}\nArchitecture: amd64\n`,
    )
    const listed = run('dpkg-deb', '--contents', file).text.trim().split('\n')
    expect(listed.filter((line) => !/^[dl-](?:rwxr-xr-x|rw-r--r--) root\/root /.test(line))).toEqual([])
    expect(run('dpkg-deb', '--extract', file, join(folder, 'tree')).exitCode).toBe(0)
    expect(run('dpkg-deb', '--control', file, join(folder, 'control')).exitCode).toBe(0)
    const unit = readFileSync(join(folder, 'tree/lib/systemd/system/rostrum.service'), 'utf8')
    const named = unit.match(/\/(?:usr|etc)\/[\w./-]*\w/g) ?? []
    expect(named.length).toBeGreaterThan(3)
    const isMissing = (path: string) => !path.endsWith('secrets.env') && !existsSync(join(folder, 'tree', path))
    expect(named.filter(isMissing)).toEqual([])
    expect(readFileSync(join(folder, 'control/conffiles'), 'utf8')).toBe('/etc/rostrum/rostrum.conf\n')
    for (const script of ['postinst', 'prerm']) {
      expect(run('sh', '-n', join(folder, 'control', script))).toEqual({ exitCode: 0, text: '' })
    }
  }),
)

test('the notes of a release are its section of the changelog, once it has a date', () => {
  const changelog =
    '# Changelog\n\n## 0.2.0 (not released yet)\n\nLater.\n\n## 0.1.0 (2026-11-18)\n\n### Site\n\n- Pages.\n'
  expect(findNotes(changelog, '0.1.0')).toBe('# Rostrum 0.1.0 (2026-11-18)\n\n### Site\n\n- Pages.\n')
  expect(findNotes(changelog, '0.2.0')).toBeNull()
  expect(findNotes(changelog, '0.1')).toBeNull()
})

test('the documents name the packages and executables of this version', () => {
  const texts = ['docs/install.md', 'docs/client.md'].map((file) => readFileSync(join(root, file), 'utf8')).join()
  const versions = [...texts.matchAll(/\brostrum(?:-client)?[-_](\d+\.\d+\.\d+)/g)].map(([, version]) => version)
  expect(new Set(versions)).toEqual(new Set([packageJson.version]))
})

test('docs/install.md names files that exist', () => {
  const text = readFileSync(join(root, 'docs/install.md'), 'utf8')
  const files = text.match(/packaging\/[\w./-]+/g) ?? []
  expect(files.length).toBeGreaterThan(5)
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
})
