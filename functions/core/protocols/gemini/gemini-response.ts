import * as z from 'zod';
import { securityInfoSchema } from '../openai-chat/chat-response.ts';

const count = z.int().min(0).optional();

/** A whole answer of generateContent, and a chunk of a stream: both have the same form. */
export const geminiAnswerSchema = z
  .looseObject({
    candidates: z
      .array(
        z.looseObject({
          content: z
            .looseObject({ parts: z.array(z.looseObject({})).optional(), role: z.string().optional() })
            .optional(),
          finishReason: z.string().optional(),
          index: z.int().optional(),
        }),
      )
      .optional(),
    usageMetadata: z
      .looseObject({ promptTokenCount: count, candidatesTokenCount: count, totalTokenCount: count })
      .optional(),
    modelVersion: z.string().optional(),
    responseId: z.string().optional(),
    svc: securityInfoSchema.optional().meta({ description: 'In whole answers, and in the last chunk of a stream.' }),
  })
  .meta({ id: 'GenerateContentResponse', description: 'As Google documents it.' });
