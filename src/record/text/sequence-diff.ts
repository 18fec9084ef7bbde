/** What two sequences have in common: `length` items from `a` in one and from `b` in the other. */
export interface CommonPart {
  readonly a: number
  readonly b: number
  readonly length: number
}

/** How many steps a diff may still take: it stops when there are none. Comparing two items is one step. */
export interface StepBudget {
  left: number
}

/** A part of both sequences; the ends are exclusive. */
interface Box {
  readonly a: number
  readonly aEnd: number
  readonly b: number
  readonly bEnd: number
}

/**
 * A shortest edit script by Myers' algorithm in linear space, as the parts that stay, in order. Null if it would take
 * more steps than the budget has.
 */
export function diffSequences(a: Int32Array, b: Int32Array, budget: StepBudget): CommonPart[] | null {
  const matches: CommonPart[] = []
  const rows = createRows(a.length + b.length)
  // A stack of what is left to compare, the first part on top, so that deep differences need no deep recursion.
  const boxes: Box[] = [{ a: 0, aEnd: a.length, b: 0, bEnd: b.length }]
  for (let box = boxes.pop(); box !== undefined; box = boxes.pop()) {
    const inner = trim(a, b, box, matches, budget)
    if (budget.left <= 0) return null
    if (inner === null) continue
    const middle = findMiddle(a, b, inner.box, rows, budget)
    if (middle === null) return null
    boxes.push(...split(inner, middle))
  }
  return matches
}

/** A box without its common ends; `suffix` is added after what is inside. */
interface Trimmed {
  readonly box: Box
  readonly suffix: Box | null
}

/** Records the common beginning. Null if nothing else is common, or if the end, recorded too, is all. */
function trim(a: Int32Array, b: Int32Array, box: Box, matches: CommonPart[], budget: StepBudget): Trimmed | null {
  let { a: aFrom, b: bFrom, aEnd, bEnd } = box
  while (aFrom < aEnd && bFrom < bEnd && a[aFrom] === b[bFrom]) {
    aFrom++
    bFrom++
  }
  addMatch(matches, { a: box.a, b: box.b, length: aFrom - box.a })
  while (aFrom < aEnd && bFrom < bEnd && a[aEnd - 1] === b[bEnd - 1]) {
    aEnd--
    bEnd--
  }
  budget.left -= aFrom - box.a + (box.aEnd - aEnd) + 1
  const suffix = aEnd < box.aEnd ? { a: aEnd, aEnd: box.aEnd, b: bEnd, bEnd: box.bEnd } : null
  if (aFrom < aEnd && bFrom < bEnd) return { box: { a: aFrom, aEnd, b: bFrom, bEnd }, suffix }
  if (suffix !== null) addMatch(matches, { a: suffix.a, b: suffix.b, length: suffix.aEnd - suffix.a })
  return null
}

/** The boxes before and after the middle, the first one last. A suffix is a box that is trimmed away whole. */
function split({ box, suffix }: Trimmed, middle: Point): Box[] {
  const before = { ...box, aEnd: middle.x, bEnd: middle.y }
  const after = { ...box, a: middle.x, b: middle.y }
  return [...(suffix === null ? [] : [suffix]), after, before]
}

function addMatch(matches: CommonPart[], match: CommonPart): void {
  if (match.length === 0) return
  const last = matches.at(-1)
  if (last === undefined || last.a + last.length !== match.a || last.b + last.length !== match.b) matches.push(match)
  else matches[matches.length - 1] = { ...last, length: last.length + match.length }
}

interface Point {
  readonly x: number
  readonly y: number
}

/** The furthest `x` on each diagonal, searched from both ends. Diagonals are offset so that none is negative. */
interface Rows {
  readonly forward: Int32Array
  readonly backward: Int32Array
  readonly offset: number
}

function createRows(length: number): Rows {
  return { forward: new Int32Array(2 * length + 3), backward: new Int32Array(2 * length + 3), offset: length + 1 }
}

/** A point in the middle of a shortest path through the box, which has no common ends. Null if the budget is spent. */
function findMiddle(a: Int32Array, b: Int32Array, box: Box, rows: Rows, budget: StepBudget): Point | null {
  const [width, height] = [box.aEnd - box.a, box.bEnd - box.b]
  const delta = width - height
  const isOdd = (delta & 1) !== 0
  const { forward, backward, offset } = rows
  for (let d = 0; ; d++) {
    for (let k = -d; k <= d; k += 2) {
      if (budget.left <= 0) return null
      const x = findStart(forward, offset, k, d, box)
      const reached = x < 0 ? x : x + countForward(a, b, box, x, x - k, budget)
      forward[offset + k] = reached
      const isNear = isOdd && Math.abs(k - delta) < d
      if (isNear && reached + (backward[offset + delta - k] ?? outside) >= width)
        return { x: box.a + reached, y: box.b + reached - k }
    }
    for (let k = -d; k <= d; k += 2) {
      if (budget.left <= 0) return null
      const x = findStart(backward, offset, k, d, box)
      const reached = x < 0 ? x : x + countBackward(a, b, box, x, x - k, budget)
      backward[offset + k] = reached
      const isNear = !isOdd && Math.abs(k - delta) <= d
      if (isNear && reached + (forward[offset + delta - k] ?? outside) >= width)
        return { x: box.aEnd - reached, y: box.bEnd - (reached - k) }
    }
  }
}

/** Stands for a diagonal on which no path is inside the box. */
const outside = -(2 ** 29)

/** Where `d` edits lead on the diagonal `k`: one edit more than the better of its neighbours. */
function findStart(row: Int32Array, offset: number, k: number, d: number, box: Box): number {
  if (d === 0) return 0
  const right = k === -d ? outside : (row[offset + k - 1] ?? outside) + 1
  const down = k === d ? outside : (row[offset + k + 1] ?? outside)
  const best = Math.max(right > box.aEnd - box.a ? outside : right, down - k > box.bEnd - box.b ? outside : down)
  return best < 0 ? outside : best
}

/** How many items are equal from here on. */
function countForward(a: Int32Array, b: Int32Array, box: Box, x: number, y: number, budget: StepBudget): number {
  let count = 0
  const [i, j] = [box.a + x, box.b + y]
  const most = Math.min(box.aEnd - i, box.bEnd - j)
  while (count < most && a[i + count] === b[j + count]) count++
  budget.left -= count + 1
  return count
}

function countBackward(a: Int32Array, b: Int32Array, box: Box, x: number, y: number, budget: StepBudget): number {
  let count = 0
  const [i, j] = [box.aEnd - x - 1, box.bEnd - y - 1]
  const most = Math.min(i - box.a, j - box.b) + 1
  while (count < most && a[i - count] === b[j - count]) count++
  budget.left -= count + 1
  return count
}
