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
  const seek = (seconds: number) => {
    video.currentTime = seconds
    void video.play().catch(() => {})
  }
  addTimes((seconds) => {
    seek(seconds)
    video.focus()
  })
  addSpokenLines(seek)
  for (const lines of ['.chapters [data-start]', '.spoken span']) addCurrentLine(video, lines)
  video.addEventListener('ended', () => markWatched(talk))
  video.addEventListener('pause', () => {
    if (video.currentTime >= end) markWatched(talk)
  })
}

/** Chapters, and times in the texts of a talk, seek in its player. */
function addTimes(seek: (seconds: number) => void): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>(
    ':is(.prose, .chapters, .transcript) a[href^="?t="]',
  )) {
    link.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
      event.preventDefault()
      seek(toChapterStart(link) ?? findStartTime({ search: link.search, hash: '' }) ?? 0)
    })
  }
}

/** A click on a line of the transcript plays it; a selection of its text does not. */
function addSpokenLines(seek: (seconds: number) => void): void {
  showLine(document.querySelector<HTMLElement>('.spoken [aria-current]') ?? undefined)
  document.querySelector('.spoken')?.addEventListener('click', ({ target }) => {
    const line = target instanceof HTMLElement && target.matches('span[data-start]') ? target : null
    if (line !== null && getSelection()?.isCollapsed !== false) seek(toChapterStart(line) ?? 0)
  })
}

/** In seconds, with decimals; null for other links. */
const toChapterStart = ({ dataset: { start } }: HTMLElement) => (start === undefined ? null : Number(start))

/** Marks the chapter, or the line of the transcript, that is played. */
function addCurrentLine(video: HTMLVideoElement, selector: string): void {
  const lines = [...document.querySelectorAll<HTMLElement>(selector)]
  const mark = () => {
    const current = lines.findLast((line) => (toChapterStart(line) ?? 0) <= video.currentTime)
    if (current?.hasAttribute('aria-current') === true) return
    for (const line of lines) line.removeAttribute('aria-current')
    current?.setAttribute('aria-current', 'true')
    showLine(current)
  }
  for (const event of ['playing', 'timeupdate', 'seeked']) video.addEventListener(event, mark)
}

/** Scrolls the transcript, never the page. */
function showLine(line: HTMLElement | undefined): void {
  const box = line?.closest('.spoken')
  if (line === undefined || !(box instanceof HTMLElement) || box.matches(':hover')) return
  box.scrollTop = line.offsetTop - box.clientHeight / 3
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
  addSpokenLines(play)

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
    // The focus does not scroll to a new frame, and a transcript is far below it.
    player.scrollIntoView({ block: 'nearest' })
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
