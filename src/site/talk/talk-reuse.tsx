import type { VideoRecord } from '../../record/record.ts'
import { toFrameMarkup } from '../machine/oembed.ts'
import { type Site, toAbsolute } from '../site.ts'
import type { Talk } from './talk.ts'

interface TalkReuseProps {
  readonly site: Site
  readonly talk: Talk
  /** Whether the page has a player with keyboard shortcuts. */
  readonly hasKeys: boolean
}

/** Ways to cite and embed a talk, and the keys of the player. */
export function TalkReuse({ site, talk: { record }, hasKeys }: TalkReuseProps) {
  const url = toAbsolute(site, site.urls.video(record))
  return (
    <section class="talk-reuse">
      <h2>Cite and embed</h2>
      <details>
        <summary>Cite</summary>
        <Copyable id="cite-text" label="As text" text={toCitation(record, url)} />
        <Copyable id="cite-bibtex" label="BibTeX" text={toBibTex(record, url)} />
      </details>
      <details>
        <summary>Embed</summary>
        <p>Paste this HTML into a page to show the player there. It sets no cookies.</p>
        <Copyable id="embed-html" label="HTML" text={toFrameMarkup(site, record, { width: 640, height: 360 })} />
      </details>
      {hasKeys && <Keys />}
    </section>
  )
}

/** `Ann Bell, Cy Dahl: "Title". PyCon 2014, 2014-04-11. https://…` */
export function toCitation({ speakers, title, category, recorded }: VideoRecord, url: string): string {
  const by = speakers.length === 0 ? '' : `${speakers.join(', ')}: `
  return `${by}“${title}”. ${[category, ...(recorded === null ? [] : [recorded])].join(', ')}. ${url}`
}

/** An entry for BibTeX and biblatex. */
export function toBibTex(record: VideoRecord, url: string): string {
  const { id, slug, speakers, title, category, recorded } = record
  const [year, month] = recorded?.split('-') ?? []
  const fields: readonly (readonly [string, string | undefined])[] = [
    ['author', speakers.length === 0 ? undefined : speakers.map(toBibTexText).join(' and ')],
    ['title', `{${toBibTexText(title)}}`],
    ['howpublished', `Talk at ${toBibTexText(category)}`],
    ['year', year],
    ['month', month && String(Number(month))],
    ['url', url],
  ]
  const lines = fields.flatMap(([name, value]) => (value === undefined ? [] : [`  ${name} = {${value}},`]))
  return [`@misc{${slug.split('-').slice(0, 3).join('-')}-${id},`, ...lines, '}'].join('\n')
}

const playerKeys = [
  ['Space or K', 'play, pause'],
  ['← → or J L', '10 seconds back, forward'],
  ['< >', 'slower, faster'],
  ['F', 'full screen'],
  ['M', 'mute, unmute'],
  ['/', 'search'],
] as const

/** Hidden until the script runs, which handles the keys. */
function Keys() {
  return (
    <details data-keys hidden>
      <summary>Keyboard shortcuts</summary>
      <dl class="keys">
        {playerKeys.map(([keys, effect]) => (
          <div key={keys}>
            <dt>{keys}</dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </dl>
      <label>
        <input type="checkbox" checked /> Use single-key shortcuts on this site
      </label>
    </details>
  )
}

interface CopyableProps {
  readonly id: string
  readonly label: string
  readonly text: string
}

/** A text to copy. The script shows the button. */
function Copyable({ id, label, text }: CopyableProps) {
  return (
    <div class="copyable">
      <div class="copyable-head">
        <h3 id={id}>{label}</h3>
        <button
          type="button"
          data-copy={`${id}-text`}
          data-done="Copied"
          data-failed="Could not copy"
          aria-describedby={id}
          hidden
        >
          Copy
        </button>
      </div>
      <textarea id={`${id}-text`} readonly rows={text.split('\n').length + 1} aria-labelledby={id} spellcheck="false">
        {text}
      </textarea>
    </div>
  )
}

/** Braces and control symbols of TeX as plain characters. */
function toBibTexText(text: string): string {
  return text
    .replace(/[\\{}]/g, '')
    .replace(/[&%$#_]/g, '\\$&')
    .replace(/~/g, '\\textasciitilde{}')
    .replace(/\s+/g, ' ')
}
