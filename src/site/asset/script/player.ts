import { isPlayerKind, toFrameUrl } from '../../../record/player/frame-url.ts'
import { findStartTime } from '../../../record/player/start-time.ts'
import { markWatched } from './own-list.ts'
import { findPosition, parsePositions, withPosition } from './remembered-positions.ts'
import { areKeysOn, isTyping, keysItem } from './shortcuts.ts'
import { readItem, storeItem } from './storage.ts'

const storageKey = 'rostrum.positions'
/** How often the position is stored while a talk plays. */
const storeSeconds = 5

export function addPlayers(): void {
  for (const player of document.querySelectorAll<HTMLElement>('[data-player]')) {
    addFilePlayer(player)
    addHostedPlayer(player)
  }
}

/** Adds what a plain video lacks: start times, the remembered position, speed, keys. */
function addFilePlayer(player: HTMLElement): void {
  const video = player.querySelector('video')
  const { player: talk } = player.dataset
  if (video === null || talk === undefined) return
  const end = Number(player.dataset.end ?? Number.POSITIVE_INFINITY)
  const remembered = findPosition(readPositions(), talk)
  const stored = remembered < end ? remembered : 0
  const start = findStartTime(location) ?? stored
  if (start > 0) video.currentTime = start
  addEventListener('hashchange', () => {
    video.currentTime = findStartTime({ search: '', hash: location.hash }) ?? video.currentTime
  })
  rememberPosition(video, talk)
  addBigPlay(player, video)
  addSpeed(video)
  addPlayerKeys(video)
  addTimes((seconds) => {
    video.currentTime = seconds
    void video.play().catch(() => {})
    video.focus()
  })
  addCurrentChapter(video)
  video.addEventListener('ended', () => markWatched(talk))
  video.addEventListener('pause', () => {
    if (video.currentTime >= end) markWatched(talk)
  })
}

/** Chapters, and times in the texts of a talk, seek in its player. */
function addTimes(seek: (seconds: number) => void): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>(':is(.prose, .chapters) a[href^="?t="]')) {
    link.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
      event.preventDefault()
      seek(toChapterStart(link) ?? findStartTime({ search: link.search, hash: '' }) ?? 0)
    })
  }
}

/** In seconds, with decimals; null for other links. */
const toChapterStart = ({ dataset: { start } }: HTMLElement) => (start === undefined ? null : Number(start))

function addCurrentChapter(video: HTMLVideoElement): void {
  const links = [...document.querySelectorAll<HTMLElement>('.chapters [data-start]')]
  const mark = () => {
    const current = links.findLast((link) => (toChapterStart(link) ?? 0) <= video.currentTime)
    for (const link of links) {
      if (link === current) link.setAttribute('aria-current', 'true')
      else link.removeAttribute('aria-current')
    }
  }
  for (const event of ['playing', 'timeupdate', 'seeked']) video.addEventListener(event, mark)
}

function readPositions() {
  return parsePositions(readItem(storageKey))
}

function rememberPosition(video: HTMLVideoElement, talk: string): void {
  let storedAt = 0
  const store = () => {
    if (video.readyState === HTMLMediaElement.HAVE_NOTHING) return
    storedAt = video.currentTime
    const seconds = video.ended ? 0 : video.currentTime
    storeItem(storageKey, JSON.stringify(withPosition(readPositions(), talk, seconds, video.duration)))
  }
  video.addEventListener('timeupdate', () => {
    if (!video.paused && Math.abs(video.currentTime - storedAt) >= storeSeconds) store()
  })
  for (const event of ['pause', 'ended']) video.addEventListener(event, store)
  addEventListener('pagehide', () => {
    if (!video.paused) store()
  })
}

function addBigPlay(player: HTMLElement, video: HTMLVideoElement): void {
  const button = player.querySelector<HTMLElement>('.big-play')
  if (button !== null) button.hidden = false
  button?.addEventListener('click', () => {
    void video.play().catch(() => {})
    video.focus()
  })
  video.addEventListener('play', () => player.classList.add('is-playing'))
}

function addSpeed(video: HTMLVideoElement): void {
  const item = document.querySelector<HTMLElement>('[data-speed]')
  const select = item?.querySelector('select')
  if (!item || !select) return
  item.hidden = false
  select.addEventListener('change', () => {
    video.playbackRate = Number(select.value)
    // For a source that is loaded later.
    video.defaultPlaybackRate = video.playbackRate
  })
  video.addEventListener('ratechange', () => {
    select.value = String(video.playbackRate)
  })
}

/** A click on the picture of a hosted video loads the player of its host. */
export function addHostedPlayer(player: HTMLElement): void {
  const link = player.querySelector<HTMLAnchorElement>('a[data-frame]')
  const { frame, host, start = '0', title = '' } = link?.dataset ?? {}
  const end = Number(player.dataset.end ?? 0)
  if (link === null || frame === undefined || !isPlayerKind(host)) return
  link.addEventListener('click', (event) => {
    // With a modifier, the browser opens the link in another tab.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    play(findStartTime(location) ?? Number(start))
  })
  addTimes(play)

  function play(seconds: number): void {
    if (frame === undefined || !isPlayerKind(host)) return
    const iframe = document.createElement('iframe')
    iframe.src = toFrameUrl(host, frame, Math.floor(seconds), end)
    iframe.allow = 'autoplay; fullscreen; picture-in-picture'
    iframe.allowFullscreen = true
    iframe.title = title
    // Hosts require a referrer, and the policy of curators' pages sends none.
    iframe.referrerPolicy = 'strict-origin-when-cross-origin'
    player.replaceChildren(iframe)
    player.classList.add('is-playing')
    iframe.focus()
  }
}

const jumpSeconds = 10
const speedSteps = { '<': -0.25, '>': 0.25 }
const [slowest, fastest] = [0.5, 3]

/** Keys for the whole page, unless the visitor has switched them off or is typing. */
function addPlayerKeys(video: HTMLVideoElement): void {
  const areOn = addSwitch()
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    if (!areOn() || isTyping(event.target)) return
    // Space presses a focused button or link.
    if (event.key === ' ' && event.target !== document.body && event.target !== video) return
    if (!handleKey(video, event.key)) return
    event.preventDefault()
  })
}

/** Whether the key has an action. */
function handleKey(video: HTMLVideoElement, key: string): boolean {
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
        Math.max(slowest, video.playbackRate + (key === '<' ? speedSteps['<'] : speedSteps['>'])),
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

/** Shows the list of keys with its switch. The returned function reads the switch. */
function addSwitch(): () => boolean {
  const details = document.querySelector<HTMLElement>('[data-keys]')
  const box = details?.querySelector('input')
  if (!details || !box) return areKeysOn
  details.hidden = false
  box.checked = areKeysOn()
  box.addEventListener('change', () => storeItem(keysItem, box.checked ? 'on' : 'off'))
  return () => box.checked
}
