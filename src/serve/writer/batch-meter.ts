import type { Counters } from '../../store/counters.ts'

/** Shares the progress of running batches with the threads that serve `/metrics`. */
export interface BatchMeter {
  /** `key` identifies the batch, which may have no number yet. */
  set(key: object, done: number, total: number): void
  remove(key: object): void
}

export function createBatchMeter(counters: Pick<Counters, 'setBatches'>): BatchMeter {
  const batches = new Map<object, { readonly done: number; readonly total: number }>()

  function share(): void {
    let [done, total] = [0, 0]
    for (const each of batches.values()) {
      done += each.done
      total += each.total
    }
    counters.setBatches({ running: batches.size, done, total })
  }
  // Drops what an earlier writer thread has left.
  share()

  return {
    set(key, done, total) {
      batches.set(key, { done, total })
      share()
    },
    remove(key) {
      if (batches.delete(key)) share()
    },
  }
}
