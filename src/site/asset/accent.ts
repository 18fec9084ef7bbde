/** The accent colour as text and as a background, legible on light and dark pages. */
interface AccentColours {
  readonly light: string
  readonly dark: string
}

/** WCAG 2.2 AA for text, with a margin for tinted backgrounds. */
const minContrast = 5.2
const lightPage = '#f5f6f8'
const darkPage = '#1b1f26'
const step = 0.04

/** The operator's colour, darkened or lightened as far as needed. */
export function toAccentColours(accent: string): AccentColours {
  return { light: adjust(accent, '#000000', lightPage), dark: adjust(accent, '#ffffff', darkPage) }
}

export function toContrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [toLuminance(a), toLuminance(b)].sort((x, y) => x - y)
  return (light + 0.05) / (dark + 0.05)
}

function adjust(colour: string, towards: string, background: string): string {
  for (let share = 0; share < 1; share += step) {
    const mixed = mix(colour, towards, share)
    if (toContrast(mixed, background) >= minContrast) return mixed
  }
  return towards
}

function toLuminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = toChannels(colour).map((channel) => {
    const part = channel / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function mix(colour: string, other: string, share: number): string {
  const others = toChannels(other)
  const mixed = toChannels(colour).map((channel, i) => Math.round(channel + ((others[i] ?? 0) - channel) * share))
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

/** Of `#rrggbb`. */
function toChannels(colour: string): number[] {
  return [1, 3, 5].map((offset) => Number.parseInt(colour.slice(offset, offset + 2), 16))
}
