/** Scripts of pages for curators. Everything here only adds to forms that work without it. */
import { addConflictChoices } from './conflict.ts'
import { addCounters } from './counter.ts'
import { addDrafts } from './draft/draft.ts'
import { listKeptDrafts } from './draft/draft-list.ts'
import { addSignOut } from './draft/sign-out.ts'
import { addKeys } from './keys.ts'
import { keepPlace } from './list/list-place.ts'
import { addTicks } from './list/ticks.ts'
import { addNameLists } from './names/names.ts'
import { addPickers } from './names/picker.ts'
import { addPreviews } from './preview.ts'
import { addEnter, addUnsavedGuard, focusErrors, focusFirst } from './save.ts'
import { addSafeSending } from './send.ts'

// Lists first: drafts and the guard look at the controls as they are then.
addNameLists()
addPickers()
addCounters()
addPreviews()
addConflictChoices()
addDrafts()
listKeptDrafts()
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
