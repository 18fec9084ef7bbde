import type { TalkDetails } from './talk-details.ts'

/** Descriptions are mostly in the language of the talk, but not always, so `lang` is left to the title. */
export function TalkProse({ details: { summary, description } }: { readonly details: TalkDetails }) {
  return (
    <>
      {summary !== '' && <div class="prose lead" dir="auto" dangerouslySetInnerHTML={{ __html: summary }} />}
      {description !== '' && <div class="prose" dir="auto" dangerouslySetInnerHTML={{ __html: description }} />}
    </>
  )
}
