const label = '[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?'
const namePattern = new RegExp(`^(${label}(?:\\.${label})*\\.?)(?::(\\d{1,5}))?$`)
const ipv6Pattern = /^(\[[0-9A-Fa-f:.]+\])(?::(\d{1,5}))?$/

/** The name in a Host header, without its port; null for what is no host (two Host headers come joined by a comma). */
export function parseHost(host: string): string | null {
  const [, name, port = '0'] = namePattern.exec(host) ?? ipv6Pattern.exec(host) ?? []
  if (name === undefined || name.length > 255 || Number(port) > 65_535) return null
  // No IPv6 address, no IPv4 address although it ends like one (`1.2.3.4.5`), or no name in Punycode (`xn--a`).
  if (!URL.canParse(`http://${name}/`)) return null
  return name.toLowerCase()
}

/** A name or address that only this machine answers to. */
export function isLoopback(name: string): boolean {
  if (name === 'localhost' || name === 'localhost.' || name === '::1' || name === '[::1]') return true
  return /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(name)
}

/** `http://host:port`, with brackets where an IPv6 address needs them. */
export function toHttpUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
