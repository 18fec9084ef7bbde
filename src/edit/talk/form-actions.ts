import type { Caller } from '../../http/route.ts'
import { fields } from '../../record/fields.ts'
import type { JsonObject } from '../../record/json.ts'
import type { VideoRecord } from '../../record/record.ts'
import { hasRole } from '../../record/role.ts'
import { draft, live } from '../../record/state.ts'
import type { FormButton } from '../form/record-form.tsx'
import type { ListPlace } from '../lists/list-place.ts'

/** What the buttons of the form do. */
const editorActions = ['save', 'next', 'publish', 'publish-next', 'withdraw', 'review'] as const
export type EditorAction = (typeof editorActions)[number]

/** Enter, and scripts that send a form, name no button: they save. */
export function parseAction(text: string | null): EditorAction {
  return editorActions.find((action) => action === text) ?? 'save'
}

export const opensNext = (action: EditorAction) => action === 'next' || action === 'publish-next'

/** What a form does to the state of a talk. */
type Move = 'publish' | 'withdraw'

const states = { publish: live, withdraw: draft } as const

/** Publishing and withdrawing are part of the same change, and so of the same version. */
export function withState(changes: JsonObject, action: EditorAction, base: VideoRecord): JsonObject {
  const move = toMove(action)
  const state = move === null ? base.state : states[move]
  return state === base.state ? changes : { ...changes, state }
}

/**
 * The change of state that the conflict page offers besides saving: the one requested last, or `before`. Null if the
 * talk already has that state.
 */
export function findMove(action: EditorAction, before: string | null, { state }: VideoRecord): Move | null {
  const move = toMove(action) ?? (before === 'publish' || before === 'withdraw' ? before : null)
  return move === null || states[move] === state ? null : move
}

const saveAndNext = { action: 'next', label: 'Save and next', key: 'Ctrl+Enter' }
const publishKey = 'Ctrl+Shift+Enter'
const publishOnly = { action: 'publish', label: 'Publish' }
const publishAndNext = { action: 'publish-next', label: 'Publish and next', key: publishKey }

/**
 * Only what this person may do with the talk. Its state is null if somebody else has published or withdrawn it since
 * the form was opened: then neither is offered until the person has seen that.
 */
export function toButtons({ role }: Caller, state: VideoRecord['state'] | null, place: ListPlace | null): FormButton[] {
  const isPublisher = hasRole(role, 'publisher')
  const hasList = place !== null
  const publish = { ...(hasList ? publishAndNext : { ...publishOnly, key: publishKey }), isQuiet: true }
  return [
    { action: 'save', label: 'Save', isQuiet: hasList },
    ...(hasList ? [saveAndNext] : []),
    ...(isPublisher && state === draft ? [publish] : []),
    ...(isPublisher && state === live ? [{ action: 'withdraw', label: 'Withdraw', isQuiet: true }] : []),
    { action: 'review', label: 'What will change?', isQuiet: true },
  ]
}

/** The first button is that of Ctrl+S, so it never changes the state. The one pressed before is prominent. */
export function toConflictButtons(pressed: EditorAction, move: Move | null, place: ListPlace | null): FormButton[] {
  const offered = listConflictButtons(move, place !== null)
  const main = offered.find(({ action }) => action === pressed) ?? offered[0]
  return offered.map((button) => ({ ...button, isQuiet: button !== main }))
}

/** Changed by the buttons of the form, never by a control. */
export const lockedFields: readonly string[] = ['state']

/** The fields that the form has. */
export const editedFields = Object.fromEntries(Object.entries(fields).filter(([name]) => !lockedFields.includes(name)))

/** Why this person cannot change the talk; null if they can. The store enforces this; the page only explains it. */
export function findLock({ role }: Caller, { state }: VideoRecord): 'reader' | 'live' | null {
  if (!hasRole(role, 'editor')) return 'reader'
  return state === live && !hasRole(role, 'publisher') ? 'live' : null
}

function toMove(action: EditorAction): Move | null {
  if (action === 'publish' || action === 'publish-next') return 'publish'
  return action === 'withdraw' ? 'withdraw' : null
}

function listConflictButtons(move: Move | null, hasList: boolean): FormButton[] {
  switch (move) {
    case 'publish':
      return [
        { action: 'save', label: 'Save as draft' },
        ...(hasList ? [publishAndNext, publishOnly] : [{ ...publishOnly, key: publishKey }]),
      ]
    case 'withdraw':
      return [
        { action: 'save', label: 'Save and keep live' },
        { action: 'withdraw', label: 'Withdraw' },
      ]
    default:
      return [{ action: 'save', label: 'Save' }, ...(hasList ? [saveAndNext] : [])]
  }
}
