import type { Environment } from '../../settings/config.ts'
import type { Setting } from '../../settings/parsers.ts'
import { settings } from '../../settings/settings.ts'
import { suggest } from './arguments.ts'

/** The launcher's, and the one in which our examples have a key. */
const otherVariables = ['ROSTRUM_COMMAND', 'ROSTRUM_TOKEN']

/** A warning for each variable that is named like one of ours and is none, except those of our tests. */
export function warnOfVariables(environment: Environment): readonly string[] {
  const ofSettings = Object.values<Setting<unknown>>(settings).flatMap(({ variables }) => variables)
  const known = [...ofSettings, ...otherVariables]
  return Object.keys(environment)
    .filter((name) => /^ROSTRUM_(?!TEST_)/.test(name) && !known.includes(name) && environment[name] !== '')
    .map((name) => `Unknown variable ${name.slice(0, 60)}.${suggest(name, ofSettings)}`)
}
