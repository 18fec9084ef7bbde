import { isTextField } from '../../record/bulk.ts'
import { related } from '../../record/companion/related.ts'
import { ok, type Parsed, wrong } from '../../record/field-kind.ts'
import { fields, isWritableName } from '../../record/fields.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../record/json.ts'
import type { FieldErrors } from '../../record/record.ts'
import { parseLanguageWord } from '../../record/text/language.ts'
import { toLf } from '../../record/text/typed-text.ts'
import { parseReplacement } from '../../record/transcript/replace-text.ts'
import { toFullLabel, toWritable } from '../form/field-hints.ts'
import { languageListId } from '../form/form-fields.tsx'

/** What was filled in, by the names of the controls. Blank ones are left out. */
export type Entries = ReadonlyMap<string, string>

/** The controls that edit the values of talks instead of replacing them. `part` is one edit of a text. */
const part = { field: 'part.field', do: 'part.do', text: 'part.text', with: 'part.with' } as const
const fixes = {
  https: 'fix.https',
  length: 'fix.length',
  thumbnail: 'fix.thumbnail',
  speakers: 'fix.speakers',
} as const

/** Links that talks get or lose, one per line. */
const links = { add: 'related.add', remove: 'related.remove' } as const

/** A word or phrase to replace in what was said. */
const said = { find: 'said.find', replace: 'said.replace', language: 'said.language' } as const

/** Buttons of work lists that stand for a form with one of these filled in. */
export const fixShortcuts = {
  https: [fixes.https, 'all'],
  divide: [fixes.length, 'divide'],
  multiply: [fixes.length, 'multiply'],
  thumbnails: [fixes.thumbnail, 'yes'],
  split: [fixes.speakers, 'yes'],
} as const

/** The name of errors in `part`, which may be about any field. */
export const partName = 'part'

/** Others are chosen from lists of names, or written by machines. */
const isEdited = (name: string) =>
  isWritableName(name) && isTextField(name) && !['category', 'language', 'embed'].includes(name)

const editedNames = toWritable(fields).flatMap(([name]) => (isEdited(name) ? [name] : []))

const partTexts = {
  replace: 'Replace everywhere',
  start: 'Cut or replace at the start',
  end: 'Cut or replace at the end',
  prefix: 'Add at the start',
  suffix: 'Add at the end',
} as const

type PartOperation = keyof typeof partTexts

const isPartOperation = (text: string): text is PartOperation => Object.hasOwn(partTexts, text)

const files = editedNames.filter((name) => name.startsWith('video_'))

/** The fields whose addresses become secure, by choice. */
const secured: { readonly [choice: string]: readonly string[] } = {
  all: ['source_url', 'thumbnail_url', ...files],
  source_url: ['source_url'],
  thumbnail_url: ['thumbnail_url'],
  files,
}

/** A list of odd lengths has milliseconds and minutes side by side. */
const lengthFixes: { readonly [choice: string]: JsonObject } = {
  divide: { divide: 1000, if_plausible: true },
  multiply: { multiply: 60, if_plausible: true },
}

/** What was filled in. Spaces count in texts, so only empty ones are left out. */
export function readEditEntries(form: URLSearchParams): readonly (readonly [string, string])[] {
  const read = (names: readonly string[]) =>
    names.map((name) => [name, form.get(name) ?? ''] as const).filter(([, value]) => value !== '')
  const parts = read([part.field, part.text, part.with])
  const others = read([...Object.values(fixes), ...Object.values(links), ...Object.values(said)])
  return [...(parts.length > 0 ? [...parts, ...read([part.do])] : []), ...others]
}

interface ParsedEdits {
  /** As the API takes it. */
  readonly patch: JsonObject
  readonly errors: FieldErrors
}

/** The edits as members of a patch. A field that has two of them is an error. */
export function parseEdits(entries: Entries): ParsedEdits {
  const errors = new Map<string, readonly string[]>()
  const found = [...listFixes(entries)]
  const edited = readPart(entries)
  if (typeof edited === 'string') errors.set(partName, [edited])
  else if (edited !== null) found.push(edited)
  const twice = found.find(([name], i) => found.findIndex(([other]) => other === name) < i)
  if (twice !== undefined) errors.set(partName, [`${toFullLabel(twice[0])}: choose one change only.`])
  const edit = readLinks(entries)
  if (!edit.ok) errors.set('related', edit.problems)
  const replaced = readSaid(entries)
  if (!replaced.ok) errors.set('transcripts', replaced.problems)
  const members = { related: edit.ok ? edit.value : null, transcripts: replaced.ok ? replaced.value : null }
  const others = Object.entries(members).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))
  return { patch: Object.fromEntries([...found, ...others]), errors }
}

/** Null if nothing was filled in. */
function readSaid(entries: Entries): Parsed<JsonObject | null> {
  const [find = '', replace = '', word = ''] = [said.find, said.replace, said.language].map((name) =>
    entries.get(name)?.trim(),
  )
  const language = parseLanguageWord(word)
  if (find === '' && replace === '') return ok(null)
  if (find === '') return wrong('Transcripts: enter the words to find.')
  if (language === null && word !== '') return wrong('Transcripts: enter a language, such as “en” or “German”.')
  const parsed = parseReplacement({ find, replace, ...(language === null ? {} : { language }) })
  return parsed.ok ? ok(parsed.content) : wrong(`Transcripts: ${[...parsed.errors.values()].flat().join(' ')}`)
}

/** A link is removed by its address, whatever its label. Null if no link is named. */
function readLinks(entries: Entries): Parsed<JsonObject | null> {
  const [add, remove] = [links.add, links.remove].map((name) => related.parseLines(entries.get(name) ?? ''))
  const bad = [add, remove].flatMap((parsed) => (parsed?.ok === false ? [...parsed.errors.values()].flat() : []))
  if (add?.ok !== true || remove?.ok !== true)
    return { ok: false, problems: bad.map((text) => `Related links: ${text}`) }
  const listed = (content: JsonObject) => (Array.isArray(content.links) ? content.links.filter(isJsonObject) : [])
  const [added, removed] = [listed(add.content), listed(remove.content).map(({ url }) => url ?? null)]
  return ok(added.length + removed.length === 0 ? null : { add: added, remove: removed })
}

type Member = readonly [name: string, value: JsonValue]

function* listFixes(entries: Entries): Generator<Member> {
  for (const name of secured[entries.get(fixes.https) ?? ''] ?? [])
    yield [name, { cut_start: 'http://', prefix: 'https://' }]
  const length = lengthFixes[entries.get(fixes.length) ?? '']
  if (length !== undefined) yield ['duration', length]
  if (entries.has(fixes.thumbnail)) yield ['thumbnail_url', { from_source: true }]
  if (entries.has(fixes.speakers)) yield ['speakers', { split: true }]
}

/** Null if nothing was filled in; a text that says what is missing. */
function readPart(entries: Entries): Member | string | null {
  const [field, chosen, text, replacement = ''] = [part.field, part.do, part.text, part.with].map((name) =>
    entries.get(name),
  )
  if (field === undefined && text === undefined && replacement === '') return null
  if (field === undefined || !isEdited(field)) return 'Part of a text: choose the field.'
  if (text === undefined) return 'Part of a text: enter the text to find or to add.'
  const operation = chosen !== undefined && isPartOperation(chosen) ? chosen : 'replace'
  const isAdded = operation === 'prefix' || operation === 'suffix'
  if (isAdded && replacement !== '') return 'Part of a text: leave “Replace with” empty to add a text.'
  return [field, toPartEdit(operation, text, replacement)]
}

function toPartEdit(operation: PartOperation, text: string, replacement: string): JsonObject {
  const added = (name: string) => (replacement === '' ? {} : { [name]: replacement })
  switch (operation) {
    case 'replace':
      return { find: text, replace: replacement }
    case 'start':
      return { cut_start: text, ...added('prefix') }
    case 'end':
      return { cut_end: text, ...added('suffix') }
    case 'prefix':
      return { prefix: text }
    case 'suffix':
      return { suffix: text }
  }
}

/** Whether errors of this field belong to the edit of a text. */
export const isEditedPart = (entries: Entries, name: string) => entries.get(part.field) === name

interface EditControlsProps {
  readonly entries: Entries
  /** Of the edit of a text. */
  readonly problems: readonly string[]
}

/** Edits of the values that talks have: their links, a part of a text, and fixes for common faults. */
export function EditControls({
  entries,
  problems,
  isWrong,
}: EditControlsProps & { readonly isWrong: (name: 'related' | 'transcripts') => boolean }) {
  return (
    <>
      <Links entries={entries} isWrong={isWrong('related')} />
      <Said entries={entries} isWrong={isWrong('transcripts')} />
      <PartOfText {...{ entries, problems }} />
      <Fixes entries={entries} />
    </>
  )
}

interface CompanionEditProps extends Pick<EditControlsProps, 'entries'> {
  readonly isWrong: boolean
}

function Links({ entries, isWrong }: CompanionEditProps) {
  return (
    <fieldset class={isWrong ? 'bulk-names is-wrong' : 'bulk-names'}>
      <legend>Related links</legend>
      {[[links.add, 'Links to add'] as const, [links.remove, 'Links to remove'] as const].map(([name, label]) => (
        <div key={name} class="field is-names">
          <label for={name}>{label}</label>
          <textarea
            id={name}
            name={name}
            rows="2"
            dir="auto"
            autocomplete="off"
            spellcheck="false"
            aria-invalid={isWrong && entries.has(name) ? 'true' : undefined}
            aria-describedby="links-help"
            value={toLf(entries.get(name) ?? '')}
          />
        </div>
      ))}
      <p class="help" id="links-help">
        One link per line: its address, a space and a label. A link is removed by its address, whatever its label.
      </p>
    </fieldset>
  )
}

function Said({ entries, isWrong }: CompanionEditProps) {
  return (
    <fieldset class={isWrong ? 'bulk-part is-wrong' : 'bulk-part'}>
      <legend>Words in transcripts</legend>
      <TextInput name={said.find} label="Words to find" described="said-help" {...{ entries, isWrong }} />
      <TextInput name={said.replace} label="Replacement words" described="said-help" {...{ entries, isWrong }} />
      <TextInput
        name={said.language}
        label="Only in this language"
        described="said-help"
        list={languageListId}
        {...{ entries, isWrong }}
      />
      <p class="help" id="said-help">
        Only whole words in the same case are replaced: <em>Jango</em> in “Jango’s”, but not in “Jangology”. Leave{' '}
        <em>Replacement words</em> empty to remove them.
      </p>
    </fieldset>
  )
}

interface TextInputProps extends CompanionEditProps {
  readonly name: string
  readonly label: string
  readonly described: string
  readonly list?: string
}

function TextInput({ name, label, described, list, entries, isWrong }: TextInputProps) {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <input
        type="text"
        id={name}
        name={name}
        value={entries.get(name) ?? ''}
        dir="auto"
        autocomplete="off"
        spellcheck="false"
        list={list}
        aria-invalid={isWrong ? 'true' : undefined}
        aria-describedby={described}
      />
    </div>
  )
}

const [helpId, errorId] = ['part-help', 'part-error']

function PartOfText({ entries, problems }: EditControlsProps) {
  const isWrong = problems.length > 0
  const described = isWrong ? `${errorId} ${helpId}` : helpId
  const field: Choices = [['', 'No change'], ...editedNames.map((name) => [name, toFullLabel(name)] as const)]
  return (
    <fieldset class={isWrong ? 'bulk-part is-wrong' : 'bulk-part'}>
      <legend>Part of a text</legend>
      {isWrong && (
        <p class="field-error" id={errorId}>
          <span class="hidden-text">Error: </span>
          {problems.join(' ')}
        </p>
      )}
      <Select name={part.field} label="In" choices={field} entries={entries} />
      <Select name={part.do} label="What to do" choices={Object.entries(partTexts)} entries={entries} />
      {[[part.text, 'Text'] as const, [part.with, 'Replace with'] as const].map(([name, label]) => (
        <TextInput key={name} {...{ name, label, described, entries, isWrong }} />
      ))}
      <p class="help" id={helpId}>
        Case and spaces matter. Leave <em>Replace with</em> empty to remove the text. Talks without the text stay
        unchanged.
      </p>
    </fieldset>
  )
}

const httpsChoices: Choices = [
  ['', 'No change'],
  ['all', 'All addresses: http to https'],
  ['source_url', 'Only the address of the video'],
  ['thumbnail_url', 'Only the thumbnail'],
  ['files', 'Only files'],
]

const lengthChoices: Choices = [
  ['', 'No change'],
  ['divide', '÷ 1000: they are milliseconds'],
  ['multiply', '× 60: they are minutes'],
]

function Fixes({ entries }: Pick<EditControlsProps, 'entries'>) {
  return (
    <fieldset class="bulk-fixes">
      <legend>Common fixes</legend>
      <Select name={fixes.https} label="Insecure addresses" choices={httpsChoices} entries={entries} />
      <Select name={fixes.length} label="Wrong lengths" choices={lengthChoices} entries={entries} />
      <div class="field">
        <span class="label">Missing thumbnails</span>
        <label class="clear-box">
          <input type="checkbox" name={fixes.thumbnail} value="yes" checked={entries.has(fixes.thumbnail)} />
          Fill in from the video (YouTube, Internet Archive)
        </label>
      </div>
      <div class="field">
        <span class="label">Several speakers in one entry</span>
        <label class="clear-box">
          <input type="checkbox" name={fixes.speakers} value="yes" checked={entries.has(fixes.speakers)} />
          One entry for each person
        </label>
      </div>
    </fieldset>
  )
}

type Choices = readonly (readonly [value: string, label: string])[]

interface SelectProps {
  readonly name: string
  readonly label: string
  readonly choices: Choices
  readonly entries: Entries
}

function Select({ name, label, choices, entries }: SelectProps) {
  const chosen = entries.get(name) ?? ''
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <select id={name} name={name} autocomplete="off">
        {choices.map(([value, text]) => (
          <option key={value} value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}
