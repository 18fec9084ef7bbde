import { expect, test } from 'bun:test'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { findSocketOwner, type SocketOwner, type SocketPair } from '../../src/http/auth/local-mode.ts'

const uid = process.getuid?.() ?? 0
/** What our own sockets are to somebody else: root's stay root's. */
const own: SocketOwner = uid === 0 ? 'root' : 'own'
const foreign: SocketOwner = uid === 0 ? 'root' : 'other'

interface Pair {
  readonly client: Socket
  readonly ends: SocketPair
}

/** A connection to a server of our own on this address, by this name of it. */
async function withPair(listen: string, host: string, work: (pair: Pair, server: Server) => unknown): Promise<void> {
  // As every server of ours: an end that was half-closed stays open on our side.
  const server = createServer({ allowHalfOpen: true }, (socket) => void socket.on('error', () => undefined).resume())
  server.listen(0, listen)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  const accepted = once(server, 'connection') as Promise<[Socket]> // what the event carries
  const client = connect({ port, host }).on('error', () => undefined)
  const [socket] = await accepted
  const caller = { address: socket.remoteAddress ?? '', port: socket.remotePort ?? 0 }
  try {
    await work({ client, ends: { caller, own: { address: listen, port } } }, server)
  } finally {
    client.destroy()
    socket.destroy()
    server.close()
  }
}

/** The kernel may take a moment to close what a process has closed. */
async function waitFor(find: () => SocketOwner, wanted: SocketOwner): Promise<SocketOwner> {
  for (let i = 0; i < 200 && find() !== wanted; i++) await Bun.sleep(10)
  return find()
}

for (const [what, listen, host] of [
  ['IPv4', '127.0.0.1', '127.0.0.1'],
  ['IPv6', '::1', '::1'],
  ['a socket of the IPv6 family that speaks to an IPv4 address', '127.0.0.1', '::ffff:127.0.0.1'],
  ['another loopback address', '127.0.0.7', '127.0.0.7'],
] as const) {
  test(`the user of a caller is found over ${what}`, () =>
    withPair(listen, host, ({ ends }) => {
      expect(findSocketOwner(ends, uid)).toBe(own)
      expect(findSocketOwner(ends, uid + 1)).toBe(foreign)
    }))
}

test('a connection to another address or port of ours is not taken for this one', () =>
  withPair('127.0.0.1', '127.0.0.1', ({ ends }) => {
    expect(findSocketOwner({ ...ends, own: { ...ends.own, address: '127.0.0.2' } }, uid)).toBe('unknown')
    expect(findSocketOwner({ ...ends, own: { ...ends.own, port: ends.own.port - 1 } }, uid)).toBe('unknown')
    expect(findSocketOwner({ caller: ends.own, own: ends.own }, uid)).toBe('unknown')
  }))

test('a caller that has closed half of its connection has no user', () =>
  withPair('127.0.0.1', '127.0.0.1', async ({ client, ends }) => {
    client.end()
    expect(await waitFor(() => findSocketOwner(ends, uid), 'unknown')).toBe('unknown')
  }))

test('a caller that has disconnected has no user, although the kernel lists its socket as root’s', () =>
  withPair('127.0.0.1', '127.0.0.1', async ({ client, ends }) => {
    client.destroy()
    expect(await waitFor(() => findSocketOwner(ends, uid), 'unknown')).toBe('unknown')
  }))

test('addresses that are not on loopback have no user', () => {
  const end = { address: 'fe80::1', port: 1 }
  expect(findSocketOwner({ caller: end, own: end }, uid)).toBe('unknown')
})

test('a caller is found among hundreds of connections', () =>
  withPair('127.0.0.1', '127.0.0.1', async ({ ends }, server) => {
    const crowd = Array.from({ length: 400 }, () => connect(ends.own.port, '127.0.0.1'))
    await Promise.all(crowd.map((socket) => once(socket, 'connect')))
    expect(findSocketOwner(ends, uid)).toBe(own)
    for (const socket of crowd) socket.destroy()
    server.unref()
  }))
