import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { cp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { PeerCommand } from './servers.ts'

/** A third-party server with the same records; `command` is null if it is not installed. */
export interface Peer {
  readonly name: string
  readonly absence: string
  readonly command: PeerCommand | null
}

export interface PeerData {
  readonly folder: string
  /** One record a line. */
  readonly records: string
}

const programs = resolve(import.meta.dir, '../peers')

/** Node.js with Fastify and better-sqlite3. Its packages are installed once, into the temporary folder. */
export async function toFastify({ folder, records }: PeerData, say: (text: string) => void): Promise<Peer> {
  const node = Bun.which('node')
  const place = node === null ? null : await installFastify(say)
  const toWords = (port: number) => [String(port), records, join(folder, 'fastify.db')]
  return {
    name: 'Fastify',
    absence: 'absent: its packages could not be installed',
    command: place === null ? null : (port) => ({ words: [node ?? '', join(place, 'server.js'), ...toWords(port)] }),
  }
}

async function installFastify(say: (text: string) => void): Promise<string | null> {
  const source = join(programs, 'fastify')
  const key = Bun.hash(readFileSync(join(source, 'package-lock.json'))).toString(36)
  const place = join(tmpdir(), 'rostrum-peers', `fastify-${key}`)
  if (!existsSync(place)) {
    say('installing Fastify and better-sqlite3, which may have to be compiled ...')
    const draft = `${place}.${process.pid}`
    mkdirSync(draft, { recursive: true })
    await cp(source, draft, { recursive: true })
    const install = ['npm', 'ci', '--no-audit', '--no-fund', '--loglevel=error']
    const { exited } = Bun.spawn(install, { cwd: draft, stdio: ['ignore', 'ignore', 'inherit'] })
    if ((await exited) === 0) await rename(draft, place)
    else await rm(draft, { recursive: true, force: true })
  }
  // The packages stay the same; the program may have changed.
  if (existsSync(place)) await cp(join(source, 'server.js'), join(place, 'server.js'))
  return existsSync(place) ? place : null
}

/**
 * Django REST framework under gunicorn, one worker, from the system's packages: an archive with tables for events,
 * speakers and tags, in its natural form, and the smallest program with the same response.
 */
export function toDjango({ folder, records }: PeerData): readonly Peer[] {
  const python = ['/usr/bin/python3', Bun.which('python3')].find((each) => each !== null && hasDjango(each))
  const options = ['--workers', '1', '--worker-class', 'gthread', '--threads', '1', '--keep-alive', '60']
  const toCommand = (found: string, program: string): PeerCommand => {
    return (port) => ({
      words: [
        ...[found, '-m', 'gunicorn', '--bind', `127.0.0.1:${port}`, '--log-level', 'error', ...options],
        ...['--chdir', join(programs, 'drf'), `${program}:application`],
      ],
      env: { PEER_DB: join(folder, `${program}.db`), PEER_RECORDS: records, PYTHONDONTWRITEBYTECODE: '1' },
    })
  }
  const absence = 'absent: python3 finds no rest_framework or no gunicorn'
  return [
    { name: 'DRF', absence, command: python ? toCommand(python, 'archive.service') : null },
    { name: 'DRF with one table', absence, command: python ? toCommand(python, 'one_table') : null },
  ]
}

function hasDjango(python: string): boolean {
  if (!existsSync(python)) return false
  return Bun.spawnSync([python, '-c', 'import rest_framework, gunicorn'], { stderr: 'ignore' }).success
}
