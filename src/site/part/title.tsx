import type { Child } from '#jsx/jsx-runtime'

interface TitleProps {
  readonly text: string
  /** Marks the words of a search. */
  readonly mark?: ((text: string) => Child) | undefined
}

const ticked = /`([^`]{1,200})`/
/** A run of hyphens, within which browsers would break a line. */
const dashed = /(-{2,9})/

/** The title of a talk: words in Markdown ticks as code, and `--` in one piece. */
export function Title({ text, mark = asText }: TitleProps) {
  if (!ticked.test(text) && !dashed.test(text)) return <>{mark(text)}</>
  return (
    <>
      {text
        .split(ticked)
        .map((piece, i) =>
          i % 2 === 1 ? <code key={i}>{mark(piece)}</code> : <Plain key={i} text={piece} mark={mark} />,
        )}
    </>
  )
}

/** The title without ticks, where no markup is possible. */
export const toPlainTitle = (text: string) => text.replaceAll(/`([^`]{1,200})`/g, '$1')

function Plain({ text, mark = asText }: TitleProps) {
  return (
    <>
      {text.split(dashed).map((piece, i) => {
        if (piece === '') return null
        return i % 2 === 1 ? (
          <span key={i} class="unbroken">
            {piece}
          </span>
        ) : (
          mark(piece)
        )
      })}
    </>
  )
}

const asText = (text: string): Child => text
