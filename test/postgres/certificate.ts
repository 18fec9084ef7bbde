import { generateKeyPairSync, sign } from 'node:crypto'

/** DER: a tag, the length, what is in it. */
function der(tag: number, ...inside: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(inside)
  const long = body.length < 256 ? [0x81, body.length] : [0x82, body.length >> 8, body.length & 0xff]
  const length = body.length < 128 ? [body.length] : long
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}

const sequence = (...inside: readonly Uint8Array[]) => der(0x30, ...inside)
const identifier = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const ecdsaWithSha256 = sequence(identifier('2a8648ce3d040302'))
const toName = (name: string) => sequence(der(0x31, sequence(identifier('550403'), der(0x0c, Buffer.from(name)))))
const toTime = (ms: number) =>
  der(0x17, Buffer.from(`${new Date(ms).toISOString().slice(2, 19).replaceAll(/[-:T]/g, '')}Z`))
const toExtension = (id: string, value: Uint8Array) => sequence(identifier(id), der(0x04, value))
const toPem = (bytes: Uint8Array) =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(bytes)
    .toString('base64')
    .replaceAll(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`

/** A certificate for a host, signed by itself and valid now, with its key; both PEM. */
export function createCertificate(host: { readonly name: string } | { readonly ip: readonly number[] }) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const dayMs = 86_400_000
  const name = 'name' in host ? der(0x82, Buffer.from(host.name)) : der(0x87, Buffer.from(host.ip))
  const extensions = [
    toExtension('551d13', sequence(der(0x01, Buffer.from([0xff])))),
    toExtension('551d11', sequence(name)),
  ]
  // Those who trust several certificates look for theirs by its owner.
  const owner = toName('name' in host ? host.name : 'Rostrum tests')
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    owner,
    sequence(toTime(Date.now() - dayMs), toTime(Date.now() + dayMs)),
    owner,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', content, privateKey))
  return {
    certificate: toPem(sequence(content, ecdsaWithSha256, signature)),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}
