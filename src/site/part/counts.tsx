import type { Child } from '#jsx/jsx-runtime'
import { toCounted, toNumber } from '../../record/text/counted.ts'
import { isPerson } from '../../record/text/topic.ts'
import { Sign } from './cards.tsx'

export interface CountedLink {
  readonly text: string
  readonly href: string
  readonly count: number
}

/** Links as pills, each with its number of talks. */
export function CountedLinks({ links }: { readonly links: readonly CountedLink[] }) {
  return (
    <ul class="pills">
      {links.map(({ text, href, count }) => (
        <li key={href}>
          <a href={href}>
            <bdi>{text}</bdi> <span class="count">{toNumber(count)}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}

export interface Tile {
  readonly text: string
  readonly href: string
  readonly detail: string
  /** The name of a language in that language. */
  readonly native?: { readonly text: string; readonly code: string } | undefined
  /** Whether it is a speaker, who has a sign in place of a portrait. */
  readonly hasSign?: boolean
}

/** Links side by side, each with a line that says more. */
export function Tiles({ tiles }: { readonly tiles: readonly Tile[] }) {
  return (
    <ul class="tiles">
      {tiles.map(({ text, href, detail, native, hasSign = false }) => (
        <li key={href}>
          <a href={href} class={hasSign ? 'signed' : undefined}>
            {hasSign && <Sign kind="speaker" text={text} />}
            <b>
              <bdi>{text}</bdi>
            </b>
            <span class="count">
              {native !== undefined && (
                <>
                  <bdi lang={native.code}>{native.text}</bdi>
                  {' · '}
                </>
              )}
              {detail}
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}

/** Speakers in their order, those that are no person last. */
export function peopleFirst<Link extends Pick<CountedLink, 'text'>>(links: readonly Link[]): Link[] {
  return links.toSorted((a, b) => Number(isPerson(b.text)) - Number(isPerson(a.text)))
}

/** Below a sum of lengths that some talks are left out of (`odd_duration`). */
export function LeftOutLengths({ count }: { readonly count: number }) {
  if (count === 0) return null
  return <p class="muted left-out">{`Hours exclude ${toCounted(count, 'talk')} with an unlikely length.`}</p>
}

interface SectionProps {
  readonly title: string
  /** A link to the whole list. */
  readonly more?: { readonly text: string; readonly href: string }
  /** Beside that link. */
  readonly menu?: Child
  readonly children: Child
}

export function Section({ title, more, menu, children }: SectionProps) {
  return (
    <section>
      <div class="section-head">
        <h2>{title}</h2>
        {menu !== undefined || more !== undefined ? (
          <div class="section-links">
            {menu}
            {more !== undefined && <a href={more.href}>{more.text}</a>}
          </div>
        ) : null}
      </div>
      {children}
    </section>
  )
}
