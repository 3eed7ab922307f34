import * as z from 'zod';
import { toParam } from '../../../kernel/errors/index.ts';
import type { JsonPath } from '../../../kernel/json/index.ts';
import { type RequestText, type RequestTexts, securityInfoSchema } from '../../../kernel/model/index.ts';
import type { Steps } from '../../../kernel/tasks/index.ts';
import { formFile, formModel, refuseOtherFiles } from '../bodies/form-fields.ts';
import { openAiIds } from '../bodies/named-ids.ts';
import { furtherModels } from '../bodies/named-resources.ts';
import { checkBody } from '../bodies/request-body.ts';
import { Places } from '../bodies/request-places.ts';
import { outsideMessages, RequestTextReader } from '../bodies/request-texts.ts';
import { bytesOf, hasAddress } from '../bodies/token-bounds.ts';
import type { Protocol } from '../protocol.ts';
import { PlainTranscriptFormat, TRANSCRIPT_FRAMING, TranscriptFormat } from './transcript-format.ts';

const JSON_FORMATS = ['json', 'verbose_json', 'diarized_json'] as const;
const PLAIN_FORMATS = ['text', 'srt', 'vtt'] as const;

const temperature = z
  .string()
  .refine((text) => text.trim() !== '' && Number(text) >= 0 && Number(text) <= 1, 'must be a number from 0 to 1');

/** The fields of a transcription request that the gateway reads; every other field passes unchanged. */
export const transcriptionsRequestSchema = z
  .looseObject({
    file: formFile,
    model: formModel,
    prompt: z.string().optional(),
    language: z.string().max(64).optional(),
    response_format: z.enum([...JSON_FORMATS, ...PLAIN_FORMATS]).optional(),
    stream: z.enum(['true', 'false']).optional(),
    temperature: temperature.optional(),
  })
  .superRefine(refuseOtherFiles(['file']));

/** The same of a translation request; OpenAI's API has no streams of translations. */
export const translationsRequestSchema = z
  .looseObject({
    file: formFile,
    model: formModel,
    prompt: z.string().optional(),
    response_format: z.enum(['json', 'verbose_json', ...PLAIN_FORMATS]).optional(),
    stream: z.enum(['false'], 'is not available for translations').optional(),
    temperature: temperature.optional(),
  })
  .superRefine(refuseOtherFiles(['file']));

export type TranscriptionsRequest = z.infer<typeof transcriptionsRequestSchema>;

const PLACES = new Places({
  fixed: 'response_format stream temperature type',
  names: 'filename filename* language',
});
/** Text, and reference voices of a few seconds. */
const NOT_AUDIO = new Set(['prompt', 'known_speaker_references']);
/** A reference voice, as the parsed form shows it. */
const REFERENCE = /^known_speaker_references\[\d+\]$/;
const AUDIO_URL = /^data:audio\/[\w.+-]+(?:;[\w=.+-]+)*;base64,\(\d+ characters\)$/;

/** Same bound as for chat audio: at most 50 tokens and at least 750 bytes a second. */
const BYTES_PER_TOKEN = 15;
/** Speech has at most ten tokens a second. */
const BYTES_PER_SPOKEN_TOKEN = 75;
/** OpenAI counts ten tokens a second, and speech is rarely sent below 16 kbit/s. */
const USUAL_BYTES_PER_TOKEN = 200;
/** Tokens that a model reads and writes around the audio. */
const AROUND = 64;
/** The context limit of these models: https://platform.openai.com/docs/models/gpt-4o-transcribe */
const CONTEXTS = /(?:^|\/)gpt-4o-(?:mini-)?transcribe/;
const CONTEXT_TOKENS = 16_000;
/** No model has a larger context. */
const LONGEST_CONTEXT = 2_000_000;

/** OpenAI's transcriptions of audio. The prompt, the file name and the transcript are inspected; the audio is not. */
export const TRANSCRIPTIONS_PROTOCOL = transcriptProtocol(
  'openai-transcriptions',
  transcriptionsRequestSchema,
  streamsTranscript,
);

/** OpenAI's translations of audio into English: transcripts that are never streamed. */
export const TRANSLATIONS_PROTOCOL = transcriptProtocol('openai-translations', translationsRequestSchema, () => false);

function transcriptProtocol(
  operation: 'openai-transcriptions' | 'openai-translations',
  schema: z.ZodType<TranscriptionsRequest>,
  streams: (body: unknown) => boolean,
): Protocol<TranscriptionsRequest> {
  /** Whether the response is plain text, which has no place for `svc`. */
  const isPlain = (body: unknown) => {
    const { response_format: format } = body as Partial<TranscriptionsRequest>;
    return PLAIN_FORMATS.some((plain) => plain === format) && !streams(body);
  };
  return {
    operation,
    framing: TRANSCRIPT_FRAMING,
    responseKind: (body) => (streams(body) ? 'events' : isPlain(body) ? 'text' : 'json'),
    check: (document) => checkBody(schema, document, PLACES),
    read: (body) => ({
      model: body.model,
      messages: body.prompt ? [{ role: 'user', parts: [{ type: 'text', text: body.prompt }] }] : [],
      stream: streams(body),
      includeUsage: true,
      choiceCount: 0,
      others: [],
    }),
    texts,
    covered: (_, found) => [...new Set(found.filter(({ isFixed }) => !isFixed).map(({ path }) => placeOf(path)))],
    addToPrompt: () => undefined,
    boundInputTokens: (body, contextTokens) => {
      const { model, file, ...rest } = body;
      const most = contextTokens ?? contextOf(model);
      if (audioElsewhere(body).length > 0) return most;
      return Math.min(AROUND + Math.ceil(file.bytes / BYTES_PER_TOKEN) + bytesOf(rest), most);
    },
    boundOutputTokens: (body, _, longestOutput = LONGEST_CONTEXT) =>
      audioElsewhere(body).length > 0 ? longestOutput : AROUND + Math.ceil(body.file.bytes / BYTES_PER_SPOKEN_TOKEN),
    unseenUsage: (body) => {
      const usual = Math.ceil(body.file.bytes / USUAL_BYTES_PER_TOKEN);
      return { inputTokens: audioElsewhere(body).length > 0 ? contextOf(body.model) : usual };
    },
    fieldNames: () => ({ maxOutputTokens: 'file', input: 'file' }),
    furtherModels: (value) => furtherModels(value, PLACES),
    namedIds: openAiIds(PLACES),
    format: (_, __, { asked }) => (isPlain(asked) ? new PlainTranscriptFormat() : new TranscriptFormat()),
  };
}

/** Whether the response is a stream. `whisper-1` ignores `stream` (OpenAI's reference). */
function streamsTranscript(body: unknown): boolean {
  const { stream, model } = body as Partial<TranscriptionsRequest>;
  return stream === 'true' && !/(?:^|\/)whisper-1$/.test(model ?? '');
}

function* texts({ model: _, file, ...rest }: TranscriptionsRequest): Steps<RequestTexts> {
  const reader = new RequestTextReader(PLACES);
  // A file name counts as third-party text: the file may come from anywhere.
  yield* reader.read(file, ['file'], outsideMessages('tool'));
  yield* reader.read(rest, [], outsideMessages('user'));
  const references = new Set(reader.texts.filter(isReference));
  // Only the media type of a data URL is shown.
  const found = reader.texts.map((one) =>
    references.has(one) ? ({ ...one, name: 'value', isFixed: true } as const) : one,
  );
  const skipped = [
    { path: ['file'], what: 'audio' },
    ...audioElsewhere(rest).map((name) => ({ path: [name], what: 'audio' })),
    ...Array.from(references, ({ path }) => ({ path, what: 'audio' })),
  ];
  return { texts: found, skipped };
}

/** Fields that name other audio than the file, as `url` at Groq (https://console.groq.com/docs/api-reference#audio). */
function audioElsewhere(body: object): string[] {
  return Object.keys(body).filter(
    (name) => !NOT_AUDIO.has(name) && hasAddress((body as Record<string, unknown>)[name]),
  );
}

function contextOf(model: string): number {
  return CONTEXTS.test(model) ? CONTEXT_TOKENS : LONGEST_CONTEXT;
}

function isReference({ path, text, name }: RequestText): boolean {
  return name === undefined && REFERENCE.test(toParam(path)) && AUDIO_URL.test(text);
}

/** Such as `prompt` or `file.filename`. */
function placeOf(path: JsonPath): string {
  return path[0] === 'file' ? path.join('.') : String(path[0]);
}

const usage = z.looseObject({ type: z.enum(['tokens', 'duration']) }).optional();
const repeated = { description: 'Null if a text was changed, because it repeats that text in another form.' };

export const transcriptSchema = z
  .looseObject({
    text: z.string(),
    segments: z.array(z.looseObject({ text: z.string() })).optional(),
    words: z
      .array(z.looseObject({ word: z.string() }))
      .nullish()
      .meta(repeated),
    logprobs: z.array(z.looseObject({})).nullish().meta(repeated),
    usage,
    svc: securityInfoSchema,
  })
  .meta({ id: 'Transcript', description: 'A transcript in JSON: `json`, `verbose_json` or `diarized_json`.' });

export const transcriptEventSchema = z
  .looseObject({
    type: z.enum(['transcript.text.delta', 'transcript.text.segment', 'transcript.text.done']),
    delta: z.string().optional(),
    text: z.string().optional(),
    usage,
    svc: securityInfoSchema.optional().meta({ description: 'In the last event.' }),
  })
  .meta({ id: 'TranscriptEvent', description: 'The data of one event of a streamed transcript.' });
