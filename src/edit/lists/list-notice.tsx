import { listTexts } from './lists-texts.ts'

const { done } = listTexts

/** What a form of the list has done, by the codes and numbers that its redirect put into the address: never by a text. */
export function ListNotice({ parameters }: { readonly parameters: URLSearchParams }) {
  const [count, left] = [toCount(parameters.get('count')), toCount(parameters.get('left'))]
  const text = toText(parameters.get('done'), count)
  if (text === null) return null
  return (
    <p class="edit-notice" role="status">
      {text} {left > 0 && done.left(left)}
    </p>
  )
}

function toText(kind: string | null, count: number): string | null {
  if (kind === 'parked' || kind === 'unparked') return done[kind](count)
  return kind === 'none' || kind === 'unticked' ? done[kind] : null
}

const toCount = (text: string | null) => (/^\d{1,4}$/.test(text ?? '') ? Number(text) : 0)
