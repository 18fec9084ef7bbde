import type { EntryKind } from '../../record/name.ts'
import { toPlausibleDuration } from '../../record/quality/duration.ts'
import { toClock } from '../../record/text/clock.ts'
import type { Site } from '../site.ts'

interface PictureProps {
  readonly site: Site
  /** The title of the event, whose colour it has. */
  readonly event: string
  /** Selects the pattern. */
  readonly seed: number
  /** The address of an image; `''` for none. */
  readonly url: string
  /** On the generated picture; never what stands beside it. */
  readonly label: string
  readonly isMonogram?: boolean
  /** In the upper corner. */
  readonly badge?: string | undefined
  /** In seconds. */
  readonly duration?: number | null
}

/**
 * A 16:9 picture. A generated one lies under the image, so that nothing looks broken while the image loads or if it
 * fails. Hidden from screen readers: the card says the same.
 */
export function Picture({ site, event, seed, url, label, isMonogram = false, badge, duration = null }: PictureProps) {
  const length = toPlausibleDuration(duration)
  return (
    <div class={`thumbnail ${toHueClass(event)} pattern-${seed % patterns}`} aria-hidden="true">
      {label !== '' && (
        <div class={isMonogram ? 'generated monogram' : 'generated'}>
          <span dir="auto">{label}</span>
        </div>
      )}
      {site.settings.hasThumbnails && url !== '' && (
        <img src={url} alt="" loading="lazy" decoding="async" referrerpolicy="no-referrer" />
      )}
      {badge !== undefined && <span class="badge">{badge}</span>}
      {length !== null && <span class="length">{toClock(length)}</span>}
    </div>
  )
}

/** In place of a portrait: the initials of a speaker or event, or the sign of a tag. */
export function Sign({ kind, text }: { readonly kind: EntryKind; readonly text: string }) {
  return (
    <span class={`sign ${kind} ${toHueClass(text)}`} aria-hidden="true">
      {toSign(kind, text)}
    </span>
  )
}

function toSign(kind: EntryKind, text: string): string {
  if (kind === 'tag') return '#'
  return kind === 'category' ? toMonogram(text) : toInitials(text)
}

/** `PyCon US 2019` -> `PCUS`: what stands on the generated picture of an event, beside its title. */
export function toMonogram(title: string): string {
  const words = title.replace(/\d/g, ' ')
  const capitals = words.match(/\p{Lu}/gu) ?? []
  if (capitals.length > 0) return capitals.slice(0, 4).join('')
  return (words.match(/\p{L}/gu) ?? []).slice(0, 2).join('').toLocaleUpperCase('en')
}

/** `Ada Nova` -> `AN`: the first letters of the first and the last word. */
function toInitials(name: string): string {
  const letters = name.split(' ').flatMap((word) => word.match(/[\p{L}\p{N}]/u)?.[0] ?? [])
  return [letters[0], letters.length > 1 ? letters.at(-1) : ''].join('')
}

const [hues, patterns] = [24, 4]

/** The CSS class with the colour of an event. */
export function toHueClass(event: string): string {
  return `hue-${toHash(event) % BigInt(hues)}`
}

/** A number that is always the same for a text. */
export const toSeed = (text: string) => Number(toHash(text) % 1_000_003n)

const toHash = (text: string) => BigInt(Bun.hash(text))
