import { GatewayError } from '../../core/base/errors.ts';
import type { EmbeddingsRequest } from '../../core/protocols/openai-embeddings/embeddings-schema.ts';

const DEFAULT_DIMENSIONS = 256;
/** As many as embeddings of any provider have; and of all texts together, numbers that an answer may hold. */
const MAX_DIMENSIONS = 4_096;
const MAX_NUMBERS = 2 ** 20;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * Embeddings for trying the gateway: of each text the counts of its words, each word hashed to a place, as a unit vector. The
 * same text has the same vector everywhere, and texts that share words are near each other.
 * @throws GatewayError `invalid_value` for more numbers than an answer may hold
 */
export function echoEmbeddings(
  { input, dimensions = DEFAULT_DIMENSIONS, encoding_format }: EmbeddingsRequest,
  model: string,
  tokens: number,
): object {
  const texts = typeof input === 'string' ? [input] : typeof input[0] === 'number' ? [input] : input;
  if (dimensions > MAX_DIMENSIONS || dimensions * texts.length > MAX_NUMBERS) {
    const message = `'dimensions': echo gives at most ${MAX_DIMENSIONS} a text, and ${MAX_NUMBERS} for all texts together.`;
    throw new GatewayError('invalid_value', message, { param: 'dimensions' });
  }
  const data = texts.map((text, index) => {
    const vector = unitVector(wordsOf(text as string | readonly number[]), dimensions);
    return { object: 'embedding', index, embedding: encoding_format === 'base64' ? toBase64(vector) : [...vector] };
  });
  return { object: 'list', data, model, usage: { prompt_tokens: tokens, total_tokens: tokens } };
}

function wordsOf(input: string | readonly number[]): string[] {
  if (typeof input !== 'string') return input.map(String);
  return input.toLowerCase().match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [input];
}

function unitVector(words: readonly string[], dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const word of words) {
    const place = hash(word) % dimensions;
    vector[place] = (vector[place] as number) + 1;
  }
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** FNV-1a, 32 bits: http://www.isthe.com/chongo/tech/comp/fnv/ */
function hash(word: string): number {
  let value = FNV_OFFSET;
  for (let at = 0; at < word.length; at++) value = Math.imul(value ^ word.charCodeAt(at), FNV_PRIME);
  return value >>> 0;
}

/** Little-endian, as OpenAI's clients read it on every machine in use. */
function toBase64(vector: Float32Array): string {
  const bytes = new DataView(new ArrayBuffer(vector.length * 4));
  for (const [at, value] of vector.entries()) bytes.setFloat32(at * 4, value, true);
  return btoa(String.fromCharCode(...new Uint8Array(bytes.buffer)));
}
