import type { ImageSettings, ImagesRequest } from '../../protocols/openai-images/images-protocol.ts';
import type { TranscriptionsRequest } from '../../protocols/openai-transcriptions/transcriptions-protocol.ts';
import type { ProviderResponse } from '../../routing/index.ts';
import { tokensOf } from './echo-tokens.ts';

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
