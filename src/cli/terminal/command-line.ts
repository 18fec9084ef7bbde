import { readCommandName } from '../../config.ts'
import { withoutPassword } from '../../store/postgres/address.ts'
import { isExecutable } from './own-command.ts'

/** A command of ours on a store, to be pasted into a shell as it stands. Without the password of an address. */
export function toCommandLine(db: string, ...words: readonly string[]): string {
  const command = isExecutable(Bun.main) ? process.execPath : readCommandName()
  return [command, ...words, '--db', withoutPassword(db)].map(quote).join(' ')
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
