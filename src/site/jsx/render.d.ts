import type { JSX } from './jsx-runtime.d.ts'

/** The HTML of an element, escaped. A file of its own, as `#jsx/render` is another module than the runtime. */
export function render(element: JSX.Element): string
