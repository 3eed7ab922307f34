import type { CallingRequest, CallReader } from './call-reader.ts';
import type { EarlierValues } from './earlier-values.ts';

/** The reader of a request's conversation. The words and weights, which would make the start of a process a fifth longer, are loaded at the first one. */
export async function loadCallReader(request: CallingRequest, earlier?: EarlierValues): Promise<CallReader> {
  const { CallReader: Reader } = await import('./call-reader.ts');
  return new Reader(request, earlier);
}
