/** `http://host:port`, with brackets where an IPv6 address needs them. */
export function toHttpUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
