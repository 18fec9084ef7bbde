/** Scripts of pages for curators. Everything here only adds to forms that work without it. */
import { addConflictChoices } from './edit/conflict.ts'
import { addCounters } from './edit/counter.ts'
import { addDrafts } from './edit/draft/draft.ts'
import { listKeptDrafts } from './edit/draft/draft-list.ts'
import { addSignOut } from './edit/draft/sign-out.ts'
import { addKeys } from './edit/keys.ts'
import { keepPlace } from './edit/list/list-place.ts'
import { addTicks } from './edit/list/ticks.ts'
import { addNameLists } from './edit/names/names.ts'
import { addPickers } from './edit/names/picker.ts'
import { addPreviews } from './edit/preview.ts'
import { addEnter, addUnsavedGuard, focusErrors, focusFirst } from './edit/save.ts'
import { addSafeSending } from './edit/send.ts'

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
