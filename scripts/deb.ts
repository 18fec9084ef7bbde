import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import packageJson from '../package.json'

const root = resolve(import.meta.dir, '..')

/** What Debian calls the platforms of a release that it runs on. */
export const debArchitectures = { 'linux-x64': 'amd64', 'linux-arm64': 'arm64' } as const

type Architecture = (typeof debArchitectures)[keyof typeof debArchitectures]

/** Makes a Debian package of an executable, with its units, settings and documents. Returns the file. */
export function buildDeb(executable: string, architecture: Architecture, folder: string): string {
  const file = join(folder, `rostrum_${packageJson.version}_${architecture}.deb`)
  const tree = mkdtempSync(join(tmpdir(), 'rostrum-deb-'))
  try {
    layOut(tree, executable)
    writeControl(join(tree, 'DEBIAN'), architecture)
    // Installing gives `/` the mode of the tree, and a temporary folder is private.
    run('chmod', '-R', 'u=rwX,go=rX', tree)
    // xz takes ten times as long.
    run('dpkg-deb', '--root-owner-group', '-Zgzip', '--build', tree, file)
    return file
  } finally {
    rmSync(tree, { recursive: true })
  }
}

function run(...command: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(command)
  if (exitCode !== 0) throw new Error(`${command[0]} ended with ${exitCode}: ${stderr}`)
}

function layOut(tree: string, executable: string): void {
  const copy = (from: string, to: string) => cpSync(from, join(tree, to), { recursive: true })
  copy(executable, 'usr/bin/rostrum')
  const systemd = resolve(root, 'packaging/systemd')
  for (const name of readdirSync(systemd)) {
    copy(join(systemd, name), join(name.endsWith('.conf') ? 'etc/rostrum' : 'lib/systemd/system', name))
  }
  const docs = resolve(root, 'docs')
  for (const name of readdirSync(docs).filter((each) => each.endsWith('.md'))) {
    copy(join(docs, name), join('usr/share/doc/rostrum', name))
  }
  for (const name of ['proxy', 'monitoring'])
    copy(resolve(root, 'packaging', name), join('usr/share/doc/rostrum', name))
  copy(resolve(root, 'LICENSE'), 'usr/share/doc/rostrum/copyright')
}

function writeControl(folder: string, architecture: Architecture): void {
  mkdirSync(folder)
  const { name, version, description } = packageJson
  const fields = {
    Package: name,
    Version: version,
    Architecture: architecture,
    Maintainer: 'Rostrum maintainers',
    Section: 'web',
    Priority: 'optional',
    Depends: 'libc6 (>= 2.17)',
    Description: description,
  }
  const lines = Object.entries(fields).map(([field, value]) => `${field}: ${value}\n`)
  writeFileSync(join(folder, 'control'), lines.join(''))
  writeFileSync(join(folder, 'conffiles'), '/etc/rostrum/rostrum.conf\n')
  const scripts = {
    // A new package starts nothing: first the operator sets the address of the site.
    postinst: 'systemctl daemon-reload\nsystemctl try-restart rostrum.service',
    prerm: '[ "$1" != remove ] || systemctl disable --now rostrum.service rostrum-pg-dump.timer',
  }
  for (const [script, commands] of Object.entries(scripts)) {
    const text = `#!/bin/sh\nset -e\n[ -d /run/systemd/system ] || exit 0\n${commands}\n`
    writeFileSync(join(folder, script), text, { mode: 0o755 })
  }
}
