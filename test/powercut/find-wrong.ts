import { checkWhole } from '../../src/store/sqlite/check/check.ts'
import { closeAfter, openBeside } from '../../src/store/sqlite/connection.ts'
import { inspectDatabase } from '../../src/store/sqlite/inspect.ts'

/** What is wrong with a store; nothing, where it is good. */
export function findWrong(path: string): readonly string[] {
  const inspection = inspectDatabase(path)
  if (inspection.is !== 'ours') return [inspection.is === 'refused' ? inspection.problem : 'there is no store']
  const listener = { onStage: () => undefined, onStep: () => undefined }
  return closeAfter(openBeside(path), (db) => [...checkWhole(db, listener)]).map(({ what }) => what)
}
