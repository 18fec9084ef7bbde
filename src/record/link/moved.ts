import { findAddress } from '../companion/companion.ts'
import { type CompanionChange, companionKinds } from '../companion/kinds.ts'
import { isJsonObject, isSameJson, type JsonValue } from '../json.ts'
import { addressFields } from '../quality/finding-codes.ts'
import type { Changes, VideoRecord } from '../record.ts'
import type { LinkCompanions } from './uses.ts'

/** An address that has moved, and its target. */
export interface MovedAddress {
  readonly url: string
  readonly target: string
}

const isSecure = (url: string) => /^https:/i.test(url)

/** Whether the target may replace the address: it is valid in a field, and https is not lost. */
export const isAcceptable = ({ url, target }: MovedAddress) =>
  findAddress(target) === target && (isSecure(target) || !isSecure(url))

/** The changes that replace moved addresses of a record and its companions with their targets. */
export function toMovedChanges(
  record: VideoRecord,
  companions: LinkCompanions,
  moved: readonly MovedAddress[],
): { readonly changes: Changes; readonly companions: readonly CompanionChange[] } {
  const targets = new Map(moved.map(({ url, target }) => [url, target]))
  const changes: Changes = Object.fromEntries(
    addressFields.flatMap((field) => {
      const target = targets.get(record[field] ?? '')
      return target === undefined ? [] : [[field, target]]
    }),
  )
  const next = { ...record, ...changes }
  return {
    changes,
    companions: (['recordings', 'related'] as const).flatMap((name) => {
      const content = companions[name]
      const replaced = toReplaced(content, targets)
      if (isSameJson(replaced, content)) return []
      // Drops entries that equal the record's own addresses now. The rest was valid before, and targets are addresses.
      const parsed = companionKinds[name].parse(replaced, next)
      return parsed.ok ? [{ name, content: parsed.content }] : []
    }),
  }
}

/** The same with other addresses in its entries. */
function toReplaced(value: JsonValue, targets: ReadonlyMap<string, string>): JsonValue {
  if (Array.isArray(value)) return value.map((each: JsonValue) => toReplaced(each, targets))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      name === 'url' && typeof each === 'string' ? (targets.get(each) ?? each) : toReplaced(each, targets),
    ]),
  )
}
