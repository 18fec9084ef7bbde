import type { BatchLine, NamePair } from '../../store/change-log.ts'
import { changesTexts } from './changes-texts.ts'

const { batch: texts } = changesTexts

interface BatchTitleProps {
  readonly batch: Pick<BatchLine, 'kind' | 'undoes'>
  readonly names: readonly NamePair[]
}

/** What a batch did, in words: `Speakers merged: Ada L. → Ada Lovelace`. */
export function BatchTitle({ batch: { kind, undoes }, names }: BatchTitleProps) {
  return (
    <>
      {undoes === null ? texts.kinds[kind] : texts.undoOf(undoes)}
      {names.map((pair, i) => (
        <span key={i}>
          {i === 0 ? ': ' : ', '}
          <Name text={pair.from} /> <span aria-hidden="true">→</span>
          <span class="hidden-text"> to </span> <Name text={pair.to} />
        </span>
      ))}
    </>
  )
}

function Name({ text }: { readonly text: string | null }) {
  return text === null ? <em>{texts.gone}</em> : <bdi>{text}</bdi>
}
