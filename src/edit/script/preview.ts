import { findFailure } from '../../site/asset/script/finder.ts'
import { addHostedPlayer } from '../../site/asset/script/player.ts'
import { readItem, storeItem } from '../../site/asset/script/storage.ts'
import { editScriptTexts } from '../form/script-texts.ts'
import { createElement } from './form-state.ts'

const texts = editScriptTexts.preview
const pauseMs = 300
/** Where the visitor's choice is stored. */
const openItem = 'rostrum.preview'

/**
 * A live preview: `data-preview` of an element is the URL that renders the current form. The server sends a whole page;
 * the element shows the part with its own id. A closed panel sends no requests.
 */
export function addPreviews(): void {
  for (const place of document.querySelectorAll<HTMLElement>('[data-preview]')) {
    const form = place.closest('form') ?? document.querySelector<HTMLFormElement>('form[data-kept-as]')
    if (form !== null) addPreview(place, form, createUpdate(place, form, place.dataset.preview ?? ''))
  }
}

function addPreview(place: HTMLElement, form: HTMLFormElement, update: () => Promise<void>): void {
  const panel = place.closest<HTMLDetailsElement>('details[data-preview-panel]')
  let timer = 0
  form.addEventListener('input', () => {
    clearTimeout(timer)
    if (panel === null || panel.open) timer = setTimeout(update, pauseMs)
  })
  panel?.addEventListener('toggle', () => {
    storeItem(openItem, panel.open ? 'open' : 'closed')
    if (panel.open) void update()
  })
  if (panel !== null && readItem(openItem) === 'open') panel.open = true
}

function createUpdate(place: HTMLElement, form: HTMLFormElement, address: string): () => Promise<void> {
  let asked = new AbortController()
  const show = createParts(place)
  const say = (failure: keyof typeof texts) => show([createElement('p', 'muted', texts[failure])])
  return async () => {
    asked.abort()
    asked = new AbortController()
    const { signal } = asked
    try {
      const response = await fetch(address, { method: 'POST', body: new FormData(form), signal })
      const failure = findFailure(response)
      // After a new sign-in, the form has the token of another session.
      if (failure !== null) return say(response.status === 403 ? 'form' : failure)
      const page = new DOMParser().parseFromString(await response.text(), 'text/html')
      show([...(page.getElementById(place.id) ?? page.body).children])
    } catch {
      if (!signal.aborted) say('server')
    }
  }
}

/** Replaces only the parts that changed, so that a video keeps playing while the curator types. */
function createParts(place: HTMLElement): (parts: readonly Element[]) => void {
  let shown: readonly string[] = []
  return (parts) => {
    const next = parts.map((part) => part.outerHTML)
    if (place.children.length !== shown.length || next.length !== shown.length) shown = []
    if (shown.length === 0) place.replaceChildren()
    for (const [at, part] of parts.entries()) {
      if (next[at] === shown[at]) continue
      const old = place.children[at]
      if (old === undefined) place.append(part)
      else old.replaceWith(part)
      for (const player of [part, ...part.querySelectorAll('[data-player]')]) {
        if (player instanceof HTMLElement && player.hasAttribute('data-player')) addHostedPlayer(player)
      }
    }
    shown = next
  }
}
