import type { ChatDelta } from '../core/model/chat.ts';

/** Reads the chunks of one streamed answer, in order. */
export interface ChunkReader {
  /** @throws GatewayError where the text is no chunk */
  read(json: string): ChatDelta[];
}

/** The steps that a stream's chunks give, batch by batch: up to the first that cannot be read, however they came together. */
export async function* readDeltas(
  reader: ChunkReader,
  chunks: AsyncIterable<readonly string[]>,
): AsyncGenerator<ChatDelta[]> {
  for await (const batch of chunks) {
    const { deltas, failure } = readBatch(reader, batch);
    if (deltas.length > 0) yield deltas;
    if (failure !== undefined) throw failure;
  }
}

function readBatch(reader: ChunkReader, batch: readonly string[]): { deltas: ChatDelta[]; failure?: unknown } {
  const deltas: ChatDelta[] = [];
  try {
    for (const json of batch) deltas.push(...reader.read(json));
    return { deltas };
  } catch (failure) {
    return { deltas, failure };
  }
}
