import { toDefaultText } from '../src/cli/help.ts'
import type { Setting } from '../src/settings/parsers.ts'
import { settings } from '../src/settings/settings.ts'

/** docs/configuration.md, from the table of settings. */
export function toConfigurationPage(): string {
  const rows = Object.values<Setting<unknown>>(settings).map((setting) => {
    const flag =
      setting.flag === null ? '' : `\`--${setting.flag}${setting.value === null ? '' : ` ${setting.value}`}\``
    const variables = setting.variables.map((name) => `\`${name}\``).join(', ')
    return `| ${flag.replaceAll('|', '\\|')} | ${variables} | ${setting.help}${toDefaultText(setting)} |`
  })
  return `# Configuration

Settings of \`rostrum serve\`. A flag takes precedence over a variable; of several variables, the first that is set is used. No
configuration file and no \`.env\` is read. Other variables that start with \`ROSTRUM_\` cause a warning. This page is generated from the table of settings by \`bin/bun scripts/configuration.ts\`.

| flag | variable | meaning |
|---|---|---|
${rows.join('\n')}

Secrets have no flag, because process lists show flags.
`
}

if (import.meta.main) await Bun.write(new URL('../docs/configuration.md', import.meta.url), toConfigurationPage())
