import { findStartTime, parseStartTime } from '../../../record/player/start-time.ts'
import { toClock } from '../../../record/text/clock.ts'
import { copyText } from './copy.ts'

/** The menu of a talk's page with links to it. */
export function addShare(): void {
  const menu = document.querySelector<HTMLDetailsElement>('details[data-share]')
  const link = menu?.querySelector<HTMLInputElement>('#share-url')
  const form = menu?.querySelector('form')
  const field = form?.querySelector<HTMLInputElement>('[name=t]')
  const button = form?.querySelector<HTMLElement>('button')
  const message = form?.querySelector('.error')
  if (!menu || !link || !form || !field || !button || !message) return
  const findProblem = () => {
    const seconds = parseStartTime(field.value.trim())
    if (seconds === null) return 'Enter a time such as 12:34.'
    return seconds < findLength(menu) ? '' : (form.dataset.late ?? '')
  }
  /** The link with the time in the field, if that is one. */
  const toUrl = () => {
    const seconds = findProblem() === '' ? (parseStartTime(field.value.trim()) ?? 0) : 0
    return seconds > 0 ? `${link.value}?t=${seconds}` : link.value
  }
  button.textContent = 'Copy'
  field.addEventListener('input', () => message.replaceChildren())
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const problem = findProblem()
    message.textContent = problem
    if (problem === '') void copyText(button, toUrl())
  })
  menu.addEventListener('toggle', () => {
    if (menu.open) field.value = findTime(field.value)
  })
  addSheet(menu, toUrl)
}

/** In seconds; infinite if it is not known. */
const findLength = ({ dataset: { share = '' } }: HTMLElement) =>
  share === '' ? Number.POSITIVE_INFINITY : Number(share)

/** The time of the player, that of the URL, or what is there. */
function findTime(typed: string): string {
  const video = document.querySelector<HTMLVideoElement>('[data-player] video')
  const seconds = Math.floor(video?.currentTime ?? 0) || (findStartTime(location) ?? 0)
  return seconds > 0 ? toClock(seconds) : typed
}

/** Phones have a sheet of apps to share with. */
function addSheet(menu: HTMLElement, toUrl: () => string): void {
  const button = menu.querySelector<HTMLElement>('[data-share-sheet]')
  if (button === null || typeof navigator.share !== 'function') return
  button.hidden = false
  button.addEventListener('click', () => {
    // Rejects if the person closes the sheet.
    void navigator.share({ title: button.dataset.title ?? '', url: toUrl() }).catch(() => {})
  })
}
