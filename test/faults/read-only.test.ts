import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { program } from '../harness/program.ts'
import { createFolder, removeFolder, startServer } from '../harness/server.ts'
import { ask } from './connection.ts'
import { createRecordClient, toWritten } from './record-client.ts'

/** What lies beside the file: after a stop in order; after a crash; and a copy of the file with its log alone. */
const stores = { clean: [''], crashed: ['', '-wal', '-shm'], copied: ['', '-wal'] } as const
type Store = keyof typeof stores

const scratch = createFolder()
const disk = `${scratch}/disk`
const titles = ['One', 'Two', 'Three']

/** Each command by a name of one word; `$disk` cannot be written, `$scratch` can. */
const reading = (store: Store) => ({
  [`${store}-doctor`]: `doctor --db $disk/${store}.db`,
  [`${store}-export`]: `export --format ndjson --out $scratch/${store}.ndjson --db $disk/${store}.db`,
  [`${store}-dump`]: `export --format dump --out $scratch/${store}.dump --db $disk/${store}.db`,
  [`${store}-backup`]: `backup $scratch/${store}.backup --db $disk/${store}.db`,
  [`${store}-tokens`]: `token list --db $disk/${store}.db`,
  [`${store}-restore`]: `restore $disk/${store}.db --db $scratch/${store}.restored`,
})
const refused = {
  serve: 'serve --port 0 --db $disk/clean.db',
  create: 'token create --name ann --role reader --db $disk/clean.db',
  rebuild: 'doctor --rebuild --db $disk/crashed.db',
  purge: 'purge 1 --yes --db $disk/copied.db',
  import: 'import $scratch/talks.ndjson --db $disk/crashed.db',
  'new-store': 'serve --port 0 --db $disk/new.db',
  'backup-there': 'backup $disk/backup --db $scratch/served.db',
  'export-there': 'export --format ndjson --out $disk/export --db $scratch/served.db',
}
const storeNames = Object.keys(stores) as Store[] // the keys of a literal
const commands: Readonly<Record<string, string>> = Object.assign({}, ...storeNames.map(reading), refused)

beforeAll(async () => {
  await createStores()
  await Bun.write(`${scratch}/talks.ndjson`, '{"title":"a","category":"b"}\n')
  mkdirSync(disk)
  const toLine = ([name, words]: readonly [string, string]) =>
    `"$program" ${words} >"$scratch/${name}.out" 2>"$scratch/${name}.err"; echo $? >"$scratch/${name}.code"`
  const lines = Object.entries(commands).map(toLine)
  const mount = `mount -t tmpfs tmpfs "$disk" && cp "$scratch"/state/* "$disk" && mount -o remount,ro "$disk" || exit 1`
  await runMounted([mount, ...lines, 'ls "$disk" >"$scratch/disk.out"'].join('\n'))
}, 120_000)
afterAll(() => removeFolder(scratch))

/** A mount is gone with the process that made it. */
async function runMounted(script: string): Promise<void> {
  const env = { ...process.env, program, scratch, disk }
  const failures: string[] = []
  for (const flags of [['--mount'], ['--mount', '--map-root-user']]) {
    const child = Bun.spawn(['unshare', ...flags, 'sh', '-c', script], { env, stdio: ['ignore', 'ignore', 'pipe'] })
    failures.push(await child.stderr.text())
    if ((await child.exited) === 0) return
  }
  throw new Error(`NO READ-ONLY DISK, neither as root nor in a user namespace:\n${failures.join('\n')}`)
}

/** Three records, of which the log has two. */
async function createStores(): Promise<void> {
  const db = `${scratch}/served.db`
  mkdirSync(`${scratch}/state`)
  const keep = (store: Store) => {
    for (const end of stores[store]) copyFileSync(`${db}${end}`, `${scratch}/state/${store}.db${end}`)
  }
  for (const part of [titles.slice(0, 1), titles.slice(1)]) {
    const server = await startServer({ db })
    const client = createRecordClient((...request) => ask(server.port, ...request), server.adminKey)
    for (const title of part) toWritten(await client.create({ title }))
    if (part.length > 1) keep('crashed')
    if (part.length > 1) keep('copied')
    expect(await server.stop()).toBe(0)
  }
  keep('clean')
}

const read = (name: string) => readFileSync(`${scratch}/${name}`, 'utf8')
const resultOf = (name: string) => ({ code: read(`${name}.code`).trim(), err: read(`${name}.err`) })

describe.each(storeNames)('On a read-only disk, a store (%s)', (store) => {
  test('is checked', () => {
    expect(resultOf(`${store}-doctor`)).toEqual({
      code: '0',
      err: expect.stringContaining(`${disk}/${store}.db is in order.`),
    })
  })

  test('is exported with all that was acknowledged', () => {
    expect(resultOf(`${store}-export`)).toMatchObject({ code: '0' })
    const lines = read(`${store}.ndjson`).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).title)).toEqual(titles)
    expect(resultOf(`${store}-dump`)).toMatchObject({ code: '0' })
  })

  test('is backed up to elsewhere, and can be restored from there', () => {
    const whole = { code: '0', err: expect.stringContaining('3 records with 3 versions') }
    expect(resultOf(`${store}-backup`)).toEqual(whole)
    expect(resultOf(`${store}-restore`)).toMatchObject({ code: '0' })
  })

  test('shows its tokens', () => {
    expect(resultOf(`${store}-tokens`)).toMatchObject({ code: '0' })
  })
})

test.each(Object.keys(refused))('a command that has to write there says why it cannot: %s', (name) => {
  const file = /\$disk\/\S+/.exec(commands[name] ?? '')?.[0].replace('$disk', disk) ?? ''
  expect(resultOf(name)).toMatchObject({ code: '73' })
  expect(resultOf(name).err).toContain(file)
  expect(resultOf(name).err).toMatch(/its file system is read-only/)
})

test('a store that another process changes through another mount while it is read gives an error', async () => {
  const [live, twin] = [`${scratch}/live`, `${scratch}/twin`]
  for (const folder of [live, twin]) mkdirSync(folder)
  copyFileSync(`${scratch}/state/clean.db`, `${live}/records.db`)
  const code = `
    import { openBeside, openForWriting } from '${resolve(import.meta.dir, '../../src/store/sqlite/connection.ts')}'
    const db = openBeside('${twin}/records.db')
    db.query('SELECT count(*) FROM record').get()
    const other = openForWriting('${live}/records.db', 0)
    other.run('DELETE FROM session')
    other.run('UPDATE record SET version = version')
    other.close()
    try { db.close() } catch (error) { await Bun.write('${scratch}/twin.err', error.message) }`
  await Bun.write(`${scratch}/twin.ts`, code)
  await runMounted(
    `mount --bind ${live} ${twin} && mount -o remount,ro,bind ${twin} && ${process.execPath} ${scratch}/twin.ts`,
  )
  expect(read('twin.err')).toBe(`Another process has changed ${twin}/records.db meanwhile. Try again.`)
})

test('nothing was written there', () => {
  const files = storeNames.flatMap((store) => stores[store].map((end) => `${store}.db${end}`))
  expect(read('disk.out').trimEnd().split('\n').sort()).toEqual(files.sort())
  expect(existsSync(`${scratch}/clean.restored`)).toBe(true)
})
