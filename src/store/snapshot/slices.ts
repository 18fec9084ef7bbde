/** Long work in slices, between which a thread answers requests. */
export type Slices<Result> = Generator<void, Result>

/** Whether a slice has taken long enough. */
export type IsDue = () => boolean

const sliceMs = 3

export function createIsDue(): IsDue {
  let sinceMs = performance.now()
  return () => {
    const nowMs = performance.now()
    if (nowMs - sinceMs < sliceMs) return false
    sinceMs = nowMs
    return true
  }
}

/** Runs slices, and lets the thread do other things in between. Throws if `check` does. */
export async function runSlices<Result>(slices: Slices<Result>, check: () => void): Promise<Result> {
  for (;;) {
    check()
    const { done, value } = slices.next()
    if (done) return value
    await new Promise((resolve) => setImmediate(resolve))
  }
}

const runLength = 1024

/** Sorts runs first, then merges neighbours. */
export function* sortInSlices(
  numbers: Uint32Array<ArrayBuffer>,
  compare: (a: number, b: number) => number,
  isDue: IsDue,
): Slices<Uint32Array> {
  let [from, to] = [numbers, new Uint32Array(numbers.length)]
  for (let at = 0; at < from.length; at += runLength) {
    from.subarray(at, at + runLength).sort(compare)
    if (isDue()) yield
  }
  for (let width = runLength; width < from.length; width *= 2) {
    for (let at = 0; at < from.length; at += 2 * width) yield* mergeRuns(from, to, at, width, compare, isDue)
    ;[from, to] = [to, from]
  }
  return from
}

function* mergeRuns(
  from: Uint32Array,
  to: Uint32Array,
  start: number,
  width: number,
  compare: (a: number, b: number) => number,
  isDue: IsDue,
): Slices<void> {
  const middle = Math.min(start + width, from.length)
  const end = Math.min(start + 2 * width, from.length)
  let [left, right] = [start, middle]
  for (let at = start; at < end; at++) {
    const isLeft = right === end || (left < middle && compare(from[left] ?? 0, from[right] ?? 0) <= 0)
    to[at] = from[isLeft ? left++ : right++] ?? 0
    if (at % runLength === 0 && isDue()) yield
  }
}
