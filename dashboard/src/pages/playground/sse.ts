/** The `data` of each event of a stream as it comes, however the network cut it; comments and other fields are skipped. */
export async function* eventData(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of stream) {
    rest += decoder.decode(bytes, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop() as string;
    for (const line of lines) {
      // The gateway writes each event's data on one line.
      if (line.startsWith('data:')) yield line.slice('data:'.length).trim();
    }
  }
}

/** The chunks of a body; ends the request where the reader of them stops before its end. */
export async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
