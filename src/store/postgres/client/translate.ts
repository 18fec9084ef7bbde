/** A statement as PostgreSQL says it. */
export interface Translated {
  readonly text: string
  /** Which of the object's values stand at $1, $2 …; null where values come in order. */
  readonly names: readonly string[] | null
  /** Whether the new row's id is wanted. */
  readonly givesId: boolean
}

/** Tables whose rows get their id from the database, and whose inserts are asked for it. */
const numberedTables = /^\s*INSERT INTO (?:category|speaker|tag|batch) /

/** From `?`, `?1` or `$name` to `$1`. None of our statements has such a sign within a text. */
export function translate(sql: string): Translated {
  const givesId = numberedTables.test(sql)
  const text = givesId ? `${sql} RETURNING id` : sql
  if (/\$[a-z]/i.test(sql)) return { ...nameParameters(text), givesId }
  let count = 0
  const numbered = text.replace(/\?(\d*)/g, (_, number: string) => `$${number === '' ? ++count : number}`)
  return { text: numbered, names: null, givesId }
}

function nameParameters(sql: string): Pick<Translated, 'text' | 'names'> {
  const names: string[] = []
  const text = sql.replace(/\$([a-z]\w*)/gi, (_, name: string) => {
    const known = names.indexOf(name)
    return `$${known < 0 ? names.push(name) : known + 1}`
  })
  return { text, names }
}
