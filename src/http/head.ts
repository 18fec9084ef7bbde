/** The request headers that we use, read in one pass: several `get` calls cost more than one loop over all (decision 5). */
export class Head {
  bytes = 0
  host: string | undefined
  /** Whether the client used TLS, as a trusted proxy says. */
  isHttps = false
  accept: string | undefined
  acceptEncoding: string | undefined
  authorization: string | undefined
  ifNoneMatch: string | undefined
  ifModifiedSince: string | undefined
  ifMatch: string | undefined
  ifUnmodifiedSince: string | undefined
  contentType: string | undefined
  contentLength: string | undefined
  contentEncoding: string | undefined
  origin: string | undefined
  preflightMethod: string | undefined
  idempotencyKey: string | undefined
  prefer: string | undefined
  reason: string | undefined
  lastEventId: string | undefined
  /** A header that only proxies send. */
  proxyHeader: string | undefined
}

export function readHead(headers: Headers): Head {
  const head = new Head()
  headers.forEach(collect, head)
  return head
}

/** The four bytes are the colon, the space and the line break. */
function collect(this: Head, value: string, name: string): void {
  this.bytes += name.length + value.length + 4
  switch (name) {
    case 'host':
      this.host = value
      break
    case 'accept':
      this.accept = value
      break
    case 'accept-encoding':
      this.acceptEncoding = value
      break
    case 'authorization':
      this.authorization = value
      break
    case 'if-none-match':
      this.ifNoneMatch = value
      break
    case 'if-modified-since':
      this.ifModifiedSince = value
      break
    case 'if-match':
      this.ifMatch = value
      break
    case 'if-unmodified-since':
      this.ifUnmodifiedSince = value
      break
    case 'content-type':
      this.contentType = value
      break
    case 'content-length':
      this.contentLength = value
      break
    case 'content-encoding':
      this.contentEncoding = value
      break
    case 'origin':
      this.origin = value
      break
    case 'access-control-request-method':
      this.preflightMethod = value
      break
    case 'idempotency-key':
      this.idempotencyKey = value
      break
    case 'prefer':
      this.prefer = value
      break
    case 'change-reason':
      this.reason = value
      break
    case 'last-event-id':
      this.lastEventId = value
      break
    default:
      this.proxyHeader ??= toProxyHeader(name)
  }
}

const proxyHeaders: { readonly [name: string]: string | undefined } = {
  forwarded: 'Forwarded',
  via: 'Via',
  'x-real-ip': 'X-Real-IP',
  'cf-connecting-ip': 'CF-Connecting-IP',
  'true-client-ip': 'True-Client-IP',
  'x-client-ip': 'X-Client-IP',
  'x-cluster-client-ip': 'X-Cluster-Client-IP',
}

function toProxyHeader(name: string): string | undefined {
  if (name.startsWith('x-forwarded-')) return 'an X-Forwarded- header'
  return Object.hasOwn(proxyHeaders, name) ? proxyHeaders[name] : undefined
}
