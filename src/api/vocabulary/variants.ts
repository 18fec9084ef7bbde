import { execute } from '../../http/execute.ts'
import type { Logger } from '../../http/logger.ts'
import { Refused } from '../../http/problem/problem.ts'
import { requireRead } from '../../http/problem/read-problems.ts'
import { json } from '../../http/respond.ts'
import type { Call, HttpCall, TextAnswer } from '../../http/route.ts'
import { toAsciiJson } from '../../record/json.ts'
import { parseDismissal } from '../../record/variants/variant.ts'
import type { Store } from '../../store/store.ts'
import type { ReadDeps } from '../list/envelope.ts'
import { answerPage, toTextPage } from '../list/page-answer.ts'
import { readPosted, toAuthor } from '../write.ts'

interface DismissDeps {
  readonly store: Pick<Store, 'execute'>
  readonly log: Logger
  readonly maxBodyBytes: number
}

/** Speakers or tags that are probably the same (decision 54). */
export function listVariants(kind: 'speaker' | 'tag') {
  return (call: Call, { store, baseUrl }: ReadDeps): Promise<TextAnswer> =>
    answerPage(call, baseUrl, 'all', async (paging) =>
      toTextPage(requireRead(await store.listVariants({ kind, ...paging }, call.signal))),
    )
}

/** Hides a group for good, or shows it again. */
export function dismissVariants(of: 'speaker' | 'tag') {
  return async (call: HttpCall, deps: DismissDeps): Promise<TextAnswer> => {
    const author = toAuthor(call)
    const { body, options } = await readPosted(call, deps.maxBodyBytes)
    const parsed = parseDismissal(body)
    if (!parsed.ok) throw new Refused({ code: 'bad_fields', errors: parsed.errors })
    const kind = 'dismiss variants'
    const outcome = await execute(deps, call, { kind, of, author, ...parsed.value, ...options })
    if (outcome.is !== 'dismissal') throw new Error(`a dismissal had the outcome ${outcome.is}`)
    const { ids, isDismissed } = outcome.dismissal
    const { name: by } = author
    if (outcome.wasWritten) deps.log.info('write', { kind, of, ids: ids.map(String), by, requestId: call.requestId() })
    return json(call, toAsciiJson({ ids, dismissed: isDismissed }), 'private')
  }
}
