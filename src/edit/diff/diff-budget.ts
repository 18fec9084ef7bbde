import type { JsonObject } from '../../record/json.ts'
import type { StepBudget } from '../../record/text/sequence-diff.ts'
import { type FieldTable, toValue } from '../form/field-hints.ts'
import { toDifferingNames } from './record-diff.tsx'

/** What all diffs of a page may take together, so that long texts do not make it slow: about 30 ms. */
export interface DiffBudget extends StepBudget {
  /** Of texts that are still compared. */
  characters: number
}

export function createDiffBudget(): DiffBudget {
  return { left: 500_000, characters: 200_000 }
}

/** For a page that compares two records, or the sides of a conflict: about 60 ms. */
export const createSingleBudget = (): StepBudget => ({ left: 1_000_000 })

/** Whether the page may still show how two records differ; if so, takes the size of their texts from the budget. */
export function takeDiff(budget: DiffBudget, before: JsonObject, after: JsonObject, table?: FieldTable): boolean {
  const names = toDifferingNames(before, after, table)
  const size = names.reduce((sum, name) => sum + toSize(toValue(before, name), toValue(after, name)), 0)
  if (size > budget.characters) return false
  budget.characters -= size
  return true
}

/** The length of two lists, or of what differs in two texts, without their common ends. */
function toSize(before: unknown, after: unknown): number {
  if (Array.isArray(before) && Array.isArray(after)) return before.join().length + after.join().length
  if (typeof before !== 'string' || typeof after !== 'string') return 0
  const most = Math.min(before.length, after.length)
  let [start, end] = [0, 0]
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) start++
  while (end < most - start && before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end))
    end++
  return before.length + after.length - 2 * (start + end)
}
