import type { Setting } from '../settings/parsers.ts'
import { settings } from '../settings/settings.ts'

export function toMainHelp(version: string): string {
  return `Rostrum ${version}: a server for archives of recorded talks.

Usage:
  rostrum serve [options]                      Serve the records over HTTP.
  rostrum config show|check                    Show or check the settings, and where each comes from.
  rostrum ready                                Ask the server whether it is ready.
  rostrum import SOURCE                        Import an archive.
  rostrum transcripts import FOLDER | wanted   Import transcripts; list the talks without one.
  rostrum bulk --query FILTERS --patch JSON    Change many records at once.
  rostrum export --format FORMAT --out PATH    Export everything.
  rostrum check-links                          Ask the hosts of videos and links which are still there.
  rostrum token create --name NAME --role ROLE Create a token and print its key, once.
  rostrum token list                           List the tokens: expiry, last use, state.
  rostrum token rotate --name NAME [--now]     Replace the key of a token and print the new one.
  rostrum token revoke --name NAME             Revoke a token.
  rostrum backup FILE|FOLDER                   Write a checked copy of the store.
  rostrum restore FILE [--replace]             Restore the store from a backup.
  rostrum doctor [--rebuild]                   Check the store; repair what can be derived.
  rostrum upgrade                              Upgrade the store for this version of Rostrum.
  rostrum migrate-store FROM TO                Copy everything to another file or database.
  rostrum store new-id                         Assign a new id, so that change-feed clients start over.
  rostrum purge ID [--yes]                     Erase a record permanently, with its whole history.
  rostrum --version
  rostrum COMMAND --help

Start here:
  rostrum serve --sample --auth local
`
}

export function toServeHelp(): string {
  const lines = Object.values<Setting<unknown>>(settings).map(toLines)
  return `Usage: rostrum serve [options]

Serves the records at /api/v2/video. On Ctrl-C or SIGTERM it finishes the requests in progress and stops.

Options and their environment variables:
${lines.join('\n')}
`
}

export function toConfigHelp(): string {
  return `Usage:
  rostrum config show [--config FILE] [options of serve]
  rostrum config check [--config FILE] [options of serve]

show prints every setting of rostrum serve with its value and its source: an option, a variable, a line of the
configuration file, or the default. Keys and passwords are not shown. check only says whether serve would accept them.

The configuration file has one NAME = VALUE per line. NAME is the name of an option of rostrum serve without its dashes:
  # Where people find the site.
  base-url = https://talks.example.org
  port = 8000
  access-log = on
Lines that begin with # are comments. A value extends to the end of its line, without quotes. A secret that has no option
is named after its variable: admin-token. Relative paths are relative to the working directory. All commands accept
--config and ROSTRUM_CONFIG.

Exit codes: 0 the settings are in order; 64 wrong usage; 78 a setting is wrong.
`
}

export function toReadyHelp(): string {
  return `Usage: rostrum ready [--host ADDRESS] [--port NUMBER] [--config FILE]

Asks the server with these settings, at /readyz, whether it is ready. Useful for health checks of containers that have
no curl. It waits three seconds at most.

Exit codes: 0 it is ready; 69 it is not, or does not answer.
`
}

export function toImportHelp(): string {
  return `Usage: rostrum import SOURCE [--db PATH|URL] [--dry-run] [--draft] [--report FILE] [--source NAME]
                             [--reason TEXT] [--bring-back-erased] [--event TITLE] [--partial]

Imports talks; works while the server is running. SOURCE is one of
  a folder   with one folder per event, each with category.json and videos/*.json; or the folder of one event
  a file     of records as the API serves them: one per line, or one JSON array
  a dump     written by rostrum export, with all versions; into a new store only
  a table    a file named .csv or .tsv, with the names of its columns in the first row
  a URL      of a server with the same API, such as https://videos.example.org

  --dry-run      report what would happen, and store nothing
  --draft        create new records as drafts and publish nothing; the default is to create them live
  --report FILE  write the full report as JSON: what was refused, renumbered, kept because people have changed it, left
                 empty, taken down, erased before, or made live again
  --source NAME  name of the source; the default is the name of the folder or file, or the URL
  --reason TEXT  reason to store with every version; at most 500 characters
  --bring-back-erased
                 also import talks that were erased here with rostrum purge; by default they are skipped
  --event TITLE  for a table: the event of new talks whose row names none
  --partial      for a table: leave out rows that are refused; by default nothing is stored if one is

A talk is refused only if it has no title, a title that is too long, or more than 16 MiB of extra data. A value that does
not fit its field is kept with the record, unless the record came from another source, and the report lists it. The
field stays empty, or unchanged if the record is already here. A JSON array that is cut off, malformed, or larger than
64 MiB is refused completely; write larger files as one record per line.

Running the import again changes only what has changed in the source. Changes that people have made here stay, and the
report lists them. The whole import is one batch, which can be undone. Importing the same source again then makes its
records live again, except those that were changed in between.

A table has the columns of the CSV download of a work list, or any fields that can be written. "id" names the record and
"updated" the version that the row was made from: only cells that differ from that version count, and a row is refused
(changed_since) if somebody has changed the same field since. Without "updated" the values here are overwritten. A row
without "id" becomes a new draft, and is refused (same_video) if another record has its video. Entries of lists are
separated by "; ". Limits: UTF-8 or UTF-16, 10 MiB, 10,000 rows. The whole table is one batch.

category.json has title, description, url, start_date, end_date, place and series. speakers.json in a folder has notes and
links, as {"speakers": [{"name", "note", "links"}]}; they fill what is empty here.

NO_PUBLISH.json in a folder is an array of ids from its files. Those talks are not imported, and live records of them
become drafts until a publisher publishes them. Links that lead out of the folder are not followed.

A user name and password in a URL (https://ann:secret@videos.example.org) are sent to that server only and stored
nowhere, but other users of this machine may see them while the command runs. Redirects are not followed. Limits for a
server: 64 MiB per page (after decompression), 4 GiB and 100,000 pages in all, and 3 empty pages in a row.

Exit codes: 0 everything was imported, except what was erased, taken down or kept; 65 some talks were refused; 69 the
server cannot be reached; 130 interrupted. In each case the report says what was stored.
`
}

export function toBulkHelp(): string {
  return `Usage: rostrum bulk (--ids IDS | --query FILTERS | --by NAME --since TIME [--until TIME])
                   (--patch JSON | --patch-file FILE | --restore)
                   [--dry-run [--after ID]] [--expect N] [--as-of N] [--partial] [--reason TEXT] [--db PATH|URL]

Changes up to 10,000 records in one transaction, as POST /api/v2/batches does: all of them, or none. Works while the
server is running; writes of the server wait until it is done. The change is one batch of the author "bulk", which an admin can
undo.

Which records:
  --ids 1,2,3        by id
  --query FILTERS    records that match filters of the list, such as "category=pycon-us-2014&tag=keynote"; drafts too
  --by NAME --since TIME [--until TIME]
                     records that this author changed in that time, inclusive. TIME is a day, YYYY-MM-DD, or a time
                     in UTC, written as in records.

What to change:
  --patch JSON       fields to set, such as {"language": "German", "tags": {"add": ["keynote"], "remove": ["misc"]}}
                     Texts can be edited: {"title": {"find": "Pyhton", "replace": "Python"}} (every occurrence, as
                     written), {"prefix": "Keynote: "}, {"suffix": "…"}, {"cut_start": "…"}, {"cut_end": "…"}; a cut with
                     the prefix or suffix of the same end replaces that end: {"source_url": {"cut_start": "http://",
                     "prefix": "https://"}}. Lengths can be scaled: {"duration": {"divide": 1000}} or {"multiply": 60}.
                     {"thumbnail_url": {"from_source": true}} fills in the thumbnail of a known host where there is none.
                     {"speakers": {"split": true}} makes one entry of each person in "Ana Lopez & Ben Kim".
  --patch-file FILE  the same from a file
  --restore          with --by: fields that the author changed get the value from before their first change in that time,
                     unless somebody else has changed them since; records that the author created become drafts. Related
                     links, categories, renames and merges go back too, and categories that only the author used are
                     hidden. What others have changed since is left and listed.

Options:
  --dry-run          report what would change, and store nothing; shows 50 differences
  --after ID         shows the next 50 differences, after those of this record
  --expect N         number of records; if there are more or fewer, nothing is changed. Required with --query and --by;
                     a dry run reports it.
  --as-of N          the number that a dry run gave: records that were changed since in a field of the patch are refused
  --partial          change the other records even if some are refused
  --reason TEXT      reason to store with every version; at most 500 characters
${databaseText}

Exit codes: 0 done, or nothing to change; 64 the options are wrong; 65 records were refused, or their number is not the
expected one; 66 there is no store, or no such file.
`
}

export function toExportHelp(): string {
  return `Usage: rostrum export --format FORMAT --out PATH [--db PATH|URL] [--drafts]

Writes a consistent snapshot; works while the server is running. PATH must not exist yet. FORMAT is one of
  ndjson   a file with one record per line, as the API serves it, drafts included
  pyvideo  a folder with one folder per event, each with category.json and videos/*.json, and speakers.json with notes and
           links of speakers. An imported folder is exported as it was, apart from changes made here. Drafts are included
           only with --drafts.
  dump     a file with records, all their versions, categories and extra data, for another Rostrum; without tokens
`
}

export function toTokenHelp(): string {
  return `Usage:
  rostrum token create --name NAME --role ROLE [--events SLUGS] [--expires WHEN] [--create-store] [--db PATH|URL]
  rostrum token list [--db PATH|URL]
  rostrum token rotate --name NAME [--now] [--expires WHEN] [--db PATH|URL]
  rostrum token revoke --name NAME [--db PATH|URL]

Roles, each with the rights of the one before:
  reader     reads drafts and history
  editor     creates records, changes drafts, undoes its own batches
  publisher  changes live records, publishes and unpublishes, creates and renames categories
  admin      undoes anybody's batches

"create" and "rotate" print only the key on standard output. The key is shown once and stored nowhere. A running server
notices changes within a second.

A name has up to 100 visible characters. It is the author of what the token changes, so a new name may not look like that
of another token, including revoked ones: ann, Ann and Änn count as the same.

"rotate" gives a token a new key, with the same name and role. The old key works for another day. With --now, all older
keys of the token end immediately. "revoke" ends all keys of a token.

  --events SLUGS  The events that the token may change: the last parts of their addresses, separated by commas:
                  pycon-us-2026,pycon-us-2027. It reads what its role reads. It changes, creates and moves records within
                  these events only, edits the fields of these events, and no speakers, tags or other events. Renames and
                  merges of an event keep the limit. Without it, a token may change everything that its role allows.
  --expires WHEN  12h, 90d or 2w from now; a day (which is included) or a time in UTC, such as 2030-01-31 or
                  2030-01-31T12:00Z; or never. Without it, a new token never expires, and a new key is valid for as long
                  as the one before. A token that has expired can be rotated, or created again.
  --create-store  Create the store if there is none at --db yet. Run it as the user of the service.

The first start of a server on a store without tokens creates an admin token and prints its key, but only on a terminal:
a key in a log could be read by others. Otherwise create the first token with this command, before or after that start.

${databaseText}
`
}

export function toBackupHelp(): string {
  return `Usage:
  rostrum backup FILE [--db PATH]
  rostrum backup FOLDER [--keep NUMBER] [--db PATH]

Writes a consistent snapshot of the store: records, every version, tokens. Works while the server is running and does
not block reads or writes. FILE appears only when the copy is on disk and has been verified: the file is consistent, no
record or version is missing, and every version matches its checksum. An existing file is never overwritten.

In a FOLDER, the file is named after the time, as rostrum serve --backup-dir names its backups:
rostrum-20261118T081248Z.db. With --keep, all but the newest NUMBER of these are removed afterwards.

Protect the copy like the store, since it contains everything in it. Restore it with: rostrum restore FILE
Works on files only: PostgreSQL has its own backups (docs/operations.md).
${databaseText}

Exit codes: 0 the backup is complete; 65 the store is damaged; 66 there is no store; 73 FILE cannot be written.
A backup that is killed leaves FILE.*.new behind, which you can delete.
`
}

export function toRestoreHelp(): string {
  return `Usage: rostrum restore FILE [--replace] [--db PATH]

Restores the store from a backup. The backup is checked first and never changed. Stop the server first.
Works on files only: PostgreSQL has its own backups (docs/operations.md).

Options:
  --replace   If there is already a store, rename it to PATH.before-restore-TIME.

The restored store has the tokens of the store that it replaces, not those of the backup, so that no key becomes valid
again that was revoked, replaced or expired since. If they cannot be read, every key of the backup is revoked. Without a
store to replace, the keys of the backup are valid again; the command lists them. To get them back on purpose, move the
store away first. Curators have to sign in again.

The file keeps the owner, group and mode of the one that it replaces, if you may set them.

A restored store reuses change numbers, so it gets a new id, and clients that follow the change feed start over.
${databaseText}

Exit codes: 0 done; 65 the backup is damaged or not a Rostrum backup; 66 FILE does not exist; 69 the server is running;
73 there is already a store, or it cannot be written; 75 a backup of an older schema cannot replace a store:
run rostrum upgrade on a copy of it first.
`
}

export function toDoctorHelp(): string {
  return `Usage: rostrum doctor [--rebuild] [--db PATH|URL]

Checks a consistent snapshot of the store; works while the server is running. It checks the pages of a file, the tables,
the checksum of every version, that no version is missing, that each record equals its newest version, and that lists,
speakers, tags, search and batches agree with the records. Each problem is one line on standard output, with the id of
its record.

Options:
  --rebuild   First rebuild everything that is derived from the versions, in one transaction; then check. On a file, stop
              the server first. On PostgreSQL, servers keep running, but writes have to wait.
${snapshotText}

${databaseText}

A store of an older schema is checked as far as possible: pages, foreign triggers and views, versions and records.

Exit codes: 0 no problems; 65 problems found; 66 there is no store; 69 the server is running (--rebuild); 75 no problems
found, but the schema is older than that of this program: run rostrum upgrade.
`
}

export function toUpgradeHelp(): string {
  return `Usage: rostrum upgrade [--upgrade-copy off] [--db PATH|URL]

Upgrades the store to the schema of this version of Rostrum, in one transaction. "serve" does the same when it starts.
Other commands refuse a store of an older schema, except for "backup" and "doctor". Afterwards older versions of Rostrum
refuse the store.

Stop the server first; with several nodes on PostgreSQL, stop all of them. While one is running, nothing is changed.

Options:
  --upgrade-copy off
          Keep no copy. By default a copy of the old file is kept as PATH.schema-NUMBER, which takes as much space as
          the store. To go back, stop the server, move the store away, and with the older version run
          "rostrum restore PATH.schema-NUMBER"; what was written since is lost. Delete the copy when you no longer need
          it. On PostgreSQL no copy is kept: use pg_dump before the upgrade.

${databaseText}

Exit codes: 0 upgraded, or nothing to do; 65 the store is damaged or of a newer schema; 66 there is no store; 69 it is
being served, or PostgreSQL cannot be reached; 73 the copy exists already or has no room, or the store is not writable.
`
}

export function toMigrateStoreHelp(): string {
  return `Usage: rostrum migrate-store FROM [TO] [--db TO]

Copies everything from one store to another: from a file to PostgreSQL, back, or between two of the same kind. That is
records, every version with its number, batches, categories, origins, erasures, idempotency keys and tokens. Afterwards
the same keys work, and clients that follow the change feed continue where they were. FROM is read as one consistent
snapshot and never changed. Works while the server is running, but later writes are not copied, so stop writes first.

FROM and TO are files or URLs such as postgres://USER@HOST:PORT/NAME. TO must be new or empty; the default is --db, then
ROSTRUM_DB. Put passwords into ROSTRUM_DB or PGPASSWORD: process lists show the command line.

The copy is one transaction: if it is interrupted, TO stays empty. At the end the copy is verified: every version must
match its checksum, and every table must have the same number of rows and the same digest as in FROM. The tables with
their row counts and digests are printed on standard output.

Exit codes: 0 copied; 64 wrong usage; 65 FROM is damaged, or of a newer schema; 66 FROM does not exist; 69 TO is being
served, or PostgreSQL cannot be reached; 73 TO is not empty, or cannot be written; 75 a schema is older than that of
this program: run rostrum upgrade.
`
}

export function toStoreHelp(): string {
  return `Usage: rostrum store new-id [--db PATH|URL]

Assigns a new id to the store and prints it, and ends all sessions of curators. Every page and event of the change feed
contains the id of the store. A client that sees a new id starts over: an older copy of a store reuses change numbers, so
the same number may mean another change.

"restore" and the import of a dump assign a new id, and "migrate-store" keeps the id. On PostgreSQL the id also changes
with the system, its timeline and its tables: when a standby takes over, a backup is recovered, or pg_restore has run.
Use this command after anything else that puts older data in place: a copied file, a disk snapshot, pg_restore
--data-only. Works while the server is running. ${databaseText}

Exit codes: 0 done; 64 wrong usage; 66 there is no store; 69 PostgreSQL cannot be reached; 73 the store is not writable.
`
}

export function toPurgeHelp(): string {
  return `Usage: rostrum purge ID [--yes] [--db PATH|URL]

Erases a record permanently, with all its versions, for people who have the right to be forgotten. This cannot be undone,
so the command asks for confirmation. Speakers and tags that only this record has are erased too. Its category stays,
since it has its own title and description. Works while the server is running: within 200 ms the record is 410 Gone for
every caller. Its id is never reused, and the change feed reports the record as withdrawn.

Remains in free pages and in the write-ahead log of a file are wiped; PostgreSQL removes them when it vacuums. Earlier
copies still contain the record: backups, copies kept by "upgrade", stores renamed by "restore --replace", exports, and
copies that clients have.
Imports skip the talk from now on, even if their source still has it, unless they are run with --bring-back-erased. To
recognise it, the store keeps digests of its path in the source and of the URL of the recording. They do not reveal the
talk.

Options:
  --yes   Skip the confirmation; required without a terminal.
${snapshotText}

${databaseText}

Exit codes: 0 erased; 64 not confirmed; 66 there is no such record or store; 69 erased, but its bytes may still be in the
write-ahead log, because another process is reading it: run the same command again.
`
}

const snapshotText = `  --index-snapshot FILE
          The index snapshot that a server on this machine uses, if not the default. It is wiped.`

export const databaseText = 'The database is --db, then ROSTRUM_DB, then ./data/rostrum.db.'

function toLines(setting: Setting<unknown>): string {
  const flag = setting.flag === null ? '' : `--${setting.flag}${setting.value === null ? '' : ` ${setting.value}`}`
  const names = [flag, ...setting.variables].filter((name) => name !== '').join(', ')
  return `  ${names}\n      ${setting.help}${toDefaultText(setting)}`
}

export function toDefaultText({ default: value, defaultText }: Setting<unknown>): string {
  if (defaultText !== undefined) return ` Default: ${defaultText}.`
  return value === null || value === false ? '' : ` Default: ${value}.`
}
