import type { Child } from '#jsx/jsx-runtime'
import { type OldEncoding, oldEncodings } from '../../record/table/csv.ts'
import { toCounted, toNumber } from '../../record/text/counted.ts'
import { isCorrectable, type PreviewRow } from './refused-rows.tsx'

export interface TableCounts {
  readonly created: number
  readonly changed: number
  readonly unchanged: number
  readonly refused: number
  readonly overwriting: number
  readonly repeated: number
  /** New talks with an entry that looks like several. */
  readonly several: number
}

/** What the warnings above a preview are about. */
export interface WarnedTable {
  readonly counts: TableCounts
  /** The position of the first shown row among those that the preview has. */
  readonly from: number
  readonly rows: readonly PreviewRow[]
  /** Titles of events that do not exist yet. */
  readonly newEvents: readonly string[]
  readonly guessed: OldEncoding | null
}

export function Warnings({ guessed, newEvents, counts, rows, from }: WarnedTable) {
  // First, since Enter in a field presses the first button.
  const again = rows.some(isCorrectable) ? <CheckAgain from={from} /> : null
  const texts: Child[] = [
    ...(counts.refused === 0 ? [] : toRefusedText({ counts, rows }, again)),
    ...(counts.several === 0
      ? []
      : [
          <>
            In {toCounted(counts.several, 'new talk')}, one speaker or tag looks like several. Separate them with a
            semicolon. {counts.refused === 0 && again}
          </>,
        ]),
    ...(guessed === null ? [] : [<EncodingChoice guessed={guessed} />]),
    ...(newEvents.length === 0 ? [] : [<NewEvents titles={newEvents} />]),
    ...(counts.overwriting === 0
      ? []
      : [
          `${toCounted(counts.overwriting, 'row')} without “updated” ${counts.overwriting === 1 ? 'replaces' : 'replace'} what the talks have now.`,
        ]),
    ...(counts.repeated === 0 ? [] : [<RepeatedVideos count={counts.repeated} />]),
  ]
  if (texts.length === 0) return null
  return (
    <ul class="table-warnings">
      {texts.map((text, i) => (
        <li key={i}>{text}</li>
      ))}
    </ul>
  )
}

/** What can be done about refused rows. Left out if the table below the preview says it. */
function toRefusedText({ counts, rows }: Pick<WarnedTable, 'counts' | 'rows'>, again: Child): Child[] {
  const isOne = counts.refused === 1
  const isBelow = rows.some((row) => row.verdict.is === 'refused' && isCorrectable(row))
  const isNext = counts.created + counts.changed > 0
  const [cells, them, theRows] = isOne ? ['its cells', 'it', 'the row'] : ['their cells', 'them', 'the rows']
  if (!isBelow && !isNext) return []
  const how = isBelow
    ? `Correct ${cells} below${isNext ? `, or ${theRows} on the next page` : ''}.`
    : `You can correct ${them} on the next page.`
  return [
    <>
      {toCounted(counts.refused, 'row is', 'rows are')} refused. {how} {again}
    </>,
  ]
}

function CheckAgain({ from }: { readonly from: number }) {
  return (
    <button type="submit" name="do" value={`page-${from}`} class="button quiet small">
      Check again
    </button>
  )
}

function EncodingChoice({ guessed }: { readonly guessed: OldEncoding }) {
  return (
    <>
      The file is not in UTF-8. It was read as {oldEncodings[guessed]}. If letters below look wrong, choose another
      encoding:{' '}
      <select name="encoding" aria-label="Encoding of the file">
        {Object.entries(oldEncodings).map(([name, text]) => (
          <option key={name} value={name} selected={name === guessed}>
            {text}
          </option>
        ))}
      </select>{' '}
      <button type="submit" name="do" value="encoding" class="button quiet small">
        Read again
      </button>
    </>
  )
}

const shownEvents = 5

function NewEvents({ titles }: { readonly titles: readonly string[] }) {
  return (
    <>
      {titles.length === 1
        ? 'This event does not exist yet and will be created: '
        : 'These events do not exist yet and will be created: '}
      {titles.slice(0, shownEvents).map((each, i) => (
        <>
          {i > 0 && ', '}
          <strong key={each} dir="auto">
            {each}
          </strong>
        </>
      ))}
      {titles.length > shownEvents && ` and ${toNumber(titles.length - shownEvents)} more`}
    </>
  )
}

function RepeatedVideos({ count }: { readonly count: number }) {
  return (
    <>
      {count === 1
        ? 'The video of one new talk is already in the archive.'
        : `The videos of ${toNumber(count)} new talks are already in the archive.`}{' '}
      <button type="submit" name="do" value="repeat" class="button quiet small">
        {count === 1 ? 'Add it again anyway' : 'Add them again anyway'}
      </button>
    </>
  )
}
