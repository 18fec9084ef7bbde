import type { VideoRecord } from '../../record/record.ts'
import { type PlayerSource, toPlayerSource } from '../../site/media/player-source.ts'
import type { Site, SiteDeps } from '../../site/site.ts'
import { Player } from '../../site/talk/player.tsx'
import { findTalk, type Talk } from '../../site/talk/talk.ts'
import { findTalkDetails, type TalkDetails } from '../../site/talk/talk-details.ts'
import { TalkFacts } from '../../site/talk/talk-facts.tsx'
import { TalkHead } from '../../site/talk/talk-head.tsx'
import { TalkProse } from '../../site/talk/talk-prose.tsx'
import { previewId } from './preview-panel.tsx'

/** What the page of a talk would show of a record. */
export interface Preview {
  readonly site: Site
  readonly talk: Talk
  readonly source: PlayerSource
  readonly details: TalkDetails
}

export async function findPreview({ store, markdown }: SiteDeps, site: Site, record: VideoRecord): Promise<Preview> {
  const talk = await findTalk(store, record)
  return {
    ...{ site, talk },
    source: toPlayerSource(record, { ...site.settings, isSecure: site.base.startsWith('https:') }),
    details: await findTalkDetails(store, talk, await markdown()),
  }
}

/** As on the page of the talk. The script replaces each of these parts only if it changed, so that a player plays on. */
export function PreviewContent({ site, talk, source, details }: Preview) {
  return (
    <div id={previewId} class="preview">
      <Player site={site} talk={talk} source={source} start={0} />
      <article class="talk-text">
        <TalkHead site={site} talk={talk} source={source} isPreview />
        <TalkProse details={details} />
        <TalkFacts site={site} talk={talk} details={details} source={source} />
      </article>
    </div>
  )
}
