import { type Answer, jsonAnswer, streamAnswer } from './answer.ts';
import type { Behaviour } from './behaviour.ts';
import { openaiHeaders } from './openai-answer.ts';

/** A placeholder for a picture; its content does not matter. */
const PICTURE = Buffer.from('a picture of the mock upstream').toString('base64');
const TRANSCRIPT = 'Good evening. All is well here.';
const CREATED = 1_795_231_800;
const IMAGE_USAGE = {
  input_tokens: 7,
  input_tokens_details: { text_tokens: 7, image_tokens: 0 },
  output_tokens: 272,
  total_tokens: 279,
};
const SPEECH_USAGE = { type: 'tokens', input_tokens: 14, output_tokens: 8, total_tokens: 22 };

export function isMediaPath(path: string): boolean {
  return isImagesPath(path) || /\/audio\/(?:transcriptions|translations|speech)$/.test(path);
}

/** The response to a request for images or a transcript, in the form of platform.openai.com/docs/api-reference. */
export function mediaAnswer(behaviour: Behaviour, path: string, body: Buffer): Answer {
  if (path.endsWith('/audio/speech')) return speechAnswer(behaviour, body);
  if (path.endsWith('/images/edits')) return imagesAnswer(behaviour, editOf(body), 'image_edit');
  return isImagesPath(path)
    ? imagesAnswer(behaviour, JSON.parse(body.toString()) as ImagesAsked, 'image_generation')
    : transcriptAnswer(behaviour, body);
}

function isImagesPath(path: string): boolean {
  return /\/images\/(?:generations|edits)$/.test(path);
}

interface ImagesAsked {
  n?: number;
  stream?: boolean;
  partial_images?: number;
}

/** An edit is a form or JSON. */
function editOf(body: Buffer): ImagesAsked {
  if (body[0] === '{'.charCodeAt(0)) return JSON.parse(body.toString()) as ImagesAsked;
  return {
    n: Number(fieldIn(body, 'n') ?? 1),
    stream: fieldIn(body, 'stream') === 'true',
    partial_images: Number(fieldIn(body, 'partial_images') ?? 0),
  };
}

function fieldIn(form: Buffer, name: string): string | undefined {
  return new RegExp(`name="${name}"\\r\\n(?:[^\\r\\n]+\\r\\n)*\\r\\n([^\\r\\n]*)`).exec(form.toString('latin1'))?.[1];
}

/** Bytes of every value, in several writes. */
export const SPOKEN = Buffer.from(Array.from({ length: 3_000 }, (_, at) => (at * 7) % 256));

function speechAnswer({ usage, extra }: Behaviour, body: Buffer): Answer {
  const { stream_format: format } = JSON.parse(body.toString()) as { stream_format?: string };
  const pieces = [SPOKEN.subarray(0, 1_000), SPOKEN.subarray(1_000, 1_001), SPOKEN.subarray(1_001)];
  if (format !== 'sse') {
    const headers = { ...openaiHeaders(), 'content-type': 'audio/mpeg', 'x-internal': 'of the provider' };
    return { status: 200, headers, streamed: true, chunks: pieces };
  }
  const counts = usage === null ? {} : { usage: { input_tokens: 5, output_tokens: 40, total_tokens: 45, ...usage } };
  const events = [
    ...pieces.map((piece) => ({ type: 'speech.audio.delta', audio: piece.toString('base64'), ...extra })),
    { type: 'speech.audio.done', ...counts, ...extra },
  ];
  return streamAnswer(
    openaiHeaders(),
    events.map((event) => `data: ${JSON.stringify(event)}\n\n`),
  );
}

function imagesAnswer(
  { text, usage, extra }: Behaviour,
  { n, stream, partial_images: partial = 0 }: ImagesAsked,
  kind: string,
): Answer {
  const counts = usage === null ? {} : { usage: { ...IMAGE_USAGE, ...usage } };
  const revised = text === undefined ? {} : { revised_prompt: text };
  if (!stream) {
    const data = Array.from({ length: n ?? 1 }, () => ({ b64_json: PICTURE, ...revised }));
    return jsonAnswer(200, openaiHeaders(), { created: CREATED, data, ...counts, ...extra });
  }
  const event = (type: string, rest: object) => {
    const fields = { type: `${kind}.${type}`, b64_json: PICTURE, created_at: CREATED, ...rest, ...extra };
    return `event: ${fields.type}\ndata: ${JSON.stringify(fields)}\n\n`;
  };
  const partials = Array.from({ length: partial }, (_, at) => event('partial_image', { partial_image_index: at }));
  return streamAnswer(openaiHeaders(), [...partials, event('completed', { ...revised, ...counts })]);
}

function transcriptAnswer({ text = TRANSCRIPT, pieces, usage, extra }: Behaviour, body: Buffer): Answer {
  const field = (name: string) => fieldIn(body, name);
  const format = field('response_format') ?? 'json';
  const words = pieces ?? text.split(/(?= )/);
  const counts = usage === null ? {} : { usage: { ...SPEECH_USAGE, ...usage } };
  const segments = twoSegments(text, format === 'diarized_json');
  // As OpenAI says of it: a stream is not supported, and the field ignored.
  if (field('stream') === 'true' && field('model') !== 'whisper-1') {
    const events = [
      ...words.map((delta) => ({ type: 'transcript.text.delta', delta, ...extra })),
      ...(format === 'diarized_json' ? segments : []),
      { type: 'transcript.text.done', text, ...counts, ...extra },
    ];
    return streamAnswer(
      openaiHeaders(),
      events.map((event) => `data: ${JSON.stringify(event)}\n\n`),
    );
  }
  const plain = plainTranscript(format, text, segments);
  if (plain !== undefined) {
    const headers = { ...openaiHeaders(), 'content-type': 'text/plain; charset=utf-8' };
    return { status: 200, headers, streamed: false, chunks: [Buffer.from(plain)] };
  }
  const spoken = text.split(/\s+/).map((word, at) => ({ word, start: at, end: at + 1 }));
  const detail = format === 'json' ? {} : { task: 'transcribe', duration: 2, segments };
  const verbose = format === 'verbose_json' ? { language: 'english', words: spoken } : {};
  return jsonAnswer(200, openaiHeaders(), { text, ...detail, ...verbose, ...counts, ...extra });
}

/** The text cut into two in the middle of its words. */
function twoSegments(text: string, diarized: boolean) {
  const words = text.split(' ');
  const half = Math.ceil(words.length / 2);
  return [words.slice(0, half), words.slice(half)].map((part, at) => {
    const said = { start: at, end: at + 1, text: part.join(' ') };
    if (diarized) return { type: 'transcript.text.segment', id: `seg_${at}`, speaker: 'AB'[at], ...said };
    // Whisper writes the space between two segments.
    return { id: at, seek: 0, ...said, text: ` ${said.text}`, tokens: [50364, 1], temperature: 0 };
  });
}

function plainTranscript(format: string, text: string, segments: readonly { readonly text: string }[]) {
  if (format === 'text') return `${text}\n`;
  const times = ['00:00:00,000 --> 00:00:01,000', '00:00:01,000 --> 00:00:02,000'];
  if (format === 'srt') return segments.map((each, at) => `${at + 1}\n${times[at]}\n${each.text.trim()}\n\n`).join('');
  const cues = segments.map((each, at) => `${times[at]?.replaceAll(',', '.')}\n${each.text.trim()}\n\n`).join('');
  return format === 'vtt' ? `WEBVTT\n\n${cues}` : undefined;
}
