import { type Answer, AnswerReader } from './answer.ts'
import { type Ask, type RepeatedRequest, toHead } from './load.ts'

const timeoutMs = 5_000

/** The hot record. */
export const hotGet: Ask = { method: 'GET', target: '/api/v2/video/1', headers: {} }

/** Sends one request on a new connection and returns the raw response. */
export function exchange(port: number, ask: Ask): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const reader = new AnswerReader()
  const what = `${ask.method} ${ask.target}`
  const timer = setTimeout(() => reject(new Error(`${what}: no answer within ${timeoutMs} ms`)), timeoutMs)
  const connected = Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      open: (socket) => void socket.write(toHead(port, ask)),
      data(socket, chunk) {
        try {
          const answer = reader.read(chunk, ask.method)
          if (answer === null) return
          resolve(answer)
        } catch (error) {
          reject(error)
        }
        socket.end()
      },
      close: () => reject(new Error(`${what}: the connection was closed without an answer`)),
      error: (_socket, error) => reject(error),
    },
  })
  connected.catch(reject)
  return promise.finally(() => clearTimeout(timer))
}

/** The work for a request, after a first correct response. */
export async function toWork(port: number, ask: Ask, status: number): Promise<RepeatedRequest> {
  const answer = await exchange(port, ask)
  if (answer.status !== status) throw new Error(`${ask.method} ${ask.target}: ${status} wanted, got ${answer.head}`)
  return { kind: 'repeat', ...ask, status, answerBytes: answer.bytes }
}
