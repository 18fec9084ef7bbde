import { editScriptTexts } from '../../form/script-texts.ts'
import { discardUnsaved, listAllDrafts } from './kept-drafts.ts'

/** Asks before a curator signs out: what they have not saved goes with them, because others may use this browser. */
export function addSignOut(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-sign-out]')) {
    form.addEventListener('submit', (event) => {
      // The links and the conflict of a talk have forms of their own.
      const names = new Set(listAllDrafts().map(({ name }) => /^video-\d{1,16}(?=-)/.exec(name)?.[0] ?? name))
      if (names.size === 0) return
      const areTalks = [...names].every((name) => /^(?:video|new)-|^new$/.test(name))
      if (confirm(editScriptTexts.signOut(names.size, areTalks ? 'talk' : 'form'))) discardUnsaved()
      else event.preventDefault()
    })
  }
}
