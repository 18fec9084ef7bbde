import { listTexts } from '../lists-texts.ts'

const { done } = listTexts

/** What parking has done, by the codes and numbers that its redirect put into the address: never by a text. */
export function ParkNotice({ parameters }: { readonly parameters: URLSearchParams }) {
  const [kind, count, left] = [
    parameters.get('done'),
    toCount(parameters.get('count')),
    toCount(parameters.get('left')),
  ]
  if (kind !== 'parked' && kind !== 'unparked' && kind !== 'none') return null
  return (
    <p class="edit-notice" role="status">
      {kind === 'none' ? done.none : done[kind](count)} {left > 0 && done.left(left)}
    </p>
  )
}

const toCount = (text: string | null) => (/^\d{1,4}$/.test(text ?? '') ? Number(text) : 0)
