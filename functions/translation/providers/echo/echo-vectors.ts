import { GatewayError } from '../../../kernel/errors/index.ts';
import type { ChatRequest } from '../../../kernel/model/index.ts';
import type { EmbeddingsRequest } from '../../protocols/openai-embeddings/embeddings-schema.ts';
import type { RerankRequest } from '../../protocols/rerank/rerank-schema.ts';
import type { ProviderResponse } from '../../routing/index.ts';
import { Pauses } from './echo-tokens.ts';

const DEFAULT_DIMENSIONS = 256;
/** Dimensions of any provider's embeddings, and numbers in one response. */
const MAX_DIMENSIONS = 4_096;
const MAX_NUMBERS = 2 ** 20;
const WORD = /[^\s]/u;
const WORDS = /[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu;
/** A word takes as long as so many units, in addition to its length. */
const WORD_UNITS = 4;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * Deterministic embeddings to try the gateway: word counts, each word hashed to a dimension, as a unit vector. Texts that share
 * words are close to each other.
 * @throws GatewayError `invalid_value` for more numbers than one response may hold
 */
export async function echoEmbeddings(
  { input, dimensions = DEFAULT_DIMENSIONS, encoding_format }: EmbeddingsRequest,
  model: string,
  tokens: number,
): Promise<object> {
  const texts = typeof input === 'string' ? [input] : typeof input[0] === 'number' ? [input] : input;
  checkDimensions(dimensions, texts.length, 'dimensions');
  const pauses = new Pauses();
  const data: object[] = [];
  for (const [index, text] of texts.entries()) {
    const { vector } = await unitVector(text as string | readonly number[], dimensions, pauses);
    const embedding = encoding_format === 'base64' ? toBase64(vector) : [...vector];
    data.push({ object: 'embedding', index, embedding });
  }
  return { object: 'list', data, model, usage: { prompt_tokens: tokens, total_tokens: tokens } };
}

function checkDimensions(dimensions: number, texts: number, param: string): void {
  if (dimensions <= MAX_DIMENSIONS && dimensions * texts <= MAX_NUMBERS) return;
  const message = `'${param}': echo returns at most ${MAX_DIMENSIONS} per text, and ${MAX_NUMBERS} for all texts together.`;
  throw new GatewayError('invalid_value', message, { param });
}

/** The same vectors in Google's format, one for each message. @throws GatewayError `invalid_value` for too many numbers */
export async function echoGeminiEmbeddings(
  { messages }: ChatRequest,
  body: unknown,
): Promise<{ readonly values: number[] }[]> {
  const { requests } = body as { requests?: readonly unknown[] };
  const [first] = requests ?? [body];
  const { outputDimensionality, output_dimensionality } = first as Record<string, number | undefined>;
  const dimensions = outputDimensionality ?? output_dimensionality ?? DEFAULT_DIMENSIONS;
  checkDimensions(dimensions, messages.length, 'outputDimensionality');
  const texts = messages.map(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : '')).join(' '));
  const pauses = new Pauses();
  const embeddings: { values: number[] }[] = [];
  for (const text of texts) embeddings.push({ values: [...(await unitVector(text, dimensions, pauses)).vector] });
  return embeddings;
}

/** Documents by the words that they share with the query, in Cohere's format with Jina's `usage` and documents. */
export async function echoRanking({
  query,
  documents,
  top_n,
  return_documents,
}: RerankRequest): Promise<ProviderResponse> {
  const pauses = new Pauses();
  const asked = await unitVector(query, DEFAULT_DIMENSIONS, pauses);
  let tokens = 0;
  const scored: { readonly index: number; readonly relevance_score: number }[] = [];
  for (const [index, document] of documents.entries()) {
    const text = typeof document === 'string' ? document : document.text;
    const other = await unitVector(text, DEFAULT_DIMENSIONS, pauses);
    tokens += asked.words + other.words;
    const score = asked.vector.reduce((sum, value, at) => sum + value * (other.vector[at] as number), 0);
    const relevance_score = Number(score.toFixed(6));
    scored.push({ index, relevance_score, ...(return_documents && { document: { text } }) });
  }
  const results = scored.sort((one, other) => other.relevance_score - one.relevance_score).slice(0, top_n);
  const body = { id: crypto.randomUUID(), model: 'echo', results, usage: { total_tokens: tokens } };
  return { kind: 'native', body: JSON.stringify(body) };
}

/** The words of a text, or its tokens. A text without words is one. */
function* wordsOf(input: string | readonly number[]): Generator<string> {
  if (typeof input !== 'string') for (const token of input) yield String(token);
  else if (!WORD.test(input)) yield input;
  else for (const [word] of input.toLowerCase().matchAll(WORDS)) yield word;
}

/** The unit vector of a text's words, and how many it has. */
async function unitVector(
  input: string | readonly number[],
  dimensions: number,
  pauses: Pauses,
): Promise<{ readonly vector: Float32Array; readonly words: number }> {
  const vector = new Float32Array(dimensions);
  let words = 0;
  for (const word of wordsOf(input)) {
    const place = hash(word) % dimensions;
    vector[place] = (vector[place] as number) + 1;
    words += 1;
    if (pauses.areDue(WORD_UNITS + word.length)) await pauses.next();
  }
  const length = Math.hypot(...vector);
  return { vector: vector.map((value) => value / length), words };
}

/** FNV-1a, 32 bits: http://www.isthe.com/chongo/tech/comp/fnv/ */
function hash(word: string): number {
  let value = FNV_OFFSET;
  for (let at = 0; at < word.length; at++) value = Math.imul(value ^ word.charCodeAt(at), FNV_PRIME);
  return value >>> 0;
}

/** Little-endian, as OpenAI's clients decode it. */
function toBase64(vector: Float32Array): string {
  const bytes = new DataView(new ArrayBuffer(vector.length * 4));
  for (const [at, value] of vector.entries()) bytes.setFloat32(at * 4, value, true);
  return btoa(String.fromCharCode(...new Uint8Array(bytes.buffer)));
}
