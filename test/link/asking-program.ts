import { connect } from 'node:net'

/** Asks as many hosts, once a second each, as a link check does, in a process of its own and with as little work as possible. */
const [port, hosts] = process.argv.slice(2).map(Number)
if (port === undefined || hosts === undefined) throw new Error('usage: asking-program.ts PORT HOSTS')

function ask(host: string): void {
  const socket = connect({ host, port: port ?? 0 }, () =>
    socket.write(`HEAD /fine HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
  )
  socket.on('data', () => socket.destroy())
  socket.on('error', () => socket.destroy())
}

for (let i = 0; i < hosts; i++) setTimeout(() => setInterval(() => ask(`127.0.1.${i + 1}`), 1_000), (i * 1_000) / hosts)
