import { toClock } from '../../record/text/clock.ts'
import { findFailure } from '../../site/asset/script/finder.ts'
import { addHostedPlayer } from '../../site/asset/script/player.ts'
import { readItem, storeItem } from '../../site/asset/script/storage.ts'
import { editScriptTexts } from '../form/script-texts.ts'
import { createElement } from './form-state.ts'

const texts = editScriptTexts.preview
const pauseMs = 300
/** Where the visitor's choice is stored. */
const openItem = 'rostrum.preview'

/** A button beside the player of a talk: writes its position into the chapters as a new line, before the later ones. */
export function addPlayerTimes(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-time-into]')) {
    const lines = document.getElementById(button.dataset.timeInto ?? '')
    const player = button.closest('details')?.querySelector('video')
    if (!(lines instanceof HTMLTextAreaElement) || !player) continue
    button.hidden = false
    button.addEventListener('click', () => insertTime(lines, Math.floor(player.currentTime)))
  }
}

function insertTime(lines: HTMLTextAreaElement, seconds: number): void {
  const all = lines.value.trim() === '' ? [] : lines.value.trimEnd().split('\n')
  const next = all.findIndex((line) => readStart(line) > seconds)
  const at = next < 0 ? all.length : next
  const line = `${toClock(seconds)} `
  lines.value = [...all.slice(0, at), line, ...all.slice(at)].join('\n')
  // As if it was typed: the browser keeps it, and asks before it is lost.
  lines.dispatchEvent(new Event('input', { bubbles: true }))
  const end = [...all.slice(0, at), line].join('\n').length
  lines.focus()
  lines.setSelectionRange(end, end)
}

/** The seconds with which a line begins; -1 if it begins with none. */
function readStart(line: string): number {
  const [, first, second, third] = /^\D{0,2}(\d{1,5}):(\d{2})(?::(\d{2}))?/.exec(line) ?? []
  if (first === undefined) return -1
  const start = Number(first) * 60 + Number(second)
  return third === undefined ? start : start * 60 + Number(third)
}

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
