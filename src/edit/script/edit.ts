/** Scripts of pages for curators. Everything here only adds to forms that work without it. */
import { rememberCurator } from '../../site/asset/script/curator.ts'
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
import { addRowReturn } from './list/rows.ts'
import { addTicks } from './list/ticks.ts'
import { addNameLists } from './names/name-field.ts'
import { addPickers } from './names/picker.ts'
import { addPlayerTimes, addPreviews } from './preview.ts'
import { addSignOut, addUnsaved, showKeptTexts } from './unsaved.ts'

// The account is shown to a person who is signed in.
rememberCurator(document.querySelector('.account') !== null)
// First: the scripts for unsaved text read the controls as this one leaves them.
addNameLists()
addPickers()
addCounters()
addPreviews()
addPlayerTimes()
addConflictChoices()
addUnsaved()
showKeptTexts()
addSignOut()
// Before the guard, which checks whether the form is being sent.
addSafeSending()
addUnsavedGuard()
addEnter()
addKeys()
focusFirst()
keepPlace()
focusErrors()
addTicks()
addRowReturn()
