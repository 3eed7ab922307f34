import * as z from 'zod';
import { isObject } from '../../../kernel/json/index.ts';
import { securityInfoSchema, type Usage } from '../../../kernel/model/index.ts';
import type { Steps } from '../../../kernel/tasks/index.ts';
import { namedAt, openAiIds } from '../bodies/named-ids.ts';
import { furtherModels } from '../bodies/named-resources.ts';
import { checkBody } from '../bodies/request-body.ts';
import { Places } from '../bodies/request-places.ts';
import { fieldsOutsideMessages, outsideMessages, RequestTextReader } from '../bodies/request-texts.ts';
import type { NamedId, Protocol } from '../protocol.ts';
import { SPEECH_FRAMING, SpeechFormat } from './speech-format.ts';

/** The fields of a speech request that the gateway reads; every other field passes unchanged. */
export const speechRequestSchema = z
  .looseObject({
    model: z.string().min(1).max(256),
    input: z.string().min(1).meta({ description: 'Inspected.' }),
    instructions: z.string().nullish().meta({ description: 'Inspected.' }),
    voice: z
      .union([z.string(), z.looseObject({ id: z.string().min(1) })])
      .nullish()
      .meta({ description: 'A name, or the id of a custom voice that this key may use.' }),
    response_format: z.string().max(64).nullish(),
    speed: z.number().min(0.25).max(4).nullish(),
    stream_format: z
      .enum(['audio', 'sse'])
      .nullish()
      .meta({ description: '`sse`: events with base64. Default `audio`: the bytes.' }),
  })
  .meta({ id: 'SpeechRequest', description: 'As OpenAI documents it; fields not listed here are passed on.' });

export type SpeechRequest = z.infer<typeof speechRequestSchema>;

const PLACES = new Places({
  fixed: 'response_format stream_format type id',
  names: 'voice language lang_code',
  free: 'metadata',
});

/** OpenAI's speech: audio of a text, as bytes or as events. The texts are inspected before the call; the audio is not. */
export const SPEECH_PROTOCOL: Protocol<SpeechRequest> = {
  operation: 'openai-speech',
  framing: SPEECH_FRAMING,
  responseKind: (body) => (streamsEvents(body) ? 'events' : 'bytes'),
  check: (document) => checkBody(speechRequestSchema, document, PLACES),
  read: (body) => ({
    model: body.model,
    messages: [body.instructions, body.input].flatMap((text) =>
      text ? [{ role: 'user' as const, parts: [{ type: 'text' as const, text }] }] : [],
    ),
    stream: streamsEvents(body),
    includeUsage: true,
    choiceCount: 0,
    others: [],
  }),
  *texts({ model: _, ...rest }) {
    const reader = new RequestTextReader(PLACES);
    yield* reader.read(rest, [], outsideMessages('user'));
    return { texts: reader.texts, skipped: [] };
  },
  covered: (_, texts) => fieldsOutsideMessages(texts),
  addToPrompt: () => undefined,
  boundInputTokens: ({ model: _, ...rest }) => Buffer.byteLength(JSON.stringify(rest)),
  boundOutputTokens: (body, model) => audioTokens(body, model, MOST_TOKENS_PER_BYTE),
  unseenUsage: usualUsage,
  fieldNames: () => ({ maxOutputTokens: 'input', input: 'input' }),
  furtherModels: (value) => furtherModels(value, PLACES),
  namedIds,
  format: (_, { model }, { sent }) => new SpeechFormat(usualUsage(sent, model)),
};

function streamsEvents(body: unknown): boolean {
  return (body as { stream_format?: unknown } | null)?.stream_format === 'sse';
}

const namedInSpeech = openAiIds(PLACES, 'voice.id');

/** Ids of the account's custom voices, also written as a name. */
function* namedIds(value: unknown): Steps<NamedId[]> {
  const voice = isObject(value) ? value.voice : undefined;
  const isId = typeof voice === 'string' && voice.startsWith('voice_');
  const named = isObject(voice) ? namedAt(voice.id, 'Voice', 'voice.id') : isId ? namedAt(voice, 'Voice', 'voice') : [];
  return [...named, ...(yield* namedInSpeech(value))];
}

/** English text has about this many characters a token. */
const CHARS_PER_TOKEN = 4;
/** gpt-4o-mini-tts: six for a token of text (https://github.com/sanand0/blog/blob/main/posts/2025/openai-tts-cost.md, measured). */
const USUAL_TOKENS_PER_BYTE = 1.5;
/** OpenAI documents no bound; numbers and slow speech take more time than words. */
const MOST_TOKENS_PER_BYTE = 6;
/** Billed by the character, without audio tokens. */
const BY_CHARACTER = /(?:^|\/)tts-1/;

function audioTokens({ input, speed }: SpeechRequest, model: string, perByte: number): number {
  if (BY_CHARACTER.test(model)) return 0;
  return Math.ceil((Buffer.byteLength(input) * perByte) / Math.min(speed ?? 1, 1));
}

/** An estimate: providers report no usage beside the bytes. */
function usualUsage(body: SpeechRequest, model: string): Usage {
  const { input, instructions } = body;
  return {
    inputTokens: Math.ceil((input.length + (instructions?.length ?? 0)) / CHARS_PER_TOKEN),
    outputTokens: audioTokens(body, model, USUAL_TOKENS_PER_BYTE),
  };
}

export const speechEventSchema = z
  .looseObject({
    type: z.enum(['speech.audio.delta', 'speech.audio.done', 'error']),
    audio: z.string().optional().meta({ description: 'Base64.' }),
    usage: z
      .looseObject({ input_tokens: z.int().min(0), output_tokens: z.int().min(0), total_tokens: z.int().min(0) })
      .optional(),
    svc: securityInfoSchema.optional().meta({ description: 'In the last event.' }),
  })
  .meta({ id: 'SpeechEvent', description: 'The data of one event of streamed speech.' });
