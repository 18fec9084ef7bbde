import { toFrameMarkup } from '../feed/oembed.ts'
import { type Site, toAbsolute } from '../site.ts'
import { toBibTex, toCitation } from './citation.ts'
import { Copyable } from './copyable.tsx'
import type { Talk } from './talk.ts'

interface TalkReuseProps {
  readonly site: Site
  readonly talk: Talk
  /** Whether the page has a player with keys of its own. */
  readonly hasKeys: boolean
}

/** Ways to cite and embed a talk, and the keys of the player. */
export function TalkReuse({ site, talk: { record }, hasKeys }: TalkReuseProps) {
  const url = toAbsolute(site, site.urls.video(record))
  return (
    <section class="talk-reuse">
      <h2>Share and reuse</h2>
      <details>
        <summary>Cite</summary>
        <Copyable id="cite-text" label="As text" text={toCitation(record, url)} />
        <Copyable id="cite-bibtex" label="BibTeX" text={toBibTex(record, url)} />
      </details>
      <details>
        <summary>Embed</summary>
        <p>This frame shows the player. It sets no cookies.</p>
        <Copyable id="embed-html" label="HTML" text={toFrameMarkup(site, record, { width: 640, height: 360 })} />
      </details>
      {hasKeys && <Keys />}
    </section>
  )
}

const playerKeys = [
  ['Space or K', 'play, pause'],
  ['← → or J L', '10 seconds back, forward'],
  ['< >', 'slower, faster'],
  ['F', 'full screen'],
  ['M', 'sound off, on'],
  ['/', 'search'],
] as const

/** The switch appears with the script, as the keys do. */
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
        <input type="checkbox" checked /> Use these keys on this site
      </label>
    </details>
  )
}
