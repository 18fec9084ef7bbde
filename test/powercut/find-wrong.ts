import { closeWhenDone } from '../../src/store/database.ts'
import { checkWhole } from '../../src/store/sqlite/check.ts'
import { openBeside } from '../../src/store/sqlite/connection.ts'
import { inspectDatabase } from '../../src/store/sqlite/inspect.ts'

/** What is wrong with a store; nothing, where it is good. */
export async function findWrong(path: string): Promise<readonly string[]> {
  const inspection = inspectDatabase(path)
  if (inspection.is !== 'ours') return [inspection.is === 'refused' ? inspection.problem : 'there is no store']
  const listener = { onStage: () => undefined, onStep: () => undefined }
  const findings = await closeWhenDone(openBeside(path), (db) => Array.fromAsync(checkWhole(db, listener)))
  return findings.map(({ what }) => what)
}
