import { editScriptTexts } from '../../form/script-texts.ts'
import { createButton, createElement } from '../form-state.ts'
import { type KeptDraft, listAllDrafts, removeDraft } from './kept-drafts.ts'

const texts = editScriptTexts.draft

/** What this browser keeps for any form. `data-kept-drafts` of an element is the address of the pages for curators. */
export function listKeptDrafts(): void {
  const place = document.querySelector<HTMLElement>('[data-kept-drafts]')
  // What was chosen on a conflict page belongs to what was typed before.
  const drafts = listAllDrafts().filter(({ name }) => !name.endsWith('-conflict'))
  if (place === null || drafts.length === 0) return
  const home = place.dataset.keptDrafts ?? ''
  const list = createElement('ul', '')
  for (const [name, group] of Map.groupBy(drafts, (draft) => draft.name)) list.append(createEntry(home, name, group))
  place.append(createElement('p', '', texts.kept), list)
  place.hidden = false
}

/** The newest draft of a form tells its name and page. */
function createEntry(home: string, name: string, group: readonly KeptDraft[]): HTMLElement {
  const [newest] = group
  const entry = createElement('li', '')
  const talk = /^video-(\d{1,15})(-links)?$/.exec(name)
  const title = newest?.title || (talk === null ? texts.untitled : texts.talk(talk[1] ?? ''))
  const path = newest?.path || (talk === null ? '' : `${home}/video/${talk[1]}${talk[2] === undefined ? '' : '/links'}`)
  const drop = createButton('button quiet small', texts.drop, () => {
    if (!confirm(texts.isSure(title))) return
    for (const { key } of group) removeDraft(key)
    entry.remove()
  })
  drop.setAttribute('aria-label', texts.dropOf(title))
  const time = createElement('span', 'muted', new Date(newest?.at ?? 0).toLocaleString(document.documentElement.lang))
  entry.append(createTitle(title, path), time, drop)
  return entry
}

/** Without an address if the page came with a form, such as that of ticked talks. */
function createTitle(title: string, path: string): HTMLElement {
  // A path of this site, whatever is kept.
  if (!/^\/(?![/\\])/.test(path)) return createElement('bdi', '', title)
  const link = createElement('a', '')
  link.href = path
  link.append(createElement('bdi', '', title))
  return link
}
