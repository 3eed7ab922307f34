import { GatewayError } from '../../core/base/errors.ts';
import type { ChatRequest } from '../../core/model/chat.ts';
import type { EmbeddingsRequest } from '../../core/protocols/openai-embeddings/embeddings-schema.ts';
import type { ImageSettings, ImagesRequest } from '../../core/protocols/openai-images/images-protocol.ts';
import type { TranscriptionsRequest } from '../../core/protocols/openai-transcriptions/transcriptions-protocol.ts';
import type { RerankRequest } from '../../core/protocols/rerank/rerank-schema.ts';
import type { ProviderResponse } from '../../core/routing/provider.ts';

const DEFAULT_DIMENSIONS = 256;
/** Dimensions of any provider's embeddings, and numbers in one response. */
const MAX_DIMENSIONS = 4_096;
const MAX_NUMBERS = 2 ** 20;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * Deterministic embeddings to try the gateway: word counts, each word hashed to a dimension, as a unit vector. Texts that share
 * words are close to each other.
 * @throws GatewayError `invalid_value` for more numbers than one response may hold
 */
export function echoEmbeddings(
  { input, dimensions = DEFAULT_DIMENSIONS, encoding_format }: EmbeddingsRequest,
  model: string,
  tokens: number,
): object {
  const texts = typeof input === 'string' ? [input] : typeof input[0] === 'number' ? [input] : input;
  checkDimensions(dimensions, texts.length, 'dimensions');
  const data = texts.map((text, index) => {
    const vector = unitVector(wordsOf(text as string | readonly number[]), dimensions);
    return { object: 'embedding', index, embedding: encoding_format === 'base64' ? toBase64(vector) : [...vector] };
  });
  return { object: 'list', data, model, usage: { prompt_tokens: tokens, total_tokens: tokens } };
}

function checkDimensions(dimensions: number, texts: number, param: string): void {
  if (dimensions <= MAX_DIMENSIONS && dimensions * texts <= MAX_NUMBERS) return;
  const message = `'${param}': echo returns at most ${MAX_DIMENSIONS} per text, and ${MAX_NUMBERS} for all texts together.`;
  throw new GatewayError('invalid_value', message, { param });
}

/** The same vectors in Google's format, one for each message. @throws GatewayError `invalid_value` for too many numbers */
export function echoGeminiEmbeddings({ messages }: ChatRequest, body: unknown): { readonly values: number[] }[] {
  const { requests } = body as { requests?: readonly unknown[] };
  const [first] = requests ?? [body];
  const { outputDimensionality, output_dimensionality } = first as Record<string, number | undefined>;
  const dimensions = outputDimensionality ?? output_dimensionality ?? DEFAULT_DIMENSIONS;
  checkDimensions(dimensions, messages.length, 'outputDimensionality');
  const texts = messages.map(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : '')).join(' '));
  return texts.map((text) => ({ values: [...unitVector(wordsOf(text), dimensions)] }));
}

/** Documents by the words that they share with the query, in Cohere's format with Jina's `usage` and documents. */
export function echoRanking({ query, documents, top_n, return_documents }: RerankRequest): ProviderResponse {
  const asked = wordsOf(query);
  const vector = unitVector(asked, DEFAULT_DIMENSIONS);
  let tokens = 0;
  const scored = documents.map((document, index) => {
    const text = typeof document === 'string' ? document : document.text;
    const words = wordsOf(text);
    tokens += asked.length + words.length;
    const other = unitVector(words, DEFAULT_DIMENSIONS);
    const score = vector.reduce((sum, value, at) => sum + value * (other[at] as number), 0);
    return { index, relevance_score: Number(score.toFixed(6)), ...(return_documents && { document: { text } }) };
  });
  const results = scored.sort((one, other) => other.relevance_score - one.relevance_score).slice(0, top_n);
  const body = { id: crypto.randomUUID(), model: 'echo', results, usage: { total_tokens: tokens } };
  return { kind: 'native', body: JSON.stringify(body) };
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

/** Little-endian, as OpenAI's clients decode it. */
function toBase64(vector: Float32Array): string {
  const bytes = new DataView(new ArrayBuffer(vector.length * 4));
  for (const [at, value] of vector.entries()) bytes.setFloat32(at * 4, value, true);
  return btoa(String.fromCharCode(...new Uint8Array(bytes.buffer)));
}

/** A PNG of one grey pixel. */
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mNoaGgAAAMEAYF1LgG8AAAAAElFTkSuQmCC';
/** Tokens per picture. */
const TOKENS_AN_IMAGE = 1;
const FORM = { background: 'opaque', output_format: 'png', quality: 'low', size: '1x1' };

/** `n` copies of the same picture, as base64 or as a data URL. */
export function echoImages(
  { n, partial_images: partial, response_format: format }: ImageSettings & Pick<ImagesRequest, 'response_format'>,
  stream: boolean,
  inputTokens: number,
  events: 'image_generation' | 'image_edit',
): ProviderResponse {
  const count = n ?? 1;
  const created = Math.floor(Date.now() / 1000);
  const usage = {
    input_tokens: inputTokens,
    input_tokens_details: { text_tokens: inputTokens, image_tokens: 0 },
    output_tokens: TOKENS_AN_IMAGE * count,
    total_tokens: inputTokens + TOKENS_AN_IMAGE * count,
  };
  if (stream) return { kind: 'native-stream', chunks: imageEvents(events, count, partial ?? 0, created, usage) };
  const image = format === 'url' ? { url: `data:image/png;base64,${PICTURE}` } : { b64_json: PICTURE };
  return { kind: 'native', body: JSON.stringify({ created, ...FORM, data: Array(count).fill(image), usage }) };
}

async function* imageEvents(
  kind: string,
  count: number,
  partial: number,
  created_at: number,
  usage: { readonly input_tokens: number },
): AsyncGenerator<string[]> {
  const event = (type: string, rest: object) =>
    JSON.stringify({ type: `${kind}.${type}`, b64_json: PICTURE, created_at, ...FORM, ...rest });
  for (let index = 0; index < partial; index += 1) yield [event('partial_image', { partial_image_index: index })];
  // The last event has the usage of all pictures.
  for (let index = 1; index <= count; index += 1) yield [event('completed', index === count ? { usage } : {})];
}

/** The transcript of any audio. */
const TRANSCRIPT = 'Hello from the echo model.';
const SECONDS = 1.5;
const SEGMENT = { start: 0, end: SECONDS, text: TRANSCRIPT };

/** The fixed transcript in each of OpenAI's formats, streamed token by token. */
export function echoTranscript(
  { response_format: format = 'json', ...body }: TranscriptionsRequest,
  stream: boolean,
  inputTokens: number,
): ProviderResponse {
  const tokens = tokensOf(TRANSCRIPT);
  const usage = {
    type: 'tokens',
    input_tokens: inputTokens,
    input_token_details: { text_tokens: inputTokens, audio_tokens: 0 },
    output_tokens: tokens.length,
    total_tokens: inputTokens + tokens.length,
  };
  if (stream) return { kind: 'native-stream', chunks: transcriptEvents(tokens, format === 'diarized_json', usage) };
  return { kind: 'native', body: whole(format, body.timestamp_granularities, usage) };
}

function whole(format: NonNullable<TranscriptionsRequest['response_format']>, granularities: unknown, usage: object) {
  switch (format) {
    case 'text':
      return `${TRANSCRIPT}\n`;
    case 'srt':
      return `1\n00:00:00,000 --> 00:00:01,500\n${TRANSCRIPT}\n\n`;
    case 'vtt':
      return `WEBVTT\n\n00:00:00.000 --> 00:00:01.500\n${TRANSCRIPT}\n\n`;
    case 'verbose_json':
      return JSON.stringify({
        task: 'transcribe',
        language: 'english',
        duration: SECONDS,
        text: TRANSCRIPT,
        segments: [{ id: 0, seek: 0, ...SEGMENT, tokens: [], temperature: 0, avg_logprob: 0, compression_ratio: 1 }],
        ...(Array.isArray(granularities) && granularities.includes('word') && { words: words() }),
        usage,
      });
    case 'diarized_json':
      return JSON.stringify({
        task: 'transcribe',
        duration: SECONDS,
        text: TRANSCRIPT,
        segments: [speech()],
        usage,
      });
    default:
      return JSON.stringify({ text: TRANSCRIPT, usage });
  }
}

async function* transcriptEvents(
  tokens: readonly string[],
  diarized: boolean,
  usage: object,
): AsyncGenerator<string[]> {
  for (const delta of tokens) yield [JSON.stringify({ type: 'transcript.text.delta', delta })];
  const segment = diarized ? [JSON.stringify(speech())] : [];
  yield [...segment, JSON.stringify({ type: 'transcript.text.done', text: TRANSCRIPT, usage })];
}

function speech(): object {
  return { type: 'transcript.text.segment', id: 'seg_0', speaker: 'A', ...SEGMENT };
}

/** The transcript's words, with equal durations. */
function words(): object[] {
  const all = TRANSCRIPT.replaceAll(/[^\w ]/g, '').split(' ');
  return all.map((word, at) => ({
    word,
    start: (SECONDS * at) / all.length,
    end: (SECONDS * (at + 1)) / all.length,
  }));
}

/** Half a second of silence: mono WAV with 8,000 samples a second of 8 bits (http://soundfile.sapp.org/doc/WaveFormat/). */
function silence(): Buffer {
  const samples = Buffer.alloc(4_000, 0x80);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8_000, 24);
  head.writeUInt32LE(8_000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}

/** Tokens of the silence. */
const TOKENS_OF_SPEECH = 1;

/** The same silence for every text and format, as bytes or as events. */
export function echoSpeech(stream: boolean, inputTokens: number): ProviderResponse {
  if (stream) return { kind: 'native-stream', chunks: speechEvents(inputTokens) };
  return { kind: 'media', mediaType: 'audio/wav', bytes: inTwo(silence()) };
}

async function* inTwo(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes.subarray(0, 44);
  yield bytes.subarray(44);
}

async function* speechEvents(inputTokens: number): AsyncGenerator<string[]> {
  yield [JSON.stringify({ type: 'speech.audio.delta', audio: silence().toString('base64') })];
  const usage = {
    input_tokens: inputTokens,
    output_tokens: TOKENS_OF_SPEECH,
    total_tokens: inputTokens + TOKENS_OF_SPEECH,
  };
  yield [JSON.stringify({ type: 'speech.audio.done', usage })];
}

/** A token of the echo model: a word with the space before it, or a single other character. Its length is bounded, for the pauses. */
const TOKEN = /\s{0,256}[\p{L}\p{N}_]{1,256}|\s{0,256}[^\s\p{L}\p{N}_]|\s{1,256}/gu;

/** The tokens of a text; joined, they are the text. */
function tokensOf(text: string): string[] {
  return text.match(TOKEN) ?? [];
}

/** Units that take about a millisecond to split, after which other tasks may run. */
const STEP_UNITS = 32_768;

/** The first `most` tokens of a text, and how many it has. */
export async function firstTokens(
  text: string,
  most: number,
): Promise<{ readonly first: string[]; readonly count: number }> {
  const first: string[] = [];
  let count = 0;
  let pauseAt = STEP_UNITS;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (count < most) first.push(token);
    count += 1;
    if (index < pauseAt) continue;
    pauseAt = index + STEP_UNITS;
    await new Promise(setImmediate);
  }
  return { first, count };
}

/** The number of tokens in all texts of a request. */
export async function countInput(request: ChatRequest): Promise<number> {
  let sum = 0;
  let units = 0;
  for (const { parts } of request.messages) {
    for (const part of parts) {
      if (part.type !== 'text') continue;
      sum += (await firstTokens(part.text, 0)).count;
      units += part.text.length;
      // A short text is read without a pause.
      if (units < STEP_UNITS) continue;
      units = 0;
      await new Promise(setImmediate);
    }
  }
  return sum;
}
