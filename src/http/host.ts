const label = '[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?'
const namePattern = new RegExp(`^(${label}(?:\\.${label})*\\.?)(?::(\\d{1,5}))?$`)
const ipv6Pattern = /^(\[[0-9A-Fa-f:.]+\])(?::(\d{1,5}))?$/

/** The name in a Host header, without its port; null if it is malformed. Bun joins two Host headers by a comma. */
export function parseHost(host: string): string | null {
  const [, name, port = '0'] = namePattern.exec(host) ?? ipv6Pattern.exec(host) ?? []
  if (name === undefined || name.length > 255 || Number(port) > 65_535) return null
  // Malformed IPv6, IPv4-like names such as `1.2.3.4.5`, and malformed Punycode such as `xn--a`.
  if (!URL.canParse(`http://${name}/`)) return null
  return name.toLowerCase()
}

/** Whether a name or address is that of the loopback interface. */
export function isLoopback(name: string): boolean {
  if (name === 'localhost' || name === 'localhost.' || name === '::1' || name === '[::1]') return true
  return /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(name)
}

/** `http://host:port`, with brackets around an IPv6 address. */
export function toHttpUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** A host that a browser on this machine can ask: an unspecified address, which listens on all, is not one. */
export function toReachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  return host === '::' ? '::1' : host
}
