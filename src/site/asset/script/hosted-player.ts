import { isPlayerKind, toFrameAddress } from '../../media/frame-address.ts'
import { findStartTime } from '../../media/start-time.ts'

/** A click on the picture of a hosted video loads the player of its host. */
export function addHostedPlayer(player: HTMLElement): void {
  const link = player.querySelector<HTMLAnchorElement>('a[data-frame]')
  const { frame, host, start = '0', title = '' } = link?.dataset ?? {}
  if (link === null || frame === undefined || !isPlayerKind(host)) return
  link.addEventListener('click', (event) => {
    // With a key, the visitor wants the link in another tab.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    const iframe = document.createElement('iframe')
    iframe.src = toFrameAddress(host, frame, findStartTime(location) ?? Number(start))
    iframe.allow = 'autoplay; fullscreen; picture-in-picture'
    iframe.allowFullscreen = true
    iframe.title = title
    // Hosts need it, and pages for curators send none of their own accord.
    iframe.referrerPolicy = 'strict-origin-when-cross-origin'
    player.replaceChildren(iframe)
    player.classList.add('is-playing')
    iframe.focus()
  })
}
