/**
 * What must not compile; `npm run check` fails if it does. TypeScript reports a `@ts-expect-error` without an error.
 */
export const wrong = [
  // @ts-expect-error A misspelt attribute.
  <a herf="/" href="/">
    Home
  </a>,
  // @ts-expect-error The name of a property, not of an attribute.
  <p className="muted">None</p>,
  // @ts-expect-error An attribute of another element.
  <div href="/">Home</div>,
  // @ts-expect-error A value that HTML does not have.
  <input type="txt" />,
  // @ts-expect-error A misspelt element.
  <secton>Talks</secton>,
]

export const right = (
  <a href="/" class="button" data-key="h" aria-current="page" lang={undefined}>
    Home
  </a>
)
