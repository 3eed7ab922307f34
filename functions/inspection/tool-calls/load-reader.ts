import type { CallReader } from './call-reader.ts';

/** The reader of a request's conversation. The words and weights, which would make the start of a process a fifth longer, are loaded at the first one. */
export async function loadCallReader(...args: ConstructorParameters<typeof CallReader>): Promise<CallReader> {
  const { CallReader: Reader } = await import('./call-reader.ts');
  return new Reader(...args);
}
