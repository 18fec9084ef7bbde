import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import packageLock from '../package-lock.json'

/** Platforms of a release, and the npm packages that have Bun for them. */
const runtimes = {
  'linux-x64': { target: 'bun-linux-x64', name: '@oven/bun-linux-x64' },
  'linux-arm64': { target: 'bun-linux-arm64', name: '@oven/bun-linux-aarch64' },
  'linux-x64-musl': { target: 'bun-linux-x64-musl', name: '@oven/bun-linux-x64-musl' },
  'linux-arm64-musl': { target: 'bun-linux-arm64-musl', name: '@oven/bun-linux-aarch64-musl' },
  'macos-x64': { target: 'bun-darwin-x64', name: '@oven/bun-darwin-x64' },
  'macos-arm64': { target: 'bun-darwin-arm64', name: '@oven/bun-darwin-aarch64' },
} as const

export type Platform = keyof typeof runtimes

type RuntimeName = (typeof runtimes)[Platform]['name']

export const platforms: readonly string[] = Object.keys(runtimes)

export function isPlatform(name: string): name is Platform {
  return Object.hasOwn(runtimes, name)
}

/** Options of Bun's compiler for another platform. Bun itself would download from GitHub, bypassing the registry and proxy of npm. */
export function toCrossOptions(platform: Platform, folder: string) {
  const { target, name } = runtimes[platform]
  return { target, executablePath: ensureRuntime(platform, name, folder) }
}

/** The Bun of a platform, in the version of package-lock.json; npm downloads it once. */
function ensureRuntime(platform: Platform, name: RuntimeName, folder: string): string {
  const { version, integrity } = packageLock.packages[`node_modules/${name}`]
  const own = resolve(folder, `${basename(name)}-${version}`)
  const program = join(own, 'bin/bun')
  if (existsSync(program)) return program
  const refuse = (why: string) => {
    rmSync(own, { recursive: true, force: true })
    const hint = '`npm run build` alone makes the executable of this machine, without a download.'
    throw new Error(`Cannot build for ${platform}: ${why}. ${hint}`)
  }
  mkdirSync(own, { recursive: true })
  const command = ['npm', 'pack', '--silent', '--pack-destination', own, `${name}@${version}`]
  const packed = Bun.spawnSync(command, { env: process.env })
  if (packed.exitCode !== 0) return refuse(`npm cannot download ${name}@${version}`)
  const file = join(own, packed.stdout.toString().trim())
  if (hash(file) !== integrity) return refuse(`${name}@${version} is not the one of package-lock.json`)
  const { exitCode } = Bun.spawnSync(['tar', '-xzf', file, '--strip-components=1', '-C', own, 'package/bin/bun'])
  rmSync(file)
  return exitCode === 0 ? program : refuse(`tar cannot unpack ${name}@${version}`)
}

/** As package-lock.json has it. */
function hash(file: string): string {
  return `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`
}
