import type { JSX } from './jsx-runtime.d.ts'

/** HTML of an element, escaped. */
export function render(element: JSX.Element): string
