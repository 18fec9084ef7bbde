import { editScriptTexts } from '../../form/script-texts.ts'
import { createButton, createElement, findEtag, writeState } from '../form-state.ts'
import { type KeptDraft, removeDraft } from './kept-drafts.ts'

const texts = editScriptTexts.draft

/** Offers what other tabs and earlier visits left, newest first. `onRestore` is called when the form has it. */
export function offerDrafts(
  form: HTMLFormElement,
  drafts: readonly KeptDraft[],
  onRestore: (draft: KeptDraft) => void,
): void {
  // The same text may have been left twice.
  const groups = Map.groupBy(drafts, ({ state, etag }) => JSON.stringify([state, etag]))
  form.prepend(...[...groups.values()].map((group) => createOffer(form, group, onRestore)))
}

function createOffer(
  form: HTMLFormElement,
  group: readonly KeptDraft[],
  onRestore: (draft: KeptDraft) => void,
): HTMLElement {
  const box = createElement('div', 'draft-offer')
  box.setAttribute('role', 'status')
  const restore = createButton('button', texts.restore, () => {
    for (const draft of group) {
      restoreDraft(form, draft)
      onRestore(draft)
    }
    box.replaceChildren(createElement('p', '', texts.restored))
  })
  const drop = createButton('button quiet', texts.discard, () => {
    for (const { key } of group) removeDraft(key)
    box.remove()
  })
  box.append(createElement('p', '', toText(form, group)), restore, drop)
  return box
}

function toText(form: HTMLFormElement, [draft]: readonly KeptDraft[]): string {
  if (draft === undefined) return ''
  const time = new Date(draft.at).toLocaleString(document.documentElement.lang)
  const etag = findEtag(form)?.value ?? ''
  const isOlder = etag !== '' && draft.etag !== '' && draft.etag !== etag
  return [texts.found(time, listLabels(form, draft)), ...(isOlder ? [texts.isOlder] : [])].join(' ')
}

/** The labels of the fields that it has: two drafts of one form look the same without. */
function listLabels(form: HTMLFormElement, { state }: KeptDraft): string {
  const labels = [...form.querySelectorAll('label')].flatMap(({ control, firstChild }) => {
    // A list of names has a control of its own, and the text area of the form behind it.
    const area = control?.id.endsWith('-add') ? form.querySelector(`#${CSS.escape(control.id.slice(0, -4))}`) : control
    const isTyped = Object.hasOwn(state, area?.getAttribute('name') ?? '')
    return isTyped ? [firstChild?.textContent?.trim() ?? ''] : []
  })
  return [...new Set(labels)].filter((label) => label !== '').join(', ')
}

/**
 * The form becomes one of the version that the draft was made from: the server sees what others changed since. Of two
 * drafts, the older version decides.
 */
function restoreDraft(form: HTMLFormElement, draft: KeptDraft): void {
  const etag = findEtag(form)
  const isNewer = Number.parseInt(draft.etag, 10) > Number.parseInt(etag?.value ?? '', 10)
  if (etag !== null && draft.etag !== '' && !isNewer) etag.value = draft.etag
  writeState(form, draft.state)
}
