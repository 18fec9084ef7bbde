import { requireRead } from '../../http/problem.ts'
import type { VideoRecord } from '../../record/record.ts'
import { toClock } from '../../record/text/clock.ts'
import { parseSearch } from '../../record/text/search-text.ts'
import type { Transcript } from '../../record/transcript/transcript.ts'
import { type TranscriptName, toTranscriptLanguage } from '../../record/transcript/transcript-kind.ts'
import { listParagraphs } from '../../record/transcript/write-transcript.ts'
import type { MomentResult } from '../../store/list-reads.ts'
import type { ReadStore } from '../../store/store.ts'
import { MarkedText } from '../search/results.tsx'
import { toPageQuery } from '../search/search-query.ts'
import { withParameters } from '../urls.ts'

/** A transcript of a talk, and what the page was asked for. */
export interface ShownTranscript {
  readonly language: string
  readonly languages: readonly string[]
  readonly content: Transcript
  /** Words to look for; `""` for none. */
  readonly say: string
  /** Where they are said; null without words. */
  readonly said: MomentResult | null
}

/** How many lines a search in a talk shows. */
const maxLines = 20

/** Null if the talk has none. The language of the talk comes first, unless another is asked for. */
export async function findTranscript(
  store: ReadStore,
  { id }: VideoRecord,
  languageCode: string | undefined,
  parameters: URLSearchParams,
): Promise<ShownTranscript | null> {
  const lines = requireRead(await store.listTranscripts({ id })).filter(({ origin }) => origin !== null)
  const wanted = [parameters.get('transcript'), languageCode]
  const [first] = lines
  const name = wanted.flatMap((code) => lines.filter((line) => toTranscriptLanguage(line.name) === code))[0] ?? first
  if (name === undefined) return null
  const say = (parameters.get('say') ?? '').trim()
  return {
    language: toTranscriptLanguage(name.name),
    languages: lines.map((line) => toTranscriptLanguage(line.name)),
    content: await readTranscript(store, id, name.name),
    say,
    said: say === '' ? null : await findSaid(store, id, say),
  }
}

async function readTranscript(store: ReadStore, id: number, name: TranscriptName): Promise<Transcript> {
  // The store gives back what the kind of this name has parsed.
  return (await store.readCompanion(id, name)).content as Transcript
}

async function findSaid(store: ReadStore, id: number, say: string): Promise<MomentResult | null> {
  const parsed = parseSearch(say)
  if (!parsed.ok) return null
  const { filters, page } = toPageQuery({ filters: { ids: [id], search: parsed.search }, order: null, page: 1 })
  const { results } = requireRead(await store.listMoments({ filters, page, pageSize: 1, moments: maxLines }))
  return results[0] ?? null
}

interface TranscriptProps {
  readonly page: string
  readonly shown: ShownTranscript
  /** The time in the address. */
  readonly asked: number | null
}

const names = new Intl.DisplayNames('en', { type: 'language' })

/** The script marks the line that is played, and seeks where a line is clicked. */
export function TalkTranscript({ page, shown, asked }: TranscriptProps) {
  const { language, languages, content, say, said } = shown
  const isMachine = content.origin === 'machine'
  return (
    <section class="transcript" id="transcript">
      <details open={say !== '' || asked !== null}>
        <summary>
          <h2>Transcript</h2>
        </summary>
        {isMachine && <p class="muted">Transcribed by a machine; may contain mistakes.</p>}
        {languages.length > 1 && (
          <p class="languages">
            {languages.map((each) => (
              <a
                key={each}
                href={`${withParameters(page, { transcript: each })}#transcript`}
                aria-current={each === language ? 'true' : undefined}
              >
                {names.of(each) ?? each}
              </a>
            ))}
          </p>
        )}
        <form action={`${page}#transcript`} method="get">
          {languages.length > 1 && <input type="hidden" name="transcript" value={language} />}
          <input
            type="search"
            name="say"
            value={say}
            maxlength={200}
            dir="auto"
            aria-label="Search in this transcript"
          />
          <button type="submit">Search</button>
        </form>
        {say !== '' && <SaidLines say={say} said={said} />}
        <div class="spoken" lang={language} dir="auto" tabindex={0}>
          {listParagraphs(content.cues).map((cues) => (
            <Paragraph key={cues[0]?.start ?? 0} cues={cues} asked={asked} />
          ))}
        </div>
      </details>
    </section>
  )
}

function SaidLines({ say, said }: Pick<ShownTranscript, 'say' | 'said'>) {
  if (said === null) return <p>{`“${say}” is not said in this talk.`}</p>
  return (
    <div class="said">
      <ul class="lines">
        {said.moments.map(({ start, text, marks }) => (
          <li key={start}>
            <TimeLink start={start} />
            <q lang={said.language} dir="auto">
              <MarkedText text={text} marks={marks} />
            </q>
          </li>
        ))}
      </ul>
    </div>
  )
}

interface ParagraphProps {
  readonly cues: Transcript['cues']
  readonly asked: number | null
}

function Paragraph({ cues, asked }: ParagraphProps) {
  const [first] = cues
  const isAsked = ({ start, end }: Transcript['cues'][number]) =>
    asked !== null && start <= (asked + 1) * 1000 - 1 && end > asked * 1000
  return (
    <p>
      <TimeLink start={(first?.start ?? 0) / 1000} />
      {first?.voice !== undefined && <b>{`${first.voice}: `}</b>}
      {cues.map((cue) => (
        <span key={cue.start} data-start={cue.start / 1000} aria-current={isAsked(cue) ? 'true' : undefined}>
          {`${cue.text} `}
        </span>
      ))}
    </p>
  )
}

/** Relative to the page of the talk. */
function TimeLink({ start }: { readonly start: number }) {
  return (
    <a class="time" href={withParameters('', { t: Math.floor(start) })} data-start={start}>
      {toClock(Math.floor(start))}
    </a>
  )
}
