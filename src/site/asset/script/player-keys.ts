import { areKeysOn, isTyping, keysItem } from './shortcuts.ts'
import { storeItem } from './storage.ts'

const jumpSeconds = 10
const speeds = { '<': -0.25, '>': 0.25 }
const [slowest, fastest] = [0.5, 3]

/** Keys for the whole page, unless the visitor has switched them off or is typing. */
export function addPlayerKeys(video: HTMLVideoElement): void {
  const areOn = addSwitch()
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    if (!areOn() || isTyping(event.target)) return
    // Space presses a focused button or link.
    if (event.key === ' ' && event.target !== document.body && event.target !== video) return
    if (!act(video, event.key)) return
    event.preventDefault()
  })
}

/** Whether the key has an action. */
function act(video: HTMLVideoElement, key: string): boolean {
  switch (key.length === 1 ? key.toLowerCase() : key) {
    case ' ':
    case 'k':
      if (video.paused) void video.play().catch(() => {})
      else video.pause()
      return true
    case 'ArrowLeft':
    case 'j':
      video.currentTime = Math.max(0, video.currentTime - jumpSeconds)
      return true
    case 'ArrowRight':
    case 'l':
      video.currentTime += jumpSeconds
      return true
    case '<':
    case '>':
      video.playbackRate = Math.min(
        fastest,
        Math.max(slowest, video.playbackRate + (key === '<' ? speeds['<'] : speeds['>'])),
      )
      return true
    case 'f':
      void (document.fullscreenElement === null ? video.requestFullscreen() : document.exitFullscreen()).catch(() => {})
      return true
    case 'm':
      video.muted = !video.muted
      return true
    default:
      return false
  }
}

/** Shows the list of keys with its switch. The returned function says whether it is on. */
function addSwitch(): () => boolean {
  const details = document.querySelector<HTMLElement>('[data-keys]')
  const box = details?.querySelector('input')
  if (!details || !box) return areKeysOn
  details.hidden = false
  box.checked = areKeysOn()
  box.addEventListener('change', () => storeItem(keysItem, box.checked ? 'on' : 'off'))
  return () => box.checked
}
