import type { Site } from '../site.ts'
import type { Talk } from '../talk/talk.ts'
import { toClock } from '../text/format.ts'

interface ThumbnailProps {
  readonly site: Site
  readonly talk: Talk
  /** Images above the fold are loaded at once. */
  readonly isEager?: boolean
}

const hues = 24

/** The class that colours everything of one event alike. */
export function toHueClass(event: string): string {
  return `hue-${BigInt(Bun.hash(event)) % BigInt(hues)}`
}

/**
 * A picture of 16:9. The generated one, with event and title, lies under the image, so that nothing looks broken while
 * the image is loading, or if it cannot be loaded. Hidden from screen readers: the card says the same.
 */
export function Thumbnail({ site, talk: { record, languageCode }, isEager = false }: ThumbnailProps) {
  const { thumbnail_url: url, duration } = record
  return (
    <div class={`thumbnail ${toHueClass(record.category)}`} aria-hidden="true">
      <div class="generated" lang={languageCode}>
        <span dir="auto">{record.category}</span>
        <b dir="auto">{record.title}</b>
      </div>
      {site.settings.hasThumbnails && url !== '' && (
        <img src={url} alt="" loading={isEager ? 'eager' : 'lazy'} decoding="async" referrerpolicy="no-referrer" />
      )}
      {duration !== null && <span class="length">{toClock(duration)}</span>}
    </div>
  )
}
