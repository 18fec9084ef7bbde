import { type FieldKind, notA, ok, wrong } from './field-kind.ts'
import { isDay } from './timestamp.ts'

/** A calendar day; null only while nobody knows it. */
export function day(): FieldKind<string | null> {
  return {
    type: 'date',
    nullable: true,
    parse(value) {
      if (value === null) return ok(null)
      if (typeof value !== 'string') return notA('a day as YYYY-MM-DD or null', value)
      return isDay(value) ? ok(value) : wrong('Must be a real calendar day, written YYYY-MM-DD.')
    },
  }
}
