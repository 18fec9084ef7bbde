/** Everything here only adds to pages that work without it. */
import { addCopyButtons } from './copy.ts'
import { addMenus } from './menus.ts'
import { addPlayers } from './player.ts'
import { repeatForm } from './repeat.ts'
import { addShortcuts } from './shortcuts.ts'
import { addSuggestions } from './suggest.ts'
import { removePlaceholders } from './thumbnails.ts'

addMenus()
addShortcuts()
addPlayers()
addCopyButtons()
removePlaceholders()
addSuggestions()
repeatForm()
