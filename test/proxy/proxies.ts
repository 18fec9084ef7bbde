import { mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { findProgram } from '../harness/find-program.ts'
import { createFolder, removeFolder, watchOver } from '../harness/server.ts'
import { until } from '../harness/until.ts'

const root = resolve(import.meta.dir, '../..')

export interface RunningProxy {
  readonly port: number
  stop(): Promise<void>
}

export interface Nginx extends RunningProxy {
  /** The certificate, which its clients must trust. */
  readonly ca: string
}

type Pairs = readonly (readonly [string, string])[]

/** The sample of docs/operations.md, so that it is known to work. */
export function readSample(): string {
  const sample = /```nginx\n([\s\S]*?)```/.exec(readFileSync(join(root, 'docs/operations.md'), 'utf8'))?.[1]
  if (sample === undefined) throw new Error('docs/operations.md has no nginx sample')
  return sample
}

/** A sample of packaging/proxy, for nodes on these ports. */
export function readPackaged(name: string, ports: readonly number[]): string {
  const text = readFileSync(join(root, 'packaging/proxy', name), 'utf8')
  const nodes = ports.map((port) => `127.0.0.1:${port}`)
  return name.startsWith('Caddyfile')
    ? text.replace(/reverse_proxy .* \{/, `reverse_proxy ${nodes.join(' ')} {`)
    : text.replace(/( *server 127\.0\.0\.1:\d+(.*)\n)+/, (_, __, options: string) =>
        nodes.map((node) => `server ${node}${options}\n`).join(''),
      )
}

/** Runs nginx with a server like the sample, on a port of the loopback address, with a certificate for localhost. */
export async function startNginx(sample: string, port: number, host: string): Promise<Nginx> {
  const program = await findProgram('nginx', 'nginx-light')
  const folder = createFolder()
  const [certificate, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  await createCertificate(certificate, key)
  const server = replaceAll(sample, [
    ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
    [`server_name ${host}`, 'server_name localhost'],
    [`/etc/ssl/${host}.pem`, certificate],
    [`/etc/ssl/${host}.key`, key],
  ])
  const file = join(folder, 'nginx.conf')
  await Bun.write(file, toConfiguration(folder, server))
  const command = [program, '-e', join(folder, 'error.log'), '-p', folder, '-c', file]
  const proxy = await startProxy(command, port, folder)
  return { ...proxy, ca: readFileSync(certificate, 'utf8') }
}

/** Runs Caddy with a site like the sample, without TLS, on a port of the loopback address. */
export async function startCaddy(sample: string, port: number): Promise<RunningProxy> {
  const program = await findProgram('caddy', 'caddy')
  const folder = createFolder()
  const file = join(folder, 'Caddyfile')
  const site = replaceAll(sample, [['talks.example.org {', `http://127.0.0.1:${port} {`]])
  await Bun.write(file, `{\n\tadmin off\n}\n${site}`)
  return await startProxy([program, 'run', '--adapter', 'caddyfile', '--config', file], port, folder)
}

async function startProxy(command: string[], port: number, folder: string): Promise<RunningProxy> {
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const log = join(folder, 'error.log')
  const child = Bun.spawn(command, { env, stdin: 'ignore', stdout: 'ignore', stderr: Bun.file(log) })
  const unwatch = watchOver(child, folder)
  const stop = async () => {
    unwatch()
    child.kill('SIGKILL')
    await child.exited
    removeFolder(folder)
  }
  try {
    await until('the proxy answers', () => isListening(child, port, log))
    return { port, stop }
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
  const openssl = await findProgram('openssl', 'openssl')
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const command = [openssl, 'req', '-x509', ...kind, ...names, '-keyout', key, '-out', certificate]
  const { exitCode, stderr } = Bun.spawnSync(command, { stdin: 'ignore' })
  if (exitCode !== 0) throw new Error(`openssl made no certificate: ${stderr}`)
}

function replaceAll(text: string, pairs: Pairs): string {
  return pairs.reduce((changed, [old, fresh]) => {
    if (!changed.includes(old)) throw new Error(`The sample of a proxy no longer has "${old}"`)
    return changed.replaceAll(old, fresh)
  }, text)
}

async function isListening(child: Bun.Subprocess, port: number, log: string): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`The proxy ended: ${readFileSync(log, 'utf8')}`)
  try {
    const socket = await Bun.connect({ hostname: '127.0.0.1', port, socket: { data() {} } })
    socket.end()
    return true
  } catch {
    return false
  }
}

export function findFreePort(): number {
  const server = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  server.stop(true)
  return server.port
}
