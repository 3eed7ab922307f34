import { readFileSync } from 'node:fs';

/** The bytes of a provider's reply from `__fixtures__`. */
export function readFixture(name: string): Uint8Array {
  return readFileSync(new URL(`./__fixtures__/${name}`, import.meta.url));
}

/** A body that arrives in these pieces. */
export async function* arriving(...pieces: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}
