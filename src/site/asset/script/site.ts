/** Everything here only adds to pages that work without it. */
import { addCopyButtons } from './copy.ts'
import { addPlayers } from './player.ts'
import { addShortcuts } from './shortcuts.ts'
import { removePlaceholders } from './thumbnails.ts'

addShortcuts()
addPlayers()
addCopyButtons()
removePlaceholders()
