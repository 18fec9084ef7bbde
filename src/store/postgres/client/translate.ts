/** A statement as PostgreSQL says it. */
export interface Translated {
  readonly text: string
  /** Which of the object's values stand at $1, $2 …; null where values come in order. */
  readonly names: readonly string[] | null
}

/** From `?`, `?1` or `$name` to `$1`. None of our statements has such a sign within a text. */
export function translate(sql: string): Translated {
  if (/\$[a-z]/i.test(sql)) return nameParameters(sql)
  let count = 0
  const text = sql.replace(/\?(\d*)/g, (_, number: string) => `$${number === '' ? ++count : number}`)
  return { text, names: null }
}

function nameParameters(sql: string): Translated {
  const names: string[] = []
  const text = sql.replace(/\$([a-z]\w*)/gi, (_, name: string) => {
    const known = names.indexOf(name)
    return `$${known < 0 ? names.push(name) : known + 1}`
  })
  return { text, names }
}
