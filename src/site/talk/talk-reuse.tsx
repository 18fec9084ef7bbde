import { toFrameMarkup } from '../feed/oembed.ts'
import { type Site, toAbsolute } from '../site.ts'
import { texts } from '../texts.ts'
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
      <h2>{texts.talk.share}</h2>
      <details>
        <summary>{texts.talk.cite}</summary>
        <Copyable id="cite-text" label={texts.talk.citation} text={toCitation(record, url)} />
        <Copyable id="cite-bibtex" label={texts.talk.bibTex} text={toBibTex(record, url)} />
      </details>
      <details>
        <summary>{texts.talk.embed}</summary>
        <p>{texts.talk.embedHint}</p>
        <Copyable id="embed-html" label="HTML" text={toFrameMarkup(site, record, { width: 640, height: 360 })} />
      </details>
      {hasKeys && <Keys />}
    </section>
  )
}

/** The switch appears with the script, as the keys do. */
function Keys() {
  const { title, list, use } = texts.player.keys
  return (
    <details data-keys hidden>
      <summary>{title}</summary>
      <dl class="keys">
        {list.map(([keys, effect]) => (
          <div key={keys}>
            <dt>{keys}</dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </dl>
      <label>
        <input type="checkbox" checked /> {use}
      </label>
    </details>
  )
}
