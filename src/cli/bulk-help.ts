import { databaseText } from './help.ts'

export function toBulkHelp(): string {
  return `Usage: rostrum bulk (--ids IDS | --query FILTERS | --by NAME --since TIME [--until TIME])
                   (--patch JSON | --patch-file FILE | --restore)
                   [--dry-run] [--expect N] [--as-of N] [--partial] [--reason TEXT] [--db PATH|URL]

Changes up to 10,000 records in one transaction, as POST /api/v2/batches does: all of them, or none. Works while the
server is running; its writes wait meanwhile. The change is one batch of the author "bulk", which an admin can undo.

Which records:
  --ids 1,2,3        by id
  --query FILTERS    that match filters of the list, such as "category=pycon-us-2014&tag=keynote"; drafts too
  --by NAME --since TIME [--until TIME]
                     of which this author made a version in that time. TIME is a day, YYYY-MM-DD, or a time in UTC as
                     records have it; both ends count.

What to change:
  --patch JSON       fields to set, such as {"language": "German", "tags": {"add": ["keynote"], "remove": ["misc"]}}
  --patch-file FILE  the same from a file
  --restore          with --by: fields that the author changed get the value from before their first change in that time,
                     unless somebody else has changed them since; records that the author created become drafts. Related
                     links, categories, renames and merges go back too, and categories that only the author used are
                     hidden. What others have changed since is left and listed.

Options:
  --dry-run          report what would change, and store nothing
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
