// Loaded into a thread before its own program: its wall clock can be moved, as an operator or a time server moves one.

const RealDate = Date
let shiftMs = 0

globalThis.Date = class extends RealDate {
  constructor(...args: [] | [value: string | number]) {
    const [value = RealDate.now() + shiftMs] = args
    super(value)
  }

  static override now(): number {
    return RealDate.now() + shiftMs
  }
} as typeof Date

const channel = new BroadcastChannel('clock')
channel.onmessage = ({ data }: { readonly data: unknown }) => {
  if (typeof data !== 'number') return
  shiftMs = data
  channel.postMessage('moved')
}
channel.unref()
