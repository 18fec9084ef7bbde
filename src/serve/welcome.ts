export interface Welcome {
  readonly version: string
  readonly url: string
  /** The address of the home page; null with `--site off`. */
  readonly siteUrl: string | null
  readonly dbPath: string
  /** A key created at this start, shown once; `missing`: there is no token yet. */
  readonly firstKey: string | 'missing' | null
  readonly auth: 'token' | 'local' | 'local-but-public'
  readonly hasRecords: boolean
  /** Whether anybody on the network chooses the host in links. */
  readonly trustsAnyHost: boolean
}

/** Why a public address should come with `--base-url`; also in the log. */
export const anyHostWarning = 'links in responses, and caches that keep them, follow whatever Host a client sends'

/** What the server prints when it starts: its address, and commands to try. */
export function toWelcome(welcome: Welcome): string {
  const { version, url, dbPath, auth, hasRecords } = welcome
  const header = auth === 'local' ? '' : ` -H "Authorization: Token $ROSTRUM_TOKEN"`
  const json = `-H 'Content-Type: application/json'`
  const item = `${url}/api/v2/video/1`
  return [
    `Rostrum ${version} serves ${url}`,
    ...toAddressLines(welcome),
    `Data: ${dbPath}`,
    '',
    ...(hasRecords
      ? [
          'Read a record:',
          `  curl ${item}`,
          'Change it:',
          `  curl -X PATCH${header} ${json} -d '{"whiteboard":"checked"}' ${item}`,
        ]
      : ['Read the records:', `  curl ${url}/api/v2/video`]),
    'Create one:',
    `  curl -X POST${header} ${json} -d '{"category":"My event","title":"My talk"}' ${url}/api/v2/video`,
    '',
    ...toTokenLines(welcome),
    ...toAuthLines(auth),
    ...(welcome.trustsAnyHost ? [`Without --base-url or --trusted-proxy, ${anyHostWarning}.`, ''] : []),
  ].join('\n')
}

function toAddressLines({ url, siteUrl }: Welcome): string[] {
  return siteUrl === null ? [] : [`Site: ${siteUrl}`, `API: ${url}/api/v2, described at ${url}/api/docs`]
}

function toTokenLines({ firstKey, dbPath }: Welcome): string[] {
  if (firstKey === null) return []
  if (firstKey !== 'missing') return ['Admin token, shown only this once; keep it:', `  ${firstKey}`, '']
  return [
    'There is no token yet. Create one with:',
    `  rostrum token create --name admin --role admin --db ${dbPath}`,
    '',
  ]
}

function toAuthLines(auth: Welcome['auth']): string[] {
  if (auth === 'local') {
    return [
      'Local mode is on (--auth local): your own programs on this machine, and root, may do everything without a token.',
      'Everyone else needs one.',
      '',
    ]
  }
  if (auth === 'local-but-public') {
    return [
      '--auth local has no effect, because this address is not a loopback address: every write needs a token.',
      '',
    ]
  }
  return []
}
