/**
 * Makes workers; one of the given program is begun at once. A thread's engine and program take as long to load as main
 * takes to look at the store, so both are done at the same time.
 */
export function createWorkers(program: URL): (url: URL) => Worker {
  let begun: Worker | null = new Worker(program)
  begun.addEventListener('close', () => {
    begun = null
  })
  return (url) => {
    if (url !== program || begun === null) return new Worker(url)
    const worker = begun
    begun = null
    return worker
  }
}
