import { readCommandName } from '../../settings/config.ts'
import { withoutPassword } from '../../store/postgres/address.ts'

/** One of our commands on a store, ready to be pasted into a shell. Passwords in addresses are left out. */
export function toCommandLine(db: string, ...words: readonly string[]): string {
  const command = isExecutable(Bun.main) ? process.execPath : readCommandName()
  return [command, ...words, '--db', withoutPassword(db)].map(quote).join(' ')
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

/** The command that starts this program again: Bun and the file it runs, or the executable that contains both. */
export function toOwnCommand(): string[] {
  return isExecutable(Bun.main) ? [process.execPath] : [process.execPath, ...process.execArgv, Bun.main]
}

/** Files inside an executable have paths that do not exist on disk. */
function isExecutable(main: string): boolean {
  return main.startsWith('/$bunfs/') || main.includes('~BUN')
}
