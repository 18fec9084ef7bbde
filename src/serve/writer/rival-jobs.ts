import type { Refusal } from '../../record/command.ts'
import type { BatchJob } from '../../store/write/batch/batch-job.ts'
import { toRunning } from '../../store/write/batch/batch-job.ts'

/** How a new job relates to those that run: a repetition of one, in conflict with one, or neither (null). */
export type Rivalry<Job> =
  | { readonly is: 'same'; readonly other: Job }
  | { readonly is: 'refused'; readonly refusal: Refusal }
  | null

/** For undos that have no row yet, which a transaction could not detect. */
export function findRivalry<Job extends { readonly job: BatchJob }>(
  job: BatchJob,
  others: readonly Job[],
): Rivalry<Job> {
  const { key, undoes } = job.row
  const keyed = others.find((other) => hasKeyOf(other.job, job))
  if (keyed !== undefined) {
    const isSame = keyed.job.row.key?.request === key?.request
    return isSame ? { is: 'same', other: keyed } : { is: 'refused', refusal: { code: 'key_reused' } }
  }
  const isRival = (other: Job) => undoes !== null && other.job.row.undoes === undoes && isMeant(other.job)
  const rival = isMeant(job) ? others.find(isRival) : undefined
  if (rival === undefined || undoes === null) return null
  const refusal = rival.job.batch === null ? toBeingUndone(undoes) : toRunning(rival.job.batch)
  return { is: 'refused', refusal }
}

const isMeant = ({ command }: BatchJob) => command.isDryRun !== true

function hasKeyOf({ row, command }: BatchJob, other: BatchJob): boolean {
  return row.key !== null && row.key.key === other.row.key?.key && command.author.name === other.command.author.name
}

const toBeingUndone = (batch: number): Refusal => ({
  code: 'batch_running',
  detail: `Batch ${batch} is being undone; wait until that is done. See /api/v2/batches/${batch}.`,
})
