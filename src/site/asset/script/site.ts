/** Pages work without this script. */

import { addCompletions } from './completion.ts'
import { addCopyButtons } from './copy.ts'
import { addEditLink } from './curator.ts'
import { addOwnList } from './own-list.ts'
import { addPlayers } from './player.ts'
import { addShare } from './share.ts'
import { addShortcuts } from './shortcuts.ts'

/** The size of YouTube's placeholder, which comes with status 404. */
const [placeholderWidth, placeholderHeight] = [120, 90]

addMenus()
addShortcuts()
addPlayers()
addCopyButtons()
addShare()
addOwnList()
addEditLink()
removePlaceholders()
addCompletions()
repeatForm()

/** Brings an open menu into view; closes it on Escape, or with a click or focus elsewhere. */
function addMenus(): void {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('details.menu-button')) {
    const close = (event: Event) => {
      if (menu.open && !(event.target instanceof Node && menu.contains(event.target))) menu.open = false
    }
    menu.addEventListener('toggle', () => {
      if (menu.open) menu.lastElementChild?.scrollIntoView({ block: 'nearest' })
    })
    document.addEventListener('click', close)
    document.addEventListener('focusin', close)
    menu.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !menu.open) return
      menu.open = false
      menu.querySelector('summary')?.focus()
    })
  }
}

/**
 * Resubmits a form that was kept when a session ended, right after the curator has signed in. Not after Back or Reload:
 * then it was sent already.
 */
function repeatForm(): void {
  const form = document.querySelector<HTMLFormElement>('form.edit-repeat')
  const [visit] = performance.getEntriesByType('navigation')
  if (form !== null && visit instanceof PerformanceNavigationTiming && visit.type === 'navigate') form.submit()
}

/** Removes placeholder pictures, so that the generated one shows. */
function removePlaceholders(): void {
  for (const image of document.querySelectorAll<HTMLImageElement>('.thumbnail img, .backdrop img')) {
    if (!/\/\/(?:[\w-]{1,20}\.)?(?:ytimg|youtube)\.com\//.test(image.src)) continue
    const check = () => {
      if (image.naturalWidth === placeholderWidth && image.naturalHeight === placeholderHeight) image.remove()
    }
    if (image.complete) check()
    else image.addEventListener('load', check, { once: true })
  }
}
