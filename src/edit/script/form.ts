import { isTyping } from '../../site/asset/script/shortcuts.ts'
import { editScriptTexts } from '../form/script-texts.ts'
import { createElement, findDifference, isEmpty, listForms, readState } from './form-state.ts'
import { wasDiscarded } from './unsaved-storage.ts'

/** Asks before a page with changes is left. A form that is shown again after an error has changes from the start. */
export function addUnsavedGuard(): void {
  for (const form of listForms()) {
    const first = readState(form)
    let isSubmitted = false
    form.addEventListener('submit', ({ submitter, defaultPrevented }) => {
      // A preview in another tab saves nothing.
      isSubmitted = !defaultPrevented && submitter?.getAttribute('formtarget') !== '_blank'
    })
    // After "back" or a failed request the form is still here.
    addEventListener('pageshow', () => {
      isSubmitted = false
    })
    addEventListener('beforeunload', (event) => {
      const isUnsaved = form.hasAttribute('data-unsaved') || !isEmpty(findDifference(first, readState(form)))
      if (isUnsaved && !isSubmitted && !wasDiscarded()) event.preventDefault()
    })
  }
}

/** Presses the first button of the form; whether the page has one. A key that is held down saves once. */
export function pressSave(isRepeat: boolean): boolean {
  const [form] = listForms()
  if (form === undefined) return false
  if (!isRepeat) form.requestSubmit(form.querySelector<HTMLElement>('button[type=submit]'))
  return true
}

/** In the reason, Enter presses the prominent button. In a field of a live talk it moves to the reason. */
export function addEnter(): void {
  for (const form of listForms()) {
    form.addEventListener('keydown', (event) => {
      const { target, key, ctrlKey, metaKey, altKey, shiftKey } = event
      if (key !== 'Enter' || ctrlKey || metaKey || altKey || shiftKey || event.isComposing) return
      if (event.defaultPrevented || !(target instanceof HTMLInputElement) || !isTyping(target)) return
      const reason = form.querySelector<HTMLInputElement>('input[name=reason]')
      const main = form.querySelector<HTMLButtonElement>('.save-bar .button:not(.quiet)')
      if (target === reason && main !== null) {
        event.preventDefault()
        main.click()
      } else if (form.hasAttribute('data-live') && reason !== null) {
        event.preventDefault()
        reason.focus()
      }
    })
  }
}

/** Focuses the `autofocus` field again: scripts may have moved it, or turned it into a list of names. */
export function focusFirst(): void {
  const field = document.querySelector<HTMLElement>('form[data-kept-as] [autofocus]')
  const hasOther = document.activeElement !== document.body && document.activeElement !== field
  if (field === null || hasOther) return
  const shown = field.checkVisibility() ? field : document.querySelector<HTMLElement>(`#${field.id}-add`)
  shown?.focus()
}

/** Screen readers, the keyboard and the eyes start at the errors; the focus alone leaves them behind the lower bar. */
export function focusErrors(): void {
  const summary = document.querySelector<HTMLElement>('.error-summary')
  summary?.focus({ preventScroll: true })
  summary?.scrollIntoView({ block: 'start' })
}

/**
 * Requests a small page before a form is sent. Without a response the form stays; the browser would replace it with an
 * error page. With a response, the browser sends the form as usual.
 */
export function addSafeSending(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form.edit-form')) sendSafely(form)
}

/** The counter appears when this part of the limit is used. */
const shownFrom = 0.8
const numbers = new Intl.NumberFormat('en')

/** Says how many characters are left. The limits count code points, which `maxlength` does not. */
export function addCounters(): void {
  // The limit of a list is that of each entry.
  const selector = '[data-limit]:not([data-max-items]):not(.is-names *)'
  for (const control of document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(selector)) {
    const limit = Number(control.dataset.limit)
    const counter = createElement('p', 'counter')
    counter.setAttribute('role', 'status')
    control.after(counter)
    const update = () => {
      const left = limit - countCharacters(control.value, limit)
      counter.hidden = left > limit * (1 - shownFrom)
      counter.classList.toggle('is-over', left < 0)
      const { left: some, tooMany } = editScriptTexts.counter
      counter.textContent = counter.hidden ? '' : left < 0 ? tooMany(numbers.format(-left)) : some(numbers.format(left))
    }
    control.addEventListener('input', update)
    update()
  }
}

/** Typing into the text of a conflict chooses it. */
export function addConflictChoices(): void {
  for (const side of document.querySelectorAll<HTMLElement>('.conflict .is-edited')) {
    const radio = side.querySelector<HTMLInputElement>('input[type=radio]')
    side.addEventListener('input', (event) => {
      if (radio !== null && event.target !== radio) radio.checked = true
    })
  }
}

const texts = editScriptTexts.send

/** A slower connection counts as none. */
const maxWaitMs = 10_000

/** Shorter waits need no notice. */
const quietMs = 600

function sendSafely(form: HTMLFormElement): void {
  let state: 'idle' | 'asking' | 'sending' = 'idle'
  form.addEventListener('submit', async (event) => {
    const { submitter } = event
    // A preview in another tab leaves the form where it is.
    if (submitter?.getAttribute('formtarget') === '_blank') return
    if (state === 'sending') {
      state = 'idle'
      return
    }
    event.preventDefault()
    // A double click sends the form once.
    if (state === 'asking') return
    state = 'asking'
    const isReached = await ask(form)
    state = isReached ? 'sending' : 'idle'
    if (isReached) form.requestSubmit(submitter)
  })
}

/** Whether the server responds; if not, the form shows a notice. */
async function ask(form: HTMLFormElement): Promise<boolean> {
  const notice = createNotice(form)
  const timer = setTimeout(() => notice.show(texts.waiting, 'notice', 'status'), quietMs)
  const isReached = await isAnswered(findSmallPage() ?? form.action)
  clearTimeout(timer)
  if (isReached) notice.remove()
  else notice.show(texts.failed[navigator.onLine ? 'server' : 'offline'], 'notice is-bad', 'alert')
  return isReached
}

/** The page of shortcuts: every page for curators links to it, and it reads nothing from the store. */
const findSmallPage = () => document.querySelector<HTMLAnchorElement>('a[data-key="?"]')?.href

/**
 * A status from 500 may come from a proxy whose server is down. If the session has ended, the response to the form says
 * so.
 */
async function isAnswered(address: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(maxWaitMs)
    const { status } = await fetch(address, { method: 'HEAD', cache: 'no-store', redirect: 'manual', signal })
    return status < 500
  } catch {
    return false
  }
}

function createNotice(form: HTMLFormElement) {
  const bar = form.querySelector('.save-bar') ?? form
  const remove = () => bar.querySelector('[data-send-notice]')?.remove()
  remove()
  return {
    remove,
    show(text: string, className: string, role: 'alert' | 'status'): void {
      remove()
      const notice = createElement('p', className, text)
      notice.setAttribute('role', role)
      notice.dataset.sendNotice = ''
      bar.prepend(notice)
      notice.scrollIntoView({ block: 'nearest' })
    },
  }
}

/** Counts code points only near the limit: a text never has more of them than code units. */
function countCharacters(text: string, limit: number): number {
  return text.length < limit * shownFrom ? text.length : [...text].length
}
