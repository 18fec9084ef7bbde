/**
 * The types of TSX in pages. Those of Preact bring the DOM with them, which server code must not see, so package.json
 * maps `#jsx` to these types and to Preact's code (decision 45).
 */
export type Child = JSX.Element | string | number | boolean | null | undefined | readonly Child[]

type Value = string | number | boolean | null | undefined

/** Attributes have their names in HTML; `undefined`, `null` and `false` leave one out. */
interface Attributes {
  readonly [name: string]: Value | Child | { readonly __html: string }
  readonly key?: string | number
  readonly children?: Child
  /** Text that is HTML already. Only `site/text/markdown.ts` and JSON-LD make any. */
  readonly dangerouslySetInnerHTML?: { readonly __html: string }
}

export namespace JSX {
  export interface Element {
    readonly type: unknown
    readonly props: unknown
  }
  export type ElementType = string | ((props: never) => Element | null)
  export interface IntrinsicElements {
    readonly [tag: string]: Attributes
  }
  export interface IntrinsicAttributes {
    readonly key?: string | number
  }
  export interface ElementChildrenAttribute {
    readonly children: unknown
  }
}

export function jsx(type: unknown, props: unknown, key?: string): JSX.Element
export const jsxs: typeof jsx
export const jsxDEV: typeof jsx
export const Fragment: (props: { readonly children?: Child }) => JSX.Element
