import { CommandFailure, createUsageFailure, exitCodes } from '../command-failure.ts'
import { createCheckerParts, toHolder } from '../link/checker.ts'
import { type LinkRunOutcome, type LinkRunReport, runLinkCheck } from '../link/run.ts'
import type { LinkRunOptions } from '../record/link/link-run.ts'
import { parseFilters } from '../record/query/query.ts'
import { toCounted, toNumber } from '../record/text/counted.ts'
import { toTimestamp } from '../record/timestamp.ts'
import { readDb, readSetting } from '../settings/config.ts'
import { isWrong, parseDuration, type Wrong, whole } from '../settings/parsers.ts'
import { settings } from '../settings/settings.ts'
import type { Database } from '../store/database.ts'
import type { Engine } from '../store/engine.ts'
import { createLinkChoice } from '../store/link/link-choice.ts'
import { createLinkRuns } from '../store/link/link-runs.ts'
import { openEngine, withDatabase, withStore } from '../store/open.ts'
import { createSelectionRows } from '../store/write/batch/selection-rows.ts'
import { databaseText } from './help.ts'
import type { Flags } from './terminal/arguments.ts'
import { openReport, print, printError } from './terminal/output.ts'
import { createProgress, type Progress } from './terminal/progress.ts'

const weekMs = 7 * 86_400_000
/** A server that shares a file drops its caches after each write of another process. */
const writeEveryMsOnFile = 30_000

/** `rostrum check-links`: asks hosts about the addresses of records; works while the server is running. */
export async function checkLinks(args: readonly string[], flags: Flags, version: string): Promise<void> {
  if (args.length > 0) throw createUsageFailure('check-links', `"check-links" takes options only, not ${args[0]}.`)
  const options = readOptions(flags)
  const contact = readSetting(settings.contact, flags)
  const playerHosts = readSetting(settings.playerHosts, flags)
  const engine = await openEngine(readDb(flags))
  const save = openReport(flags.get('report'))
  if (contact === null) printError('rostrum: set --contact, so that the operators of other hosts can reach you.\n')
  const { allowsPrivate } = options
  const parts = createCheckerParts({ version, contact, playerHosts, allowsPrivate, signal: listenForStop() })
  const outcome = await withStore(engine, {}, (db) =>
    withDatabase(engine, 'read', (reading) => run(engine, db, reading, parts, options)),
  )
  if (outcome.is !== 'done') throw toTaken(outcome)
  print(toSummary(outcome.report))
  save(toJson(outcome.report))
  if (!outcome.report.isFinished) process.exitCode = exitCodes.stopped
}

async function run(
  engine: Engine,
  db: Database,
  reading: Database,
  parts: ReturnType<typeof createCheckerParts>,
  options: LinkRunOptions,
): Promise<LinkRunOutcome> {
  const runStep = createLinkRuns(db)
  const selections = createSelectionRows(reading, engine.createFindMatches(reading))
  let progress: Progress | null = null
  const outcome = await runLinkCheck(
    {
      ...parts,
      choice: createLinkChoice(reading),
      runStep: (step) => db.transaction('write', () => runStep(step, toTimestamp(Date.now()))),
      selectRecords: (query) => selectRecords(selections, query),
      holder: toHolder('check-links'),
      ...(engine.kind === 'sqlite' ? { writeEveryMs: writeEveryMsOnFile } : {}),
      onProgress(done, total) {
        progress ??= createProgress('Addresses', total)
        progress.update(done)
      },
    },
    options,
  )
  // The compiler does not see that a callback assigned it.
  ;(progress as Progress | null)?.end()
  return outcome
}

function readOptions(flags: Flags): LinkRunOptions {
  return {
    olderThanMs: readFlag(flags, 'older-than', parseDuration) ?? weekMs,
    query: readQuery(flags.get('query')),
    host: readFlag(flags, 'host', parseHost),
    limit: readFlag(flags, 'limit', whole(1, 1_000_000_000)),
    drafts: flags.get('drafts') === 'true',
    // The server's setting does not apply to this command.
    allowsPrivate: readFlag(flags, 'check-private', settings.checkPrivate.parse) ?? false,
  }
}

/** As addresses have it: in lower case, other scripts as Punycode. */
function parseHost(text: string): string | Wrong {
  const url = URL.parse(`http://${text}/`)
  const isName = url !== null && url.href === `http://${url.hostname}/`
  return isName ? url.hostname : { expected: 'the name of a host, such as www.youtube.com' }
}

function readFlag<T>(flags: Flags, name: string, parse: (text: string) => T | { readonly expected: string }): T | null {
  const text = flags.get(name)
  const value = text === undefined ? null : parse(text)
  if (isWrong(value)) throw createUsageFailure('check-links', `--${name} must be ${value.expected}.`)
  return value
}

function readQuery(query: string | undefined): string | null {
  if (query === undefined) return null
  const parsed = parseFilters(new URLSearchParams(query), 'all')
  if (parsed.ok) return query
  throw createUsageFailure('check-links', `--query: ${[...parsed.errors.values()].flat().join(' ')}`)
}

async function selectRecords(selections: ReturnType<typeof createSelectionRows>, query: string) {
  const parsed = parseFilters(new URLSearchParams(query), 'all')
  if (!parsed.ok) throw new Error('the query was valid before')
  const { ids, count } = await selections.select({ is: 'query', filters: parsed.filters })
  if (ids.length === count) return ids
  throw new CommandFailure(
    exitCodes.usage,
    `--query matches ${toCounted(count, 'record')}. Narrow it, or leave it out.`,
  )
}

/** Ctrl-C ends the requests in progress and stores what was answered. A second one exits immediately. */
function listenForStop(): AbortSignal {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping.signal.aborted) process.exit(exitCodes.stopped)
      stopping.abort()
      printError('\nStopping. The same command continues the run later.\n')
    })
  }
  return stopping.signal
}

function toTaken(outcome: Exclude<LinkRunOutcome, { is: 'done' }>): CommandFailure {
  const problem =
    outcome.is === 'lost'
      ? 'Another process has continued this run, because this one had not written for a minute.'
      : `Another run has been in progress since ${outcome.since}Z: ${outcome.holder}. Wait until it ends, or stop it.`
  return new CommandFailure(exitCodes.unavailable, problem)
}

const toPart = ([what, count]: readonly [string, number]) => `${toNumber(count)} ${what.replaceAll('_', ' ')}`

const maxShown = 20

/** A summary for people; the report has everything. */
function toSummary({ asked, answers, changes, down, paused, isFinished, isContinued }: LinkRunReport): string {
  const parts = Object.entries(answers).filter(([, count]) => count > 0)
  const lines = [
    `Checked ${toCounted(asked, 'address', 'addresses')}${isContinued ? ', continuing an earlier run' : ''}${parts.length === 0 ? '.' : `: ${parts.map(toPart).join(', ')}.`}`,
    ...changes.slice(0, maxShown).map(({ url, from, to }) => `${from} -> ${to}: ${url}`),
    ...(changes.length > maxShown ? [`… and ${toCounted(changes.length - maxShown, 'changed state')} more`] : []),
    ...down.map(
      ({ host, asked, failed, counts, trouble }) =>
        `${host} is down: ${failed} of ${toCounted(asked, 'address', 'addresses')} failed, in ${toCounted(trouble?.runs ?? 0, 'run')} since ${trouble?.since ?? ''}Z; ${counts ? 'counted' : 'no failure counts'}.`,
    ),
    ...paused.map(
      ({ host, left }) =>
        `${host} asked for a pause: ${toCounted(left, 'address', 'addresses')} left for the next run.`,
    ),
    ...(isFinished ? [] : ['Stopped before the end.']),
  ]
  return `${lines.join('\n')}\n`
}

const toJson = ({ isContinued, isFinished, ...report }: LinkRunReport) =>
  `${JSON.stringify({ ...report, continued: isContinued, finished: isFinished }, null, 2)}\n`

export function toCheckLinksHelp(): string {
  return `Usage: rostrum check-links [--older-than DURATION] [--query FILTERS] [--host HOST] [--limit NUMBER] [--drafts]
                           [--check-private on] [--contact ADDRESS] [--player-hosts HOST,HOST] [--report FILE]
                           [--db PATH|URL]

Asks hosts whether videos, other recordings, media files, thumbnails and related links are still there, and stores the
answers beside the records; works while the server is running. Each host gets one request a second, up to 50 hosts at a
time. Only one run at a time works on a store; a second one names the process that has it. The next run with the same
options continues one that was interrupted.

A video is gone or private after three failures over at least three days, so run it daily, or set --check-links of
rostrum serve. If more than a fifth of the addresses of a host fail, the host is down, and no failure counts.

Which addresses:
  --older-than DURATION  that were not checked for this long, such as 12h or 30d; the default is 7d
  --query FILTERS        of records that match filters of the list, such as "category=pycon-us-2014"; at most 10,000 records
  --host HOST            of this host alone
  --limit NUMBER         at most so many, the longest unchecked first
  --drafts               also of drafts: their hosts learn of talks that are not published

Options:
  --check-private on     also contact private addresses and other ports than 80 and 443
  --contact ADDRESS      how hosts can reach you, an e-mail address or URL; part of the User-Agent, as for rostrum serve
  --player-hosts HOSTS   PeerTube instances, which are asked through their API, as for rostrum serve
  --report FILE          write the full report as JSON: changed states, hosts that are down or asked for a pause
${databaseText}

Exit codes: 0 all addresses were asked; 64 wrong usage; 66 there is no store; 69 another run is under way; 130 interrupted.
`
}
