import type { Setting } from '../setting.ts'
import { settings } from '../settings.ts'

export function toMainHelp(version: string): string {
  return `Rostrum ${version}: a service for video records of recorded talks.

Usage:
  rostrum serve [options]                      Serve the records over HTTP.
  rostrum import SOURCE                        Bring an archive in.
  rostrum export --format FORMAT --out PATH    Take everything out.
  rostrum token create --name NAME --role ROLE Make a token and print its key, once.
  rostrum token list                           Show the tokens, without their keys.
  rostrum token revoke --name NAME             Make a token invalid, at once.
  rostrum backup FILE                          Write a checked copy of the store, served or not.
  rostrum restore FILE [--replace]             Make the store from a backup.
  rostrum doctor [--rebuild]                   Check everything in the store; mend what can be.
  rostrum migrate-store FROM TO                Move everything to another file or database.
  rostrum store new-id                         Assign a new id, so that change-feed clients start over.
  rostrum purge ID [--yes]                     Erase a record for good, with its whole history.
  rostrum --version
  rostrum COMMAND --help

Start here:
  rostrum serve --sample --auth local
`
}

export function toServeHelp(): string {
  const lines = Object.values<Setting<unknown>>(settings).map(toLines)
  return `Usage: rostrum serve [options]

Serves the records at /api/v2/video. Stop it with Ctrl-C or SIGTERM; it finishes what it has begun.

Options, and the variables that set the same:
${lines.join('\n')}
`
}

export function toImportHelp(): string {
  return `Usage: rostrum import SOURCE [--db PATH] [--dry-run] [--draft] [--report FILE] [--source NAME] [--reason TEXT]
                             [--bring-back-erased]

Brings talks in, also while the store is being served. SOURCE is one of
  a folder     with a folder for each event, which has category.json and videos/*.json; or the folder of one event
  a file       of records as the API has them: one a line, or one JSON array
  a dump       made by rostrum export, with all versions, into a new store only
  an address   of a server that speaks the same API, such as https://videos.example.org

  --dry-run      says what would be, and stores nothing
  --draft        new records are drafts, and nothing is published; without, new records are live
  --report FILE  writes everything that is worth knowing, as JSON: what was refused, renumbered, kept as people have
                 changed it, left empty, taken down, erased before, or made live again
  --source NAME  what the origin of the records is called; without, the name of the folder or file, or the address
  --reason TEXT  kept with every version; at most 500 characters
  --bring-back-erased
                 takes in again what was erased here with rostrum purge; without, it stays away

Only a talk without a title, with one that is too long, or with more than 16 MiB to keep is refused; the others come in.
A value that its field cannot hold leaves the field empty, or as it was where the record is here already. The report
names it, and it is kept beside the record unless that came from another source. Of an array that is cut off or not well
formed nothing comes in.

Running it again changes nothing but what has changed in the source. What people here have changed stays, and the
report names it. All of it is one batch, which can be undone; importing the
same source once more then makes its records live again, unless somebody has touched them.

NO_PUBLISH.json in a folder is an array of ids in its files: those talks are not brought in, and become drafts where
they are live. They stay drafts until somebody publishes them. Links that lead out of the folder are not followed.

A user's name and password in an address (https://ann:secret@videos.example.org) are sent to that server alone and kept
nowhere; other users of this machine may see them while the command runs. Redirects are not followed. A server may send
pages of 64 MiB (after decompression), 4 GiB and 100,000 pages in all, and 3 empty pages in a row.

Exit codes: 0 everything came in, but for what was erased, taken down or kept; 65 some was refused; 69 the server does
not answer; 130 stopped half-way. In each case the report says what is stored.
`
}

export function toExportHelp(): string {
  return `Usage: rostrum export --format FORMAT --out PATH [--db PATH] [--drafts]

Writes everything as it is at this moment, also while the store is being served. PATH must not be there yet.
  ndjson   a file with one record a line, as the API has them, drafts included
  pyvideo  a folder with a folder for each event, which has category.json and videos/*.json: what was imported from such
           a folder comes back as it was, with the changes that were made here. Drafts only with --drafts.
  dump     a file with records, all their versions, categories and extras, for another Rostrum; no tokens
`
}

export function toTokenHelp(): string {
  return `Usage:
  rostrum token create --name NAME --role ROLE [--db PATH]
  rostrum token list [--db PATH]
  rostrum token revoke --name NAME [--db PATH]

Roles, each with what the one before it may do:
  reader     reads drafts and history
  editor     creates records and changes drafts
  publisher  changes live records, publishes and unpublishes, renames categories, undoes its own batches
  admin      everything else: imports, undoing anybody's batches

"create" prints the key alone on standard output. It is shown once and stored nowhere. A serving process notices new
and revoked tokens within a second. ${databaseText}
`
}

export function toBackupHelp(): string {
  return `Usage: rostrum backup FILE [--db PATH]

Writes a copy of the store as it is at one moment: records, every version, tokens. It may be served meanwhile; reads
and writes go on. The copy gets its name only when it is on disk and has been read back: its pages fit together, no
record or version is missing, and each version has the bytes of its checksum. A file that exists is never overwritten.

Whoever can read the store can read the copy, so keep it as safe. Put it back with: rostrum restore FILE
Only for files: PostgreSQL has backups of its own (docs/operations.md).
${databaseText}

Exit codes: 0 the backup is whole; 65 the store is damaged; 66 there is no store; 73 the file cannot be written.
A copy that was cut off (kill, power) leaves FILE.*.new behind, which can be removed.
`
}

export function toRestoreHelp(): string {
  return `Usage: rostrum restore FILE [--replace] [--db PATH]

Makes the store from a backup, which is checked whole first and stays as it is. Nothing may serve the store meanwhile.
Only for files: PostgreSQL has backups of its own (docs/operations.md).

Options:
  --replace   There is a store already: keep it aside, as PATH.before-restore-TIME, and put the backup in its place.

Numbers of changes go back with the store, so it gets a new id, and whoever follows its changes is told to begin again.
${databaseText}

Exit codes: 0 done; 65 the backup is damaged or not ours; 66 there is none; 69 the store is being served; 73 there is a
store already, or it cannot be written.
`
}

export function toDoctorHelp(): string {
  return `Usage: rostrum doctor [--rebuild] [--db PATH]

Checks the store as it is at one moment, served or not: a file's pages, the tables, the checksum of every version,
that none is missing, that each record is its newest version, and that lists, speakers, tags, searches and batches say
what the records say. Each thing that is wrong is one line on standard output, with the id of its record.

Options:
  --rebuild   First make everything anew that can be told from the versions' bytes, all of it or nothing, then check.
              Nothing may serve a file meanwhile; a PostgreSQL database may be served, but takes no writes.

${databaseText}

Exit codes: 0 all is well; 65 something is wrong; 66 there is no store; 69 it is being served (--rebuild).
`
}

export function toMigrateStoreHelp(): string {
  return `Usage: rostrum migrate-store FROM [TO] [--db TO]

Copies everything from one store to another: from a file to PostgreSQL, back, or between two of a kind. Records, every
version with its number, batches, categories, origins, erasures, keys of requests and tokens: afterwards the same keys
work, and followers of the changes go on where they were. FROM is read as it is at one moment and never changed; it may
be served meanwhile, but what is written to it after that moment is not moved, so stop writes first.

FROM and TO are files or addresses such as postgres://USER@HOST:PORT/NAME. TO must be new or empty, else it stays as it
is; without TO it is --db, else ROSTRUM_DB. Passwords belong in ROSTRUM_DB or PGPASSWORD: what stands on the command
line is seen in process lists.

It is one transaction: whatever cuts it off, TO stays empty. Before the end all of it is read back: every version must
have the bytes of its checksum, and every table as many rows and the same sum as in FROM. The tables, their rows and
sums are printed on standard output.

Exit codes: 0 moved; 64 wrong words; 65 FROM is damaged, or of another version; 66 there is no FROM; 69 TO is being
served, or PostgreSQL is away; 73 TO is not empty, or cannot be written.
`
}

export function toStoreHelp(): string {
  return `Usage: rostrum store new-id [--db PATH]

Gives the store a new id and prints it. Every page and event of the changes carries the id of the store. Whoever follows
them compares it, and begins again where it is another one: an older copy of a store counts its changes anew, so the same
number may stand for another change.

"restore" and imports of a dump make a new id by themselves, "migrate-store" keeps it, and on PostgreSQL it changes with
the system and its timeline: when a standby takes over, or a backup is recovered. Use this command after everything else
that puts older data in place: a copied file, a snapshot of a disk, pg_restore into the same server. The store may be
served meanwhile.
${databaseText}

Exit codes: 0 done; 64 wrong words; 66 there is no store; 69 PostgreSQL is away; 73 it cannot be written.
`
}

export function toPurgeHelp(): string {
  return `Usage: rostrum purge ID [--yes] [--db PATH]

Erases a record for good, with every version that it ever had: for those who have a right to be forgotten. Nothing can
bring it back, so it asks first. Speakers and tags that only this record named vanish too; its category stays, as it
has a title and a description of its own, which can be changed. The store may be served meanwhile: the record is
410 Gone to everybody within 200 ms, and its id is never used again. The change feed tells that it is withdrawn.

What is left in free places of a file and in its log is wiped; PostgreSQL does that in its own time. Copies that were
made before still have the record: backups, stores kept aside by "restore --replace", exports, and what others have
read. An import from a source that still has it leaves it out: digests of where it came from are kept, of the place in
the source and of the address of the recording. They tell nobody what it was, and keep it away until an import says
--bring-back-erased.

Options:
  --yes   Do not ask. Needed where there is no terminal.

${databaseText}

Exit codes: 0 erased; 64 not confirmed; 66 there is no such record or store; 69 erased, but its bytes may still be in
the log, because another process reads it: run the same command again.
`
}

const databaseText = 'The database is --db, else ROSTRUM_DB, else ./data/rostrum.db.'

function toLines(setting: Setting<unknown>): string {
  const flag = setting.flag === null ? '' : `--${setting.flag}${setting.value === null ? '' : ` ${setting.value}`}`
  const names = [flag, ...setting.variables].filter((name) => name !== '').join(', ')
  return `  ${names}\n      ${setting.help}${toDefaultText(setting)}`
}

export function toDefaultText({ fallback, fallbackText }: Setting<unknown>): string {
  if (fallbackText !== undefined) return ` Default: ${fallbackText}.`
  return fallback === null || fallback === false ? '' : ` Default: ${fallback}.`
}
