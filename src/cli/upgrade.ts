import { createUsageFailure } from '../command-failure.ts'
import { readDb, readSetting } from '../settings/config.ts'
import { settings } from '../settings/settings.ts'
import type { Engine, Upgraded } from '../store/engine.ts'
import { findStore, openEngine } from '../store/open.ts'
import type { Flags } from './terminal/arguments.ts'
import { toCommandLine } from './terminal/command-line.ts'
import { printError } from './terminal/output.ts'
import { createStages } from './terminal/progress.ts'

/** `rostrum upgrade`: upgrades a store that is not being served to the schema of this program (decision 66). */
export async function upgradeStore(args: readonly string[], flags: Flags): Promise<void> {
  if (args.length > 0) throw createUsageFailure('upgrade', '"upgrade" takes options only.')
  const keepsCopy = readSetting(settings.upgradeCopy, flags)
  const engine = await openEngine(readDb(flags))
  const { schema } = await findStore(engine)
  if (schema === engine.schema) return printError(toCurrentText(engine))
  const stages = createStages()
  stages.stage(`Upgrading ${engine.shown} from schema ${schema} to ${engine.schema}`)
  const { lock, upgraded } = await engine.prepare(keepsCopy)
  lock.release()
  stages.end()
  printError(upgraded === null ? toCurrentText(engine) : toUpgradedText(engine, upgraded))
}

const toCurrentText = ({ shown, schema }: Engine) =>
  `${shown} already has schema ${schema}. There is nothing to upgrade.\n`

function toUpgradedText({ shown, path }: Engine, { from, to, ms, copy }: Upgraded): string {
  const kept = copy === null ? '' : ` The old store is kept as ${copy}`
  return `Upgraded ${shown} from schema ${from} to ${to} in ${ms} ms.${kept}\nServe it with: ${toCommandLine(path, 'serve')}\n`
}
