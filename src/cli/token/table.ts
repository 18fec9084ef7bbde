import { toCounted } from '../../record/text/counted.ts'
import { type Timestamp, toMs } from '../../record/timestamp.ts'
import type { TokenRow } from '../../store/write/access-token-rows.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** A token that expires this soon is listed with the time left. */
const soonMs = 14 * dayMs

const header = ['NAME', 'ROLE', 'CREATED', 'EXPIRES', 'LAST USED', 'STATE']

/** Tokens in columns, times in UTC. */
export function toTokenTable(tokens: readonly TokenRow[], nowMs: number): string {
  const rows = tokens.map((token) => [
    token.name,
    token.role,
    toShownTime(token.created),
    token.expires === null ? 'never' : toShownTime(token.expires),
    token.last_used === null ? 'never' : toShownTime(token.last_used),
    toState(token, nowMs),
  ])
  return toTable([header, ...rows])
}

export const toShownTime = (at: Timestamp) => at.slice(0, 19).replace('T', ' ')

/** A key that was replaced works until it expires. */
function toState({ revoked, replaced, expires }: TokenRow, nowMs: number): string {
  if (revoked !== null) return `revoked ${toShownTime(revoked)}`
  const leftMs = expires === null ? Number.POSITIVE_INFINITY : toMs(expires) - nowMs
  if (replaced !== null) return leftMs > 0 ? `replaced, works for ${toDuration(leftMs)}` : 'replaced'
  if (leftMs <= 0) return 'expired'
  return leftMs < soonMs ? `expires in ${toDuration(leftMs)}` : 'valid'
}

/** In the largest unit of which there are two, rounded down. */
function toDuration(ms: number): string {
  if (ms >= 2 * dayMs) return `${Math.floor(ms / dayMs)} days`
  if (ms >= 2 * hourMs) return `${Math.floor(ms / hourMs)} hours`
  return toCounted(Math.max(1, Math.floor(ms / minuteMs)), 'minute')
}

function toTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  const toLine = (row: readonly string[]) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')
  return `${rows.map((row) => toLine(row).trimEnd()).join('\n')}\n`
}
