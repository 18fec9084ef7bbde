import { expect, test } from 'bun:test'
import { join, resolve } from 'node:path'
import { spawnServer } from './faults/spawn.ts'
import { createCluster } from './harness/postgres.ts'
import { useSample } from './harness/sample-server.ts'
import { until } from './harness/until.ts'

const root = resolve(import.meta.dir, '..')
const readme = await Bun.file(join(root, 'README.md')).text()
const lines = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
  block.split('\n').filter((line) => line !== ''),
)
const { folder, port, environment } = useSample('rostrum-readme-')

test('README is within one screen of commands', () => {
  expect(lines).toEqual([
    'npm start',
    expect.stringMatching(/^curl http/),
    expect.stringMatching(/^curl 'http.*q=/),
    expect.stringMatching(/^curl -X PATCH/),
    expect.stringMatching(/^curl http.*history/),
    expect.stringMatching(/^curl -X POST.*restore/),
    expect.stringMatching(/^bin\/rostrum serve --db/),
    expect.stringMatching(/^bin\/rostrum token create/),
    expect.stringMatching(/^bin\/rostrum serve --help/),
    expect.stringMatching(/^bin\/rostrum import .*--dry-run/),
    expect.stringMatching(/^bin\/rostrum import/),
    expect.stringMatching(/^bin\/rostrum bulk .*--dry-run/),
    expect.stringMatching(/^bin\/rostrum export/),
    expect.stringMatching(/^bin\/rostrum backup/),
    expect.stringMatching(/^bin\/rostrum doctor/),
    expect.stringMatching(/^bin\/rostrum transcripts import/),
    expect.stringMatching(/^bin\/rostrum check-links/),
    expect.stringMatching(/^bin\/rostrum migrate-store/),
    expect.stringMatching(/^bin\/rostrum serve --db postgres:/),
    expect.stringMatching(/^npm run build/),
    expect.stringMatching(/^npm test/),
  ])
})

test('the sentence that it tells to search for is found in a talk of the sample', async () => {
  const [, sentence = ''] = /Search the site for \*([^*]+)\*/.exec(readme) ?? []
  const path = `/search?q=${encodeURIComponent(sentence.replaceAll(/\s+/g, ' '))}`
  const isFound = async () =>
    (await (await fetch(`http://127.0.0.1:${port}${path}`)).text()).includes('In what was said')
  await until('it is found', isFound)
})

test('its curl lines work as they are after npm start', () => {
  for (const line of lines.filter((each) => each.startsWith('curl'))) {
    const here = line.replace('127.0.0.1:8000', `127.0.0.1:${port}`).replace(/^curl/, 'curl --silent --fail-with-body')
    const { exitCode, stdout } = Bun.spawnSync(['sh', '-c', here], { env: environment })
    expect([line, exitCode, exitCode === 0 || stdout.toString()]).toEqual([line, 0, true])
    expect(JSON.parse(stdout.toString())).toMatchObject(toExpected(line))
  }
})

test('its token and help lines work', () => {
  for (const line of lines.filter((each) => /token create|--help/.test(each))) {
    const here = line.replace('--db talks.db', '')
    const { exitCode, stdout } = Bun.spawnSync(['sh', '-c', here], { cwd: root, env: environment })
    expect(exitCode).toBe(0)
    expect(stdout.toString()).toMatch(/^rst_[A-Za-z0-9_-]{32}\n$|--port/)
  }
})

test('its build line leaves an executable', () => {
  for (const line of lines.filter((each) => each.startsWith('npm run build'))) {
    expect(Bun.spawnSync(['sh', '-c', line], { cwd: root }).exitCode).toBe(0)
  }
  const { stdout } = Bun.spawnSync([join(root, 'dist/rostrum'), '--version'])
  expect(stdout.toString()).toMatch(/^rostrum \d/)
})

test('its lines for archives work, one after the other', () => {
  const archive = join(root, 'test/archive/fixtures/talks')
  const wanted = lines.filter((each) => /rostrum (?:import|bulk|export|backup|doctor) /.test(each))
  for (const line of wanted) {
    const here = line.replace('../data', archive).replaceAll(/(talks\.db|--out out|backup [^ ]+)/g, (word) => {
      const [flag, name] = word.includes(' ') ? word.split(' ') : ['', word]
      return `${flag} ${join(folder, name ?? '')}`.trim()
    })
    const { exitCode, stderr } = Bun.spawnSync(['sh', '-c', here], { cwd: root, env: environment })
    expect([line, exitCode, exitCode === 0 ? '' : stderr.toString()]).toEqual([line, 0, ''])
  }
})

test('its lines for PostgreSQL work, one after the other', async () => {
  const cluster = await createCluster({ fsync: false })
  await cluster.start()
  const wanted = lines.filter((each) => each.includes('postgres://'))
  const here = wanted.map((line) =>
    line
      .replace('postgres://rostrum@localhost/talks', cluster.toUrl('postgres'))
      .replace('talks.db', join(folder, 'talks.db')),
  )
  const moved = Bun.spawnSync(['sh', '-c', here[0] ?? ''], { cwd: root, env: environment })
  expect([moved.exitCode, moved.stderr.toString()]).toEqual([0, expect.stringContaining('has everything')])
  const node = await spawnServer(['sh', '-c', `exec ${here[1]} --port 0`], { cwd: root })
  const answer = await fetch(`http://127.0.0.1:${node.port}/api/v2/video/101`)
  expect(answer.status).toBe(200)
  expect(await node.stop()).toBe(0)
  await cluster.remove()
})

function toExpected(line: string): object {
  if (line.endsWith('/history')) return { count: 2 }
  return line.includes('?q=') ? { results: expect.arrayContaining([{ id: 1, title: expect.any(String) }]) } : { id: 1 }
}
