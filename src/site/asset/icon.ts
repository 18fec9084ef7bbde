/** A lectern with a microphone, on a tile of the accent colour. */
export function toIcon(accent: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="7" fill="${accent}"/>
<path d="M8 13h16l-2 5H10zM14 18h4v6h4v2H10v-2h4z" fill="#fff"/>
<path d="M20.500 13 17 7.500" stroke="#fff" stroke-width="1.800" stroke-linecap="round"/>
<circle cx="16.600" cy="6.800" r="2" fill="#fff"/>
</svg>`
}
