import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createFolder, removeFolder, watchOver } from '../harness/server.ts'
import { until } from '../harness/until.ts'

const root = resolve(import.meta.dir, '../..')

export interface Nginx {
  readonly port: number
  /** The certificate, which its clients must trust. */
  readonly ca: string
  stop(): Promise<void>
}

/** The sample of docs/operations.md, so that it is known to work. */
export function readSample(): string {
  const sample = /```nginx\n([\s\S]*?)```/.exec(readFileSync(join(root, 'docs/operations.md'), 'utf8'))?.[1]
  if (sample === undefined) throw new Error('docs/operations.md has no nginx sample')
  return sample
}

/** Runs nginx with a server like the sample, on a port of the loopback address, with a certificate for localhost. */
export async function startNginx(sample: string, port: number, rostrumPort: number): Promise<Nginx> {
  const program = await findNginx()
  const folder = createFolder()
  const [certificate, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  await createCertificate(certificate, key)
  const server = replaceAll(sample, [
    ['127.0.0.1:8000', `127.0.0.1:${rostrumPort}`],
    ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
    ['server_name example.org', 'server_name localhost'],
    ['/etc/ssl/example.org.pem', certificate],
    ['/etc/ssl/example.org.key', key],
  ])
  const file = join(folder, 'nginx.conf')
  await Bun.write(file, toConfiguration(folder, server))
  const command = [program, '-e', join(folder, 'error.log'), '-p', folder, '-c', file]
  const child = Bun.spawn(command, { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' })
  const unwatch = watchOver(child, folder)
  const stop = async () => {
    unwatch()
    child.kill('SIGKILL')
    await child.exited
    removeFolder(folder)
  }
  try {
    const ca = readFileSync(certificate, 'utf8')
    await until('nginx answers', () => isListening(child, port, folder))
    return { port, ca, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** One process, so that ending it leaves none behind. As root it keeps its user: its folder is for root only. */
function toConfiguration(folder: string, server: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => {
    mkdirSync(join(folder, name))
    return `${name}_temp_path ${join(folder, name)};`
  })
  return `
    daemon off;
    master_process off;
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    pid ${join(folder, 'nginx.pid')};
    events {}
    http {
      access_log off;
      ${temporary.join('\n')}
      ${server}
    }
  `
}

async function createCertificate(certificate: string, key: string): Promise<void> {
  const openssl = Bun.which('openssl') ?? failWithout('openssl', 'looked on the PATH')
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const command = [openssl, 'req', '-x509', ...kind, ...names, '-keyout', key, '-out', certificate]
  const { exitCode, stderr } = Bun.spawnSync(command, { stdin: 'ignore' })
  if (exitCode !== 0) throw new Error(`openssl made no certificate: ${stderr}`)
}

function replaceAll(text: string, pairs: readonly (readonly [string, string])[]): string {
  return pairs.reduce((changed, [old, fresh]) => {
    if (!changed.includes(old)) throw new Error(`The nginx sample of docs/operations.md no longer has "${old}"`)
    return changed.replaceAll(old, fresh)
  }, text)
}

async function isListening(child: Bun.Subprocess, port: number, folder: string): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`nginx ended: ${readFileSync(join(folder, 'error.log'), 'utf8')}`)
  try {
    const socket = await Bun.connect({ hostname: '127.0.0.1', port, socket: { data() {} } })
    socket.end()
    return true
  } catch {
    return false
  }
}

/** Installs nginx where it is missing, and throws a text that says what to do where it cannot be had. */
async function findNginx(): Promise<string> {
  return lookAround() ?? (await install()) ?? failWithout('nginx', 'looked on the PATH and in /usr/sbin; tried apt-get')
}

function lookAround(): string | undefined {
  return Bun.which('nginx') ?? ['/usr/sbin/nginx', '/usr/local/sbin/nginx'].find((path) => existsSync(path))
}

async function install(): Promise<string | undefined> {
  const isDebianRoot = process.platform === 'linux' && process.getuid?.() === 0 && Bun.which('apt-get') !== null
  if (!isDebianRoot) return undefined
  console.error('No nginx here; installing it (once) ...')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const names = ['install', '-y', '--no-install-recommends', 'nginx-light']
  for (const args of [['update'], names]) {
    await Bun.spawn(['apt-get', ...args], { env, stdio: ['ignore', 2, 2] }).exited
  }
  return lookAround()
}

function failWithout(program: string, tried: string): never {
  const text = `THE TESTS BEHIND A PROXY CANNOT RUN: there is no ${program} here (${tried}). Install it and run them again.`
  console.error(text)
  throw new Error(text)
}
