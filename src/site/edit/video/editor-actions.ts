import type { Caller } from '../../../http/caller.ts'
import { hasRole } from '../../../record/command.ts'
import type { Changes, VideoRecord } from '../../../record/record.ts'
import { draft, live } from '../../../record/state.ts'
import type { FormButton } from '../form/record-form.tsx'
import type { ListPlace } from './list-place.ts'
import { videoTexts } from './video-texts.ts'

/** What a form is sent for. */
export const editorActions = ['save', 'next', 'publish', 'publish-next', 'withdraw', 'review'] as const
export type EditorAction = (typeof editorActions)[number]

/** The Enter key, and scripts that send a form, name no button: they save. */
export function parseAction(text: string | null): EditorAction {
  return editorActions.find((action) => action === text) ?? 'save'
}

export const goesOn = (action: EditorAction) => action === 'next' || action === 'publish-next'

/** Publishing and withdrawing are part of the same change, and so of the same version. */
export function withState(changes: Changes, action: EditorAction, base: VideoRecord): Changes {
  const isPublish = action === 'publish' || action === 'publish-next'
  const state = isPublish ? live : action === 'withdraw' ? draft : base.state
  return state === base.state ? changes : { ...changes, state }
}

/** Only what this person may do with the talk. */
export function toButtons({ role }: Caller, { state }: VideoRecord, place: ListPlace | null): FormButton[] {
  const { buttons } = videoTexts
  const isPublisher = hasRole(role, 'publisher')
  const hasList = place !== null
  const publish = hasList
    ? { action: 'publish-next', label: buttons.publishNext, isQuiet: true }
    : { action: 'publish', label: buttons.publish, isQuiet: true }
  return [
    { action: 'save', label: buttons.save, isQuiet: hasList },
    ...(hasList ? [{ action: 'next', label: buttons.next, key: 'Ctrl+Enter' }] : []),
    ...(isPublisher && state === draft ? [publish] : []),
    ...(isPublisher && state === live ? [{ action: 'withdraw', label: buttons.withdraw, isQuiet: true }] : []),
    { action: 'review', label: buttons.review, isQuiet: true },
  ]
}
