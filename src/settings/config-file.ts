import { readFileSync } from 'node:fs'
import { toErrorCode } from '../error-code.ts'
import type { Setting } from './parsers.ts'
import { suggest } from './suggest.ts'

/** A value of the configuration file, and its line number. */
interface FileValue {
  readonly text: string
  readonly line: number
}

export type FileValues = ReadonlyMap<string, FileValue>
export type ParsedConfigFile =
  | { readonly ok: true; readonly values: FileValues }
  | { readonly ok: false; readonly problems: readonly string[] }

/** The name of a setting in the file: that of its flag. Secrets have no flag, and are named after their variable. */
export function toFileName({ flag, variables: [variable = ''] }: Setting<unknown>): string {
  return (
    flag ??
    variable
      .replace(/^ROSTRUM_/, '')
      .toLowerCase()
      .replaceAll('_', '-')
  )
}

const maxBytes = 1_048_576

export function readConfigFile(path: string, names: readonly string[]): ParsedConfigFile {
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch (error) {
    return { ok: false, problems: [`Cannot read the configuration file ${path} (${toErrorCode(error)}).`] }
  }
  if (bytes.length > maxBytes) return { ok: false, problems: [`${path} is too large for a configuration file.`] }
  return parseConfigFile(bytes.toString('utf8'), path, names)
}

/**
 * Lines of `name = value`. A line that begins with # is a comment. A value extends to the end of its line; it has no quotes
 * and no escapes. An empty value counts as absent, as in the environment.
 */
export function parseConfigFile(text: string, path: string, names: readonly string[]): ParsedConfigFile {
  const values = new Map<string, FileValue>()
  const problems: string[] = []
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/)
  for (const [index, line] of lines.entries()) {
    if (/^\s*(?:#|$)/.test(line)) continue
    const at = `${path}, line ${index + 1}`
    const [, name, value = ''] = /^\s*([a-z][a-z-]*)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    const known = name === undefined ? undefined : values.get(name)
    // The line is not shown: it may contain a secret.
    if (name === undefined) problems.push(`${at} is not NAME = VALUE.`)
    else if (!names.includes(name)) problems.push(`${at}: Unknown setting ${name.slice(0, 40)}.${suggest(name, names)}`)
    else if (known !== undefined) problems.push(`${at}: ${name} is already set in line ${known.line}.`)
    else values.set(name, { text: value, line: index + 1 })
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, values }
}
