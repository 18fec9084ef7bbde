import { toTalkJsonLd } from '../feed/json-ld.ts'
import type { PlayerSource } from '../media/player-source.ts'
import { type Site, toAbsolute } from '../site.ts'
import type { Talk } from './talk.ts'

interface TalkMetaProps {
  readonly site: Site
  readonly talk: Talk
  readonly source: PlayerSource
  readonly description: string
}

/** What other sites show of a talk: Open Graph, oEmbed, JSON-LD. */
export function TalkMeta({ site, talk, source, description }: TalkMetaProps) {
  const { record } = talk
  const { urls, settings } = site
  const url = toAbsolute(site, urls.video(record))
  const properties: readonly (readonly [string, string | undefined])[] = [
    ['og:type', 'video.other'],
    ['og:site_name', settings.name],
    ['og:title', record.title],
    ['og:description', description === '' ? undefined : description],
    ['og:url', url],
    ['og:image', settings.hasThumbnails && record.thumbnail_url !== '' ? record.thumbnail_url : undefined],
    ['og:video', source.files[0]?.url],
    ['og:video:type', source.files[0]?.type],
    ['video:duration', record.duration === null ? undefined : String(record.duration)],
    ['video:release_date', record.recorded ?? undefined],
  ]
  const oEmbed = (format: 'json' | 'xml') => urls.oEmbed({ url, format })
  return (
    <>
      {properties.map(([property, content]) =>
        content === undefined ? null : <meta key={property} property={property} content={content} />,
      )}
      <link
        rel="alternate"
        type="application/json+oembed"
        href={toAbsolute(site, oEmbed('json'))}
        title={record.title}
      />
      <link rel="alternate" type="text/xml+oembed" href={toAbsolute(site, oEmbed('xml'))} title={record.title} />
      <script
        type="application/ld+json"
        dangerouslySetInnerHTML={{ __html: toTalkJsonLd(site, talk, source, description) }}
      />
    </>
  )
}
