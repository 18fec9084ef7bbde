/** Everything here only adds to pages that work without it. */
import { addShortcuts } from './shortcuts.ts'

addShortcuts()
