import { editScriptTexts } from '../form/script-texts.ts'
import { createElement } from './form-state.ts'

const texts = editScriptTexts.send
/** A connection that takes longer is as good as none. */
const maxWaitMs = 10_000
/** Nobody notices less. */
const quietMs = 600

/**
 * Asks the server for a small page before a form is sent. Without an answer the form stays, where the browser would
 * replace it by an error page. The browser itself sends the form then: what it is answered is a page like any other.
 */
export function addSafeSending(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form.edit-form')) addTo(form)
}

function addTo(form: HTMLFormElement): void {
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

/** Whether the server answers. The form says so if it does not. */
async function ask(form: HTMLFormElement): Promise<boolean> {
  const notice = createNotice(form)
  const timer = setTimeout(() => notice.show(texts.waiting, 'notice', 'status'), quietMs)
  const isReached = await isAnswered(findSmallPage() ?? form.action)
  clearTimeout(timer)
  if (isReached) notice.remove()
  else notice.show(texts.failed[navigator.onLine ? 'server' : 'offline'], 'notice is-bad', 'alert')
  return isReached
}

/** That of the shortcuts, to which every page for curators has a link. It reads nothing from the store. */
const findSmallPage = () => document.querySelector<HTMLAnchorElement>('a[data-key="?"]')?.href

/** A proxy answers for a server that is not there. To somebody who has to sign in again, the form's own answer says so. */
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
