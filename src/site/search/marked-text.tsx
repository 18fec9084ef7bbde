import type { Child } from '#jsx/jsx-runtime'
import type { Mark } from '../../record/text/highlight.ts'

interface MarkedTextProps {
  readonly text: string
  /** In code points, in order. */
  readonly marks: readonly Mark[]
}

/** A text with its hits as `<mark>`. */
export function MarkedText({ text, marks }: MarkedTextProps) {
  if (marks.length === 0) return <>{text}</>
  const characters = Array.from(text)
  const pieces: Child[] = []
  let end = 0
  for (const [from, to] of marks) {
    pieces.push(characters.slice(end, from).join(''))
    pieces.push(<mark key={from}>{characters.slice(from, to).join('')}</mark>)
    end = to
  }
  return (
    <>
      {pieces}
      {characters.slice(end).join('')}
    </>
  )
}
