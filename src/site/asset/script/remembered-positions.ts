/** Where a visitor stopped, in seconds, by talk; the latest last. */
export type Positions = readonly (readonly [talk: string, seconds: number])[]

const maxTalks = 300
/** No position is stored near the beginning or end: within this share of the talk, at most these seconds. */
const edgePart = 0.05
const [maxBeginning, maxEnd] = [10, 30]

/** Replaces the position of a talk, or removes it near the beginning and the end. */
export function withPosition(positions: Positions, talk: string, seconds: number, duration: number): Positions {
  const others = positions.filter(([id]) => id !== talk)
  const edge = duration * edgePart
  const isInside = seconds >= Math.min(edge, maxBeginning) && seconds <= duration - Math.min(edge, maxEnd)
  return isInside ? [...others, [talk, Math.floor(seconds)] as const].slice(-maxTalks) : others
}

export function findPosition(positions: Positions, talk: string): number {
  return positions.find(([id]) => id === talk)?.[1] ?? 0
}

/** Ignores entries that another program or release may have stored. */
export function parsePositions(text: string | null): Positions {
  try {
    const value: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(value) ? value.filter(isPosition) : []
  } catch {
    return []
  }
}

function isPosition(value: unknown): value is Positions[number] {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === 'string' && Number.isFinite(value[1])
}
