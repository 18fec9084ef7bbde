import type { Child, FormAttributes } from '#jsx/jsx-runtime'
import type { Caller } from '../http/route.ts'

export interface PostFormProps {
  readonly caller: Pick<Caller, 'session'>
  readonly action: string
  readonly class?: string
  /** Further attributes of the form. */
  readonly attributes?: FormAttributes
  readonly children: Child
}

/** Every form of a page for curators: only with this token is it accepted (decision 57). */
export function PostForm({ caller, action, children, attributes, class: kind }: PostFormProps) {
  return (
    <form method="post" action={action} enctype="multipart/form-data" class={kind} {...attributes}>
      <input type="hidden" name="csrf" value={caller.session?.formToken} />
      {children}
    </form>
  )
}
