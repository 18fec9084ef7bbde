import { toEmbed } from './embed/embed.ts'
import { fields, type WritableName, writableNames } from './fields.ts'
import { isSameJson, type JsonValue } from './json/json-value.ts'
import type { Changes, VideoRecord } from './record.ts'

export interface Merged {
  /** What comes in. */
  readonly changes: Changes
  /** Fields in which the source says something else, and which stay as people here have made them. */
  readonly kept: readonly WritableName[]
}

/** What is known of the fields of a record from before. Nothing is looked up before it is asked for. */
export interface Past {
  /** What this source said of the field last time; undefined where nobody knows. */
  said(name: WritableName): JsonValue | undefined
  /** What an undone import had given the field, if nobody has touched the record since. */
  undone(name: WritableName): JsonValue | undefined
  /** Who gave the field the value that it has; null where no import ever gave it one. */
  giver(name: WritableName): 'import' | 'people' | null
}

/**
 * Compares a record with what an import brings. A field takes it if the source says something new, and people here have
 * not changed the field since the source or another import set it. Of a field that no import has ever given anything,
 * only an empty one takes it.
 */
export function mergeThreeWays(record: VideoRecord, theirs: Changes, past: Past): Merged {
  const verdicts = new Map(
    writableNames.flatMap((name) => {
      const value = theirs[name]
      return value === undefined || isSameJson(record[name], value) ? [] : [[name, judge(name, value, record, past)]]
    }),
  )
  // A player of another recording would be wrong, whoever made it.
  const isOtherVideo = (verdicts.get('source_url') ?? 'take') !== 'take'
  if (isOtherVideo && verdicts.get('embed') === 'take') verdicts.set('embed', 'keep')
  const list = (wanted: Verdict) => [...verdicts.keys()].filter((name) => verdicts.get(name) === wanted)
  return {
    // The same names, each with its own value.
    changes: Object.fromEntries(list('take').map((name) => [name, theirs[name]])) as Changes,
    kept: list('keep'),
  }
}

/** `leave`: the source asks for nothing, and nobody here has changed anything: another source has. */
type Verdict = 'take' | 'keep' | 'leave'

function judge(name: WritableName, value: JsonValue, record: VideoRecord, past: Past): Verdict {
  const undone = past.undone(name)
  if (undone !== undefined && isSameJson(undone, value)) return 'take'
  const said = past.said(name)
  if (said !== undefined && isSameJson(said, value)) return past.giver(name) === 'import' ? 'leave' : 'keep'
  if (said !== undefined && isSameJson(said, record[name])) return 'take'
  const giver = past.giver(name)
  const isFree = giver === null && said === undefined && isEmpty(name, record)
  return giver === 'import' || isFree ? 'take' : 'keep'
}

/** A player that was built from the address is as good as none. */
function isEmpty(name: WritableName, record: VideoRecord): boolean {
  const value = record[name]
  if (name === 'embed') return value === '' || value === toEmbed(record.source_url)
  const { absent } = fields[name]
  return absent.is === 'value' && (isSameJson(value, absent.value) || value === '')
}
