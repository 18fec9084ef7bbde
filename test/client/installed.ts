import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dir, '../..')

/** Large, or not needed. Without the lock file, bin/bun does not compare its age with that of the packages. */
const leftOut = ['node_modules', 'package-lock.json', '.git', 'data', 'dist', 'bench', 'test']

/** Packs the client as its page says, in a copy of the checkout, and returns the path of the file. */
export async function packClient(scratch: string): Promise<string> {
  const checkout = join(scratch, 'checkout')
  mkdirSync(checkout)
  for (const name of readdirSync(root).filter((each) => !leftOut.includes(each))) {
    cpSync(join(root, name), join(checkout, name), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'))
  await runNpm(['run', 'build:client'], checkout, scratch)
  const stdout = await runNpm(['pack', './dist/client'], checkout, scratch)
  return join(checkout, stdout.trim().split('\n').at(-1) ?? '')
}

/** An empty project that has installed the packed file, without a network. */
export async function installClient(file: string, scratch: string): Promise<string> {
  const project = join(scratch, 'project')
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "name": "user", "private": true, "type": "module" }\n')
  await runNpm(['install', '--offline', file], project, scratch)
  return project
}

/** What npm prints; throws if it fails. */
export async function runNpm(args: readonly string[], cwd: string, scratch: string): Promise<string> {
  // A cache of its own: the user's may be read-only, or have packages that the test must not depend on.
  const settings = { npm_config_cache: join(scratch, 'cache'), npm_config_loglevel: 'error' }
  const own = { ...settings, npm_config_ignore_scripts: 'false', npm_config_dry_run: 'false' }
  const { exitCode, stdout, stderr } = await run(['npm', ...args], cwd, own)
  if (exitCode !== 0) throw new Error(`npm ${args.join(' ')} ended with ${exitCode}: ${stderr}`)
  return stdout
}

export async function run(command: readonly string[], cwd: string, settings: Readonly<Record<string, string>> = {}) {
  const child = Bun.spawn([...command], {
    cwd,
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()])
  return { exitCode: await child.exited, stdout, stderr }
}
