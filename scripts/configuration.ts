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

Settings of \`rostrum serve\`. A flag takes precedence over a variable, a variable over the configuration file; of several
variables, the first that is set is used. No \`.env\` is read. Other variables that start with \`ROSTRUM_\` cause a warning.
This page is generated from the table of settings by \`bin/bun scripts/configuration.ts\`.

The configuration file is named by \`--config\` or \`ROSTRUM_CONFIG\`, which all commands accept. It has one setting per line, named
as its flag without the dashes; a value extends to the end of its line and has no quotes.

\`\`\`ini
# /etc/rostrum/rostrum.conf
db = /var/lib/rostrum/talks.db
base-url = https://talks.example.org
site-name = Our Talks
access-log = on
\`\`\`

\`rostrum config show\` prints every setting, its value and where it comes from; \`rostrum config check\` says whether \`serve\` would
accept them. Both take the options of \`serve\`.

| flag | variable | meaning |
|---|---|---|
${rows.join('\n')}

Secrets have no flag, because process lists show flags: put \`admin-token\`, and a \`db\` with a password, into the environment or
into a configuration file that only the service can read.
`
}

if (import.meta.main) await Bun.write(new URL('../docs/configuration.md', import.meta.url), toConfigurationPage())
