import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseConfigFile, toFileName } from '../src/settings/config-file.ts'
import type { Setting } from '../src/settings/parsers.ts'
import { settings } from '../src/settings/settings.ts'
import { runRostrum } from './cli/store-command.ts'
import { withFolder } from './faults/scratch.ts'
import { program } from './harness/program.ts'
import { startServer } from './harness/server.ts'

const packaging = resolve(import.meta.dir, '../packaging')
const read = (file: string) => readFileSync(join(packaging, file), 'utf8')
const run = (...command: string[]) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { stdin: 'ignore' })
  return { exitCode, text: `${stdout}${stderr}` }
}
interface Dashboard {
  readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[]
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

  test('says whether the server is ready, and every number of the alert rules and the dashboard is served', async () => {
    expect(await runRostrum('ready', '--port', String(server.port))).toMatchObject({ exitCode: 0 })
    expect(await runRostrum('ready', '--port', '1')).toMatchObject({ exitCode: 69 })
    const metrics = await (await fetch(`${server.url}/metrics`)).text()
    const served = new Set(metrics.match(/^\w+/gm))
    for (const file of ['alerts.yml', 'grafana-dashboard.json']) {
      const names = read(`monitoring/${file}`).match(/\b(?:rostrum|process)_\w+/g) ?? []
      expect(names.length).toBeGreaterThan(5)
      expect(names.filter((name) => !served.has(name))).toEqual([])
    }
  })

  // Debian has it in the package prometheus.
  const promtool = Bun.which('promtool')
  test.skipIf(promtool === null)('promtool finds nothing wrong with the metrics and the alert rules', async () => {
    const metrics = await (await fetch(`${server.url}/metrics`)).bytes()
    const check = Bun.spawnSync([promtool ?? '', 'check', 'metrics'], { stdin: metrics })
    expect([check.exitCode, `${check.stdout}${check.stderr}`]).toEqual([0, ''])
    expect(run(promtool ?? '', 'check', 'rules', join(packaging, 'monitoring/alerts.yml')).text).toContain('SUCCESS')
    // Rules that record each query of the dashboard: promtool parses no query by itself.
    const { panels } = JSON.parse(read('monitoring/grafana-dashboard.json')) as Dashboard
    const queries = panels.flatMap(({ targets }) =>
      targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m')),
    )
    const rules = queries.map((expr, i) => ({ record: `query_${i}`, expr }))
    await withFolder(async (folder) => {
      const file = join(folder, 'queries.json')
      writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))
      expect(run(promtool ?? '', 'check', 'rules', file).text).toContain(`${rules.length} rules found`)
    })
  })
})

test('docs/install.md names files that exist', () => {
  const text = readFileSync(resolve(packaging, '../docs/install.md'), 'utf8')
  const files = text.match(/packaging\/[\w./-]+/g) ?? []
  expect(files.length).toBeGreaterThan(5)
  expect(files.filter((file) => !existsSync(resolve(packaging, '..', file)))).toEqual([])
})
