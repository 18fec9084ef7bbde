/**
 * Makes workers; those of the given program, so many, are begun at once. A thread's engine and program take as long to
 * load as main takes to look at the store, so both are done at the same time.
 */
export function createWorkers(program: URL, count: number): (url: URL) => Worker {
  const begun = new Set(Array.from({ length: count }, () => new Worker(program)))
  for (const worker of begun) worker.addEventListener('close', () => begun.delete(worker))
  return (url) => {
    const [worker] = url === program ? begun : []
    if (worker === undefined) return new Worker(url)
    begun.delete(worker)
    return worker
  }
}
