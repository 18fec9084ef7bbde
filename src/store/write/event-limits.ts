import { type Command, outsideEvent, type Refusal } from '../../record/command.ts'
import { type Author, isOutside } from '../../record/role.ts'
import type { LimitedCategory } from './access-token-rows.ts'
import type { FoundBatch } from './batch/batch-rows.ts'
import { isNameChange } from './names/name-change.ts'
import type { RecordRows } from './record-rows.ts'

/** `decide` judges each record of these, or they change no record. */
const judgedKinds: readonly Command['kind'][] = [
  'create',
  'replace',
  'merge',
  'patch',
  'restore',
  'bulk',
  'undo',
  'merge records',
  'table',
  'set companion',
  'accept findings',
  'schedule publish',
  'stop batch',
  'open session',
  'end session',
  'end other sessions',
]

type Limited<C extends Command> =
  | { readonly ok: true; readonly command: C }
  | { readonly ok: false; readonly refusal: Refusal }

/**
 * The command with the titles of the events that its author is limited to. What is about names, lists or other events
 * is refused; so is any command that this function does not know.
 */
export async function limitToEvents<C extends Command>(rows: RecordRows, command: C): Promise<Limited<C>> {
  const { limitedBy } = command.author
  if (limitedBy === undefined) return { ok: true, command }
  const own = await rows.listEvents(limitedBy)
  const batch = command.kind === 'undo' ? await rows.batches.find(command.batch) : null
  const author = { ...command.author, events: [...own.map(({ title }) => title), ...listFormerTitles(batch, own)] }
  const slugs = toSlugs(command, batch)
  const isOwn = slugs !== null && (await isEvery(slugs, async (slug) => isOwnSlug(rows, author, slug)))
  return isOwn ? { ok: true, command: { ...command, author } } : { ok: false, refusal: outsideEvent }
}

/** The slugs of the categories that a command is about; null if it is about anything else but records. */
function toSlugs(command: Command, batch: FoundBatch | null): readonly string[] | null {
  if (command.kind === 'category') return [command.slug]
  if (command.kind === 'merge categories') return [command.slug, command.into]
  if (!judgedKinds.includes(command.kind)) return null
  const changes = (batch?.parts ?? []).filter(isNameChange)
  if (changes.some(({ kind }) => kind !== 'category')) return null
  return changes
    .flatMap(({ rows, filled }) => [...rows.map(({ row }) => row), ...(filled ? [filled.slug] : [])])
    .map(String)
}

/** The undo of a rename gives records the title that the category had before. */
function listFormerTitles(batch: FoundBatch | null, own: readonly LimitedCategory[]): readonly string[] {
  const rename = batch?.rename ?? null
  return rename !== null && own.some(({ id }) => id === rename.categoryId) ? [rename.from, rename.to] : []
}

/** A category that does not exist is refused by the command itself. */
async function isOwnSlug(rows: RecordRows, author: Author, slug: string): Promise<boolean> {
  const category = await rows.categories.find(slug)
  return category === null || !isOutside(author, category.fields.title)
}

async function isEvery<T>(values: readonly T[], test: (value: T) => Promise<boolean>): Promise<boolean> {
  for (const value of values) if (!(await test(value))) return false
  return true
}
