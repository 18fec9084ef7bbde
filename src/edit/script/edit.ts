/** Scripts of pages for curators. Everything here only adds to forms that work without it. */
import {
  addConflictChoices,
  addCounters,
  addEnter,
  addSafeSending,
  addUnsavedGuard,
  focusErrors,
  focusFirst,
} from './form.ts'
import { addKeys } from './keys.ts'
import { keepPlace } from './list/list-place.ts'
import { addTicks } from './list/ticks.ts'
import { addNameLists } from './names/name-field.ts'
import { addPickers } from './names/picker.ts'
import { addPreviews } from './preview.ts'
import { addSignOut, addUnsaved, showKeptTexts } from './unsaved.ts'

// Lists first: what keeps unsaved text and the guard look at the controls as they are then.
addNameLists()
addPickers()
addCounters()
addPreviews()
addConflictChoices()
addUnsaved()
showKeptTexts()
addSignOut()
// Before the guard, which looks at whether the form is sent now.
addSafeSending()
addUnsavedGuard()
addEnter()
addKeys()
focusFirst()
keepPlace()
focusErrors()
addTicks()
