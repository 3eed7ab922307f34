import * as z from 'zod';
import { securityInfoSchema } from '../openai-chat/chat-response.ts';

const usage = z.looseObject({ type: z.enum(['tokens', 'duration']) }).optional();
const repeated = { description: 'Null where a text was changed: it repeats that in another form.' };

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
