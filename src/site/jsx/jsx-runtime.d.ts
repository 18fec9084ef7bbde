/**
 * The types of TSX in pages. Preact's own types pull in the DOM, which server code must not see, so package.json maps
 * each module of `#jsx` to a file of types in this folder and to Preact's code (decision 45). Pages import nothing else
 * of Preact.
 *
 * An element has the attributes that our pages use, by their names in HTML; another one does not compile until it is
 * added here. TypeScript takes any name with a hyphen, so `test/site/markup.test.ts` checks `aria-*` on the pages.
 */
export type Child = JSX.Element | string | number | boolean | null | undefined | readonly Child[]

/** `undefined` and `null` leave an attribute out. */
type Text = string | null | undefined
type Count = string | number | null | undefined
/** `false` leaves the attribute out as well. */
type Flag = boolean | null | undefined

interface GlobalAttributes {
  readonly key?: string | number
  readonly children?: Child
  /** Text that is HTML already. Only `site/text/markdown.ts` and JSON-LD produce it. */
  readonly dangerouslySetInnerHTML?: { readonly __html: string }
  readonly autofocus?: Flag
  readonly class?: Text
  readonly dir?: 'auto' | 'ltr' | 'rtl' | undefined
  readonly hidden?: Flag
  readonly id?: Text
  readonly lang?: Text
  readonly role?: 'alert' | 'img' | 'status' | undefined
  readonly tabindex?: '-1' | '0' | -1 | 0 | undefined
  readonly title?: Text
  readonly [data: `data-${string}`]: Text | number | boolean
  readonly 'aria-current'?: 'true' | 'page' | undefined
  readonly 'aria-describedby'?: Text
  readonly 'aria-hidden'?: 'true' | undefined
  readonly 'aria-invalid'?: 'true' | undefined
  readonly 'aria-label'?: Text
  readonly 'aria-labelledby'?: Text
  readonly 'aria-sort'?: 'ascending' | 'descending' | undefined
}

/** Of `<input>`, `<select>` and `<textarea>`. */
export interface ControlAttributes extends GlobalAttributes {
  readonly autocapitalize?: 'off' | undefined
  readonly autocomplete?: 'off' | 'current-password' | undefined
  readonly inputmode?: 'numeric' | 'url' | undefined
  readonly maxlength?: Count
  readonly name?: Text
  readonly placeholder?: Text
  readonly readonly?: Flag
  readonly required?: Flag
  readonly spellcheck?: 'true' | 'false'
  readonly value?: Count
}

interface ShapeAttributes extends GlobalAttributes {
  readonly fill?: Text
  readonly height?: Count
  readonly stroke?: Text
  readonly 'stroke-linecap'?: 'round'
  readonly 'stroke-width'?: Count
  readonly width?: Count
}

interface Anchor extends GlobalAttributes {
  readonly download?: Flag
  readonly href?: Text
  readonly rel?: Text
  readonly target?: '_blank' | undefined
}

interface Button extends GlobalAttributes {
  readonly form?: Text
  readonly formaction?: Text
  readonly formnovalidate?: Flag
  readonly formtarget?: '_blank'
  readonly name?: Text
  readonly type: 'button' | 'submit' | 'reset'
  readonly value?: Text
}

export interface FormAttributes extends GlobalAttributes {
  readonly action?: Text
  readonly autocomplete?: 'off'
  readonly enctype?: 'multipart/form-data'
  readonly method?: 'get' | 'post'
  readonly novalidate?: Flag
}

interface Image extends GlobalAttributes {
  readonly alt: string
  readonly decoding?: 'async'
  readonly height?: Count
  readonly loading?: 'eager' | 'lazy'
  readonly referrerpolicy?: 'no-referrer'
  readonly src: string
  readonly width?: Count
}

interface Input extends ControlAttributes {
  readonly accept?: Text
  readonly checked?: Flag
  readonly list?: Text
  readonly max?: Text
  readonly min?: Text
  readonly type?:
    | 'checkbox'
    | 'date'
    | 'datetime-local'
    | 'file'
    | 'hidden'
    | 'number'
    | 'password'
    | 'radio'
    | 'search'
    | 'text'
    | 'url'
}

interface Link extends GlobalAttributes {
  readonly href: string
  readonly rel: string
  readonly type?: Text
}

interface Meta extends GlobalAttributes {
  readonly charset?: 'utf-8'
  readonly content?: Text
  readonly name?: Text
  readonly property?: Text
}

interface OrderedList extends GlobalAttributes {
  readonly reversed?: Flag
  readonly start?: Count
}

interface Option extends GlobalAttributes {
  readonly selected?: Flag
  readonly value?: Count
}

interface Script extends GlobalAttributes {
  readonly src?: Text
  readonly type: 'application/ld+json' | 'module'
}

interface Video extends GlobalAttributes {
  readonly controls?: Flag
  readonly playsinline?: Flag
  readonly poster?: Text
  readonly preload?: 'metadata' | 'none'
}

interface SvgCircle extends ShapeAttributes {
  readonly cx?: Count
  readonly cy?: Count
  readonly r?: Count
}

interface SvgLine extends ShapeAttributes {
  readonly x1?: Count
  readonly x2?: Count
  readonly y1?: Count
  readonly y2?: Count
}

interface SvgRect extends ShapeAttributes {
  readonly rx?: Count
  readonly x?: Count
  readonly y?: Count
}

interface SvgRoot extends ShapeAttributes {
  readonly preserveAspectRatio?: 'none'
  readonly viewBox?: string
}

interface SvgText extends ShapeAttributes {
  readonly 'text-anchor'?: 'end' | 'middle'
  readonly x?: Count
  readonly y?: Count
}

type PlainElement =
  | (
      | 'article'
      | 'aside'
      | 'b'
      | 'bdi'
      | 'body'
      | 'caption'
      | 'code'
      | 'datalist'
      | 'dd'
      | 'dialog'
      | 'div'
      | 'dl'
      | 'dt'
    )
  | ('em' | 'fieldset' | 'figcaption' | 'figure' | 'footer' | 'g' | 'h1' | 'h2' | 'h3' | 'head' | 'header' | 'html')
  | ('kbd' | 'legend' | 'li' | 'main' | 'mark' | 'nav' | 'noscript' | 'p' | 'q' | 'search' | 'section' | 'span')
  | ('del' | 'ins' | 'strong' | 'summary' | 'table' | 'tbody' | 'td' | 'thead' | 'title' | 'tr' | 'ul')

type PlainElements = { readonly [tag in PlainElement]: GlobalAttributes }

export namespace JSX {
  export interface Element {
    readonly type: unknown
    readonly props: unknown
  }
  export type ElementType = keyof IntrinsicElements | ((props: never) => Element | null)
  export interface IntrinsicElements extends PlainElements {
    readonly a: Anchor
    readonly button: Button
    readonly circle: SvgCircle
    readonly details: GlobalAttributes & { readonly open?: Flag }
    readonly form: FormAttributes
    readonly img: Image
    readonly input: Input
    readonly label: GlobalAttributes & { readonly for?: Text }
    readonly line: SvgLine
    readonly link: Link
    readonly meta: Meta
    readonly ol: OrderedList
    readonly option: Option
    readonly path: ShapeAttributes & { readonly d: string }
    readonly progress: GlobalAttributes & { readonly max?: Count; readonly value?: Count }
    readonly rect: SvgRect
    readonly script: Script
    readonly select: ControlAttributes
    readonly source: GlobalAttributes & { readonly src: string; readonly type?: Text }
    readonly svg: SvgRoot
    readonly text: SvgText
    readonly textarea: ControlAttributes & { readonly rows?: Count }
    readonly th: GlobalAttributes & { readonly scope: 'col' | 'row' }
    readonly time: GlobalAttributes & { readonly datetime: string }
    readonly track: GlobalAttributes & {
      readonly kind: 'captions' | 'chapters'
      readonly src: string
      readonly srclang?: string
    }
    readonly video: Video
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
