import { attempt } from './attempt.ts'
import { type BackupEnd, type BackupOrder, writeBackup } from './backup.ts'
import { CommandFailure } from './failure.ts'

/** The part of `rostrum backup` that is a process of its own: told what to do as JSON, tells how it ended as JSON. */
const order: BackupOrder = JSON.parse(process.argv[2] ?? '')
process.stdout.write(JSON.stringify(run()))

function run(): BackupEnd {
  try {
    return { is: 'whole', held: attempt(`write the backup ${order.file}`, () => writeBackup(order)) }
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error
    return { is: 'refused', exitCode: error.exitCode, message: error.message }
  }
}
