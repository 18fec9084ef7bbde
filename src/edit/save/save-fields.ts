import type { RefusedCommand } from '../../http/execute.ts'
import { type Problem, toStatus } from '../../http/problem.ts'
import type { Form } from '../../http/route.ts'
import { parseReason, type VersionTag } from '../../record/command.ts'
import type { Parsed } from '../../record/field-kind.ts'
import { fields } from '../../record/fields.ts'
import { isSameJson, type JsonObject, type JsonValue } from '../../record/json.ts'
import type { FieldErrors } from '../../record/record.ts'
import { toLf } from '../../record/text/typed-text.ts'
import { type FieldTable, toValue, toWritable, type WritableIn } from '../form/field-hints.ts'
import {
  type FormEntries,
  isUntouched,
  parseForm,
  readTyped,
  type Typed,
  toControlKind,
  toControlName,
} from '../form/form-values.ts'
import type { NewName } from '../names/new-names.tsx'

/** A version that a form is made from: of a talk, or of an event. */
export interface EditedVersion {
  readonly etag: VersionTag
  /** The values of its fields. */
  readonly record: JsonObject
}

/** What a form changes: a talk or an event. `Done` is the result of an accepted change. */
export interface Subject<V extends EditedVersion, Done> {
  /** The fields that have a control. */
  readonly table: FieldTable
  /** The stored version; null if it no longer exists. */
  findCurrent(): Promise<V | null>
  /** The version that the ETag of a form names; null if there is no such version. */
  findVersion(etag: string | null): Promise<V | null>
  /** What the form changes besides its fields. */
  addChanges?(changes: JsonObject, base: V): JsonObject
  /** Changes this version. Refused as stale if others have changed it. */
  send(base: V, changes: JsonObject, reason: string | null): Promise<Done | RefusedCommand>
}

/** What a save would change. */
export interface Reviewed {
  /** As it is stored now. */
  readonly before: JsonObject
  /** As it would be stored. */
  readonly after: JsonObject
  /** Speakers, tags and the event that the archive does not have, as far as that is known. */
  readonly newNames?: readonly NewName[]
}

/** The form again, with what was typed. */
export interface ShownForm<V> {
  readonly is: 'form'
  readonly status: number
  readonly base: V
  readonly typed: Typed
  readonly errors?: FieldErrors
  /** Why nothing was saved, if it is not an error in a field. */
  readonly problem?: Problem | 'unknown base'
  readonly review?: Reviewed
}

/** Others changed the same fields: the three sides of each, to choose from. */
export interface ShownConflict<V> {
  readonly is: 'conflict'
  readonly status: number
  readonly base: V
  readonly theirs: V
  readonly yours: JsonObject
  readonly chosen?: ConflictChoices
  readonly errors?: FieldErrors
  /** Why the choice was not saved. */
  readonly problem?: Problem
}

export type SavedFields<V, Done> =
  | ShownForm<V>
  | ShownConflict<V>
  | { readonly is: 'gone' }
  | {
      readonly is: 'done'
      readonly done: Done
      /** The version that was changed. */
      readonly base: V
      /** The version that the person began with. */
      readonly began: V
      /** Whether others had changed other fields of `base`. */
      readonly isMerged: boolean
      readonly changes: JsonObject
      readonly typed: Typed
    }

/**
 * Saves the form of a talk or event, or the choices of its conflict page, merged with what others changed in other
 * fields. All input is either saved or shown again (decision 59).
 */
export async function saveFields<V extends EditedVersion, Done extends { readonly is: string }>(
  subject: Subject<V, Done>,
  form: Form,
): Promise<SavedFields<V, Done>> {
  const current = await subject.findCurrent()
  if (current === null) return { is: 'gone' }
  const theirs = await subject.findVersion(form.get('etag'))
  if (!form.has('base')) return theirs === null ? compareWith(subject, form, current) : saveForm(subject, form, theirs)
  const base = await subject.findVersion(form.get('base'))
  if (base === null || theirs === null) return compareWith(subject, form, current)
  return saveChoices(subject, form, base, theirs)
}

export type Sent<V, Done> =
  | { readonly is: 'sent'; readonly done: Done; readonly isMerged: boolean }
  | RefusedCommand
  | ShownConflict<V>

/** Others may change it again before each attempt. */
const maxAttempts = 4

/** Sends changes of a version, merged with what others changed in other fields since. */
export async function sendChanges<V extends EditedVersion, Done extends { readonly is: string }>(
  subject: Subject<V, Done>,
  began: V,
  ownChanges: JsonObject,
  reason: string | null,
): Promise<Sent<V, Done>> {
  let [base, changes] = [began, ownChanges]
  for (let i = 0; i < maxAttempts; i++) {
    const done = await subject.send(base, changes, reason)
    if (!isRefused(done)) return { is: 'sent', done, isMerged: base !== began }
    if (done.problem.code !== 'stale') return done
    const theirs = await subject.findCurrent()
    if (theirs === null) return { is: 'refused', problem: { code: 'not_found' } }
    const isContested = hasContested({ base: base.record, theirs: theirs.record, yours: changes })
    if (isContested) return { is: 'conflict', status: 409, base, theirs, yours: changes }
    // Both changed a field in the same way, or it was changed and put back.
    changes = withoutSame(changes, theirs.record)
    base = theirs
  }
  return { is: 'refused', problem: { code: 'busy' } }
}

/** Reads the text of fields that have no control on the conflict page from its hidden inputs. */
export function toPlainForm(form: Form): { getAll(name: string): readonly string[] } {
  const toYours = (name: string) => name.replace(/^field\./, 'yours.')
  return { getAll: (name) => (form.has(name) ? form.getAll(name) : form.getAll(toYours(name))) }
}

async function saveForm<V extends EditedVersion, Done extends { readonly is: string }>(
  subject: Subject<V, Done>,
  form: Form,
  base: V,
): Promise<SavedFields<V, Done>> {
  const parsed = parseForm(form, base.record, { table: subject.table })
  const { typed } = parsed
  const reason = parseReason(form.get('reason') ?? '')
  if (!parsed.ok || !reason.ok) return { is: 'form', status: 422, base, typed, errors: toErrors(parsed, reason) }
  const changes = subject.addChanges?.(parsed.changes, base) ?? parsed.changes
  const sent = await sendChanges(subject, base, changes, reason.value)
  switch (sent.is) {
    case 'conflict':
      return sent
    case 'refused':
      return { is: 'form', status: toStatus(sent.problem), base, typed, problem: sent.problem }
    default:
      return { is: 'done', done: sent.done, isMerged: sent.isMerged, base, began: base, changes, typed }
  }
}

/** Saves the form of the conflict page. A new conflict shows the newer sides. */
async function saveChoices<V extends EditedVersion, Done extends { readonly is: string }>(
  subject: Subject<V, Done>,
  form: Form,
  base: V,
  theirs: V,
): Promise<SavedFields<V, Done>> {
  const parsed = parseConflict(form, { base: base.record, theirs: theirs.record, table: subject.table })
  const reason = parseReason(form.get('reason') ?? '')
  const again = { is: 'conflict', base, theirs, yours: parsed.chosen.yours, chosen: parsed.chosen } as const
  if (!parsed.ok || !reason.ok) return { ...again, status: 422, errors: toErrors(parsed, reason) }
  const changes = subject.addChanges?.(parsed.changes, theirs) ?? parsed.changes
  const sent = await sendChanges(subject, theirs, changes, reason.value)
  switch (sent.is) {
    case 'conflict':
      return sent
    case 'refused':
      return { ...again, status: toStatus(sent.problem), problem: sent.problem }
    default:
      return {
        is: 'done',
        done: sent.done,
        isMerged: sent.isMerged,
        base: theirs,
        began: base,
        changes,
        typed: new Map(),
      }
  }
}

type Checked = { readonly ok: true } | { readonly ok: false; readonly errors: FieldErrors }

/** The errors of the fields and of the reason. */
function toErrors(fields: Checked, reason: Parsed<unknown>): FieldErrors {
  return new Map([...(fields.ok ? [] : fields.errors), ...(reason.ok ? [] : [['reason', reason.problems] as const])])
}

/** A form of an unknown version may revert changes by others, so the person reviews it against the stored version. */
function compareWith<V extends EditedVersion>(
  { table }: { readonly table: FieldTable },
  form: Form,
  current: V,
): ShownForm<V> {
  const parsed = parseForm(toPlainForm(form), current.record, { table })
  const shown = { is: 'form', status: 409, base: current, typed: parsed.typed, problem: 'unknown base' } as const
  if (!parsed.ok) return { ...shown, errors: parsed.errors }
  return { ...shown, review: { before: current.record, after: { ...current.record, ...parsed.changes } } }
}

const isRefused = (done: { readonly is: string }): done is RefusedCommand => done.is === 'refused'

/** The three sides of a conflicting save. */
export interface Sides {
  /** The version that the person began with. */
  readonly base: JsonObject
  /** The version that is stored now. */
  readonly theirs: JsonObject
  /** What the person changed. */
  readonly yours: JsonObject
  readonly table?: FieldTable
}

/** Whether any field is contested, including those without a control, such as the state. */
const hasContested = (sides: Sides) => Object.keys(sides.yours).some((name) => isContested(sides, name))

/** Fields that both sides changed, to different values, in the order of the form. */
export const findContested = (sides: Sides) => listChanged(sides).filter((name) => isContested(sides, name))

/** Fields that only the person changed, in the order of the form. */
export function findUncontested(sides: Sides): string[] {
  const { base, theirs } = sides
  return listChanged(sides).filter((name) => isSameJson(toValue(theirs, name), toValue(base, name)))
}

/** Values without those that a record has already. */
export function withoutSame(values: JsonObject, record: JsonObject): { readonly [name: string]: JsonValue } {
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => !isSameJson(value, toValue(record, name))))
}

/**
 * Both changes of a list of names: theirs with the names that only the person added, without those that either removed.
 * Null for a field that is not a list.
 */
export function mergeLists(base: JsonValue, theirs: JsonValue, yours: JsonValue): JsonValue[] | null {
  if (!Array.isArray(base) || !Array.isArray(theirs) || !Array.isArray(yours)) return null
  const kept = theirs.filter((name) => !base.includes(name) || yours.includes(name))
  const added = yours.filter((name) => !base.includes(name) && !theirs.includes(name))
  return [...kept, ...added]
}

export const choices = ['yours', 'theirs', 'both', 'base', 'edited'] as const
export type Choice = (typeof choices)[number]

export const choiceTitles: { readonly [C in Choice]: string } = {
  yours: 'Yours',
  theirs: 'Theirs',
  both: 'Both',
  base: 'As it was',
  edited: 'My own text',
}

/** Names of the entries of the conflict page, besides those of the controls. */
export const toChoiceName = (name: string) => `choice.${name}`
export const toYoursName = (name: string) => `yours.${name}`

/** What the person chose and typed, to show it again. */
export interface ConflictChoices {
  readonly choices: ReadonlyMap<string, Choice>
  readonly edited: ReadonlyMap<string, string>
  /** What they had changed before the conflict. */
  readonly yours: JsonObject
}

/** `changes` are those to make to `theirs`. */
type ParsedConflict =
  | { readonly ok: true; readonly changes: JsonObject; readonly chosen: ConflictChoices }
  | { readonly ok: false; readonly errors: FieldErrors; readonly chosen: ConflictChoices }

/**
 * The changes to save after a choice for each contested field: one of the three sides, both changes of a list, or
 * another text. Fields that only the person had changed are included without a choice.
 */
export function parseConflict(form: FormEntries, sides: Omit<Sides, 'yours'>): ParsedConflict {
  const values: Record<string, JsonValue> = {}
  const yours: Record<string, JsonValue> = {}
  const errors = new Map<string, readonly string[]>()
  const answers = toWritable(sides.table ?? fields).flatMap(([name, field]) => readAnswer(form, name, field, sides))
  for (const { name, own, result } of answers) {
    if (own.ok) yours[name] = own.value
    if (result.ok) values[name] = result.value
    else errors.set(name, result.problems)
  }
  const chosen = {
    choices: new Map(answers.flatMap(({ name, choice }) => (choice === null ? [] : [[name, choice] as const]))),
    edited: new Map(answers.flatMap(({ name, edited }) => (edited === null ? [] : [[name, edited] as const]))),
    yours,
  }
  if (errors.size > 0) return { ok: false, errors, chosen }
  return { ok: true, changes: withoutSame(values, sides.theirs), chosen }
}

/** Whether both sides changed a field, to different values. */
const isContested = ({ base, theirs, yours }: Sides, name: string) =>
  !isSameJson(toValue(theirs, name), toValue(base, name)) && !isSameJson(yours[name], toValue(theirs, name))

const listChanged = ({ yours, table = fields }: Sides): string[] =>
  toWritable(table)
    .map(([name]) => name)
    .filter((name) => Object.hasOwn(yours, name))

const chooseText = 'Choose one of these.'
const toEditedToo = (choice: Choice) =>
  `You chose “${choiceTitles[choice]}”, but also changed the text below. Choose “${choiceTitles.edited}” to use it.`

type Side =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly problems: readonly string[] }

interface Answer {
  readonly name: string
  readonly choice: Choice | null
  readonly edited: string | null
  readonly own: Side
  readonly result: Side
}

/** None if the person had not changed the field. */
function readAnswer(form: FormEntries, name: string, field: WritableIn, sides: Omit<Sides, 'yours'>): Answer[] {
  const sent = readText(form, toYoursName(name))
  if (sent === null) return []
  const base = toValue(sides.base, name)
  const control = toControlKind(name, field.kind, base)
  const read = (text: string): Side => {
    const typed = readTyped(control, text, field.kind, base)
    return typed.ok ? field.kind.parse(typed.value) : typed
  }
  const own = read(sent)
  const edited = readText(form, toControlName(name))
  // Without a control it is not contested.
  if (edited === null) return [{ name, choice: null, edited, own, result: own }]
  const isEdited = !isUntouched(control, toLf(sent), edited)
  const choice = readChoice(form, name) ?? (isEdited ? 'edited' : null)
  if (choice === null) return [{ name, choice, edited, own, result: fail(chooseText) }]
  if (choice === 'edited') return [{ name, choice, edited, own, result: read(edited) }]
  if (isEdited) return [{ name, choice, edited, own, result: fail(toEditedToo(choice)) }]
  return [{ name, choice, edited, own, result: takeSide(choice, field, own, base, toValue(sides.theirs, name)) }]
}

function takeSide(choice: Choice, { kind }: WritableIn, own: Side, base: JsonValue, theirs: JsonValue): Side {
  if (choice === 'base' || choice === 'theirs') return { ok: true, value: choice === 'base' ? base : theirs }
  if (choice === 'yours' || !own.ok) return own
  const both = mergeLists(base, theirs, own.value)
  return both === null ? fail(chooseText) : kind.parse(both)
}

const fail = (problem: string): Side => ({ ok: false, problems: [problem] })

function readText(form: FormEntries, name: string): string | null {
  const text = form.getAll(name).at(-1)
  return typeof text === 'string' ? text : null
}

function readChoice(form: FormEntries, name: string): Choice | null {
  const text = readText(form, toChoiceName(name))
  return choices.find((choice) => choice === text) ?? null
}
