import * as z from 'zod';
import { securityInfoSchema } from '../openai-chat/chat-response.ts';

export const embeddingListSchema = z
  .looseObject({
    object: z.literal('list'),
    data: z.array(
      z.looseObject({
        object: z.literal('embedding'),
        index: z.int().min(0),
        embedding: z
          .union([z.array(z.number()), z.string()])
          .meta({ description: 'Numbers; or base64 of little-endian float32, where `encoding_format` asks for that.' }),
      }),
    ),
    model: z.string(),
    usage: z.looseObject({ prompt_tokens: z.int().min(0), total_tokens: z.int().min(0) }).optional(),
    svc: securityInfoSchema,
  })
  .meta({ id: 'EmbeddingList', description: 'A vector for each input.' });
