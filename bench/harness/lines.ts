/** The output of a child, line by line. */
export async function* readLines(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string, undefined> {
  let text = ''
  for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
    text += chunk
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
      yield text.slice(0, end)
      text = text.slice(end + 1)
    }
  }
}
