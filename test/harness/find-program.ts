import { existsSync } from 'node:fs'

/** The path of a program. Installs its Debian package if it is missing; if that fails, throws an error that says what to do. */
export async function findProgram(name: string, packageName: string): Promise<string> {
  const found = lookAround(name) ?? (await install(name, packageName))
  if (found !== undefined) return found
  const tried = 'looked on the PATH and in /usr/sbin; tried apt-get'
  const text = `THESE TESTS CANNOT RUN: there is no ${name} here (${tried}). Install it and run them again.`
  console.error(text)
  throw new Error(text)
}

function lookAround(name: string): string | undefined {
  return Bun.which(name) ?? [`/usr/sbin/${name}`, `/usr/local/sbin/${name}`].find((path) => existsSync(path))
}

async function install(name: string, packageName: string): Promise<string | undefined> {
  const isDebianRoot = process.platform === 'linux' && process.getuid?.() === 0 && Bun.which('apt-get') !== null
  if (!isDebianRoot) return undefined
  console.error(`No ${name} here; installing it (once) ...`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const names = ['install', '-y', '--no-install-recommends', packageName]
  for (const args of [['update'], names]) {
    await Bun.spawn(['apt-get', ...args], { env, stdio: ['ignore', 2, 2] }).exited
  }
  return lookAround(name)
}
