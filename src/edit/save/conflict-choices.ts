import { fields } from '../../record/fields.ts'
import { isSameJson, type JsonObject, type JsonValue } from '../../record/json.ts'
import type { FieldErrors } from '../../record/record.ts'
import { toLf } from '../../record/text/typed-text.ts'
import { type FieldTable, toValue, toWritable, type WritableIn } from '../form/field-hints.ts'
import { type FormEntries, isUntouched, readTyped, toControlKind, toControlName } from '../form/form-values.ts'

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
export const hasContested = (sides: Sides) => Object.keys(sides.yours).some((name) => isContested(sides, name))

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
