import { requireRead } from '../../http/problem.ts'
import type { VideoRecord } from '../../record/record.ts'
import { toClock } from '../../record/text/clock.ts'
import { toNumber } from '../../record/text/counted.ts'
import { parseSearch } from '../../record/text/search-text.ts'
import type { Cue, Transcript } from '../../record/transcript/transcript.ts'
import { toTranscriptLanguage, toTranscriptName } from '../../record/transcript/transcript-kind.ts'
import { listParagraphs } from '../../record/transcript/write-transcript.ts'
import type { MomentResult } from '../../store/list-reads.ts'
import type { ReadStore } from '../../store/store.ts'
import { MomentLines } from '../search/moment-list.tsx'
import { toPageQuery } from '../search/search-query.ts'
import { type UrlParameters, withParameters } from '../urls.ts'
import { listSpoken, readContent } from './talk.ts'

/** A transcript of a talk, and what the URL asks for. */
export interface ShownTranscript {
  readonly language: string
  readonly languages: readonly string[]
  /** Whether the URL asks for its language. */
  readonly isChosen: boolean
  readonly content: Transcript
  /** Words to look for; `""` for none. */
  readonly say: string
  /** Where they are said; null without words. */
  readonly said: MomentResult | null
}

export const machineNote = 'Transcribed by a machine; may contain mistakes.'

/** How many lines a search in a talk shows. */
const maxLines = 20

/** Null if the talk has none. The language of the talk comes first, unless another is asked for. */
export async function findTranscript(
  store: ReadStore,
  { id }: VideoRecord,
  languageCode: string | undefined,
  parameters: URLSearchParams,
): Promise<ShownTranscript | null> {
  const languages = (await listSpoken(store, id)).map(toTranscriptLanguage)
  const language = [parameters.get('transcript'), languageCode].find((code) => languages.some((each) => each === code))
  const shown = language ?? languages[0]
  if (shown === undefined) return null
  const say = (parameters.get('say') ?? '').trim()
  return {
    language: shown,
    languages,
    isChosen: parameters.get('transcript') === shown,
    content: await readContent(store, id, toTranscriptName(shown)),
    say,
    said: say === '' ? null : await findMoments(store, id, shown, say),
  }
}

async function findMoments(store: ReadStore, id: number, language: string, say: string): Promise<MomentResult | null> {
  const parsed = parseSearch(say)
  if (!parsed.ok) return null
  const wanted = { ids: [id], search: parsed.search, traits: [`transcript_language:${language}`] as const }
  const { filters, page } = toPageQuery({ filters: wanted, order: null, page: 1 })
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
  const { language, languages, isChosen, content, say, said } = shown
  const isMachine = content.origin === 'machine'
  const current = findCurrent(content.cues, asked)
  const chosen: UrlParameters = languages.length > 1 ? { transcript: language } : {}
  return (
    <section class="transcript" id="transcript">
      <details open={say !== '' || asked !== null || isChosen}>
        <summary>
          <h2>Transcript</h2>
        </summary>
        {isMachine && <p class="muted">{machineNote}</p>}
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
            placeholder="Search in this transcript"
          />
          <button type="submit">Search</button>
        </form>
        {said !== null && (
          <div class="said">
            {said.hits > said.moments.length && (
              <p class="muted">{`Said ${toNumber(said.hits)} times; these are the best places.`}</p>
            )}
            <MomentLines page="" said={said} />
          </div>
        )}
        {say !== '' && said === null && <p>{`“${say}” is not said in this talk.`}</p>}
        <div class="spoken" lang={language} dir="auto" tabindex={0}>
          {listParagraphs(content.cues).map((cues) => (
            <Paragraph key={cues[0]?.start ?? 0} cues={cues} current={current} chosen={chosen} />
          ))}
        </div>
      </details>
    </section>
  )
}

interface ParagraphProps {
  readonly cues: Transcript['cues']
  readonly current: Cue | null
  /** Keeps the language, if there are several. */
  readonly chosen: UrlParameters
}

/** Links have whole seconds, so a line that begins within that second counts, not the one before. */
function findCurrent(cues: Transcript['cues'], asked: number | null): Cue | null {
  const last = asked === null ? undefined : cues.findLast(({ start }) => start < (asked + 1) * 1000)
  return last !== undefined && last.end > (asked ?? 0) * 1000 ? last : null
}

function Paragraph({ cues, current, chosen }: ParagraphProps) {
  const [first] = cues
  const start = (first?.start ?? 0) / 1000
  return (
    <p>
      <a class="time" href={withParameters('', { t: Math.floor(start), ...chosen })} data-start={start}>
        {toClock(Math.floor(start))}
      </a>
      {first?.voice !== undefined && <b>{`${first.voice}: `}</b>}
      {cues.map((cue) => (
        <span key={cue.start} data-start={cue.start / 1000} aria-current={cue === current ? 'true' : undefined}>
          {`${cue.text} `}
        </span>
      ))}
    </p>
  )
}
