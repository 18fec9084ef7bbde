import { mkdirSync } from 'node:fs'
import { program } from '../harness/program.ts'
import { type Spawned, spawnServer } from './spawn.ts'

// Enough for a few dozen large records.
const diskSize = '6m'

export const adminKey = 'small-disk-admin-key-of-the-tests'

/**
 * The server on a small disk in memory, in a mount namespace of its own: the disk goes when the server does. Its
 * files are seen from here through the process. The shell commands run first, on that disk, and may call `serve`.
 */
export async function startOnSmallDisk(
  folder: string,
  first = ':',
): Promise<{ readonly server: Spawned; readonly disk: string }> {
  const disk = `${folder}/disk`
  mkdirSync(disk)
  const command = '"$launcher" serve --host 127.0.0.1 --port 0 --threads 2 --db "$disk/records.db"'
  const script = `mount -t tmpfs -o size=${diskSize} tmpfs "$disk" || exit 1; serve() { ${command}; }; ${first}; exec ${command}`
  const env = { ROSTRUM_ADMIN_TOKEN: adminKey, launcher: program, folder, disk }
  const failures: string[] = []
  for (const flags of [['--mount'], ['--mount', '--map-root-user']]) {
    try {
      const server = await spawnServer(['unshare', ...flags, 'sh', '-c', script], { env })
      return { server, disk: `/proc/${server.pid}/root${disk}` }
    } catch (error) {
      failures.push(String(error))
    }
  }
  throw new Error(`NO SERVER ON A SMALL DISK, neither as root nor in a user namespace:\n${failures.join('\n')}`)
}
