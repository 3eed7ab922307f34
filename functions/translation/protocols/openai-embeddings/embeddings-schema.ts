import * as z from 'zod';
import { securityInfoSchema } from '../../../kernel/model/index.ts';
import { MAX_PROMPTS } from '../bodies/prompts.ts';

export const embeddingListSchema = z
  .looseObject({
    object: z.literal('list'),
    data: z.array(
      z.looseObject({
        object: z.literal('embedding'),
        index: z.int().min(0),
        embedding: z
          .union([z.array(z.number()), z.string()])
          .meta({ description: 'Numbers, or base64 of little-endian float32 if `encoding_format` asks for that.' }),
      }),
    ),
    model: z.string(),
    usage: z.looseObject({ prompt_tokens: z.int().min(0), total_tokens: z.int().min(0) }).optional(),
    svc: securityInfoSchema,
  })
  .meta({ id: 'EmbeddingList', description: 'One vector for each input.' });

const tokens = z.array(z.int().min(0)).min(1);

/** The fields of an embeddings request that the gateway reads; every other field passes unchanged. */
export const embeddingsRequestSchema = z
  .looseObject({
    model: z.string().min(1).max(256),
    input: z.union(
      // Tokens first: for the longest list, the other alternatives would collect an issue per token.
      [
        z.string().min(1),
        tokens,
        z.array(z.string().min(1)).min(1).max(MAX_PROMPTS),
        z.array(tokens).min(1).max(MAX_PROMPTS),
      ],
      {
        error: 'must be a non-empty string, an array of such strings, or tokens',
      },
    ),
    encoding_format: z.enum(['float', 'base64']).optional(),
    dimensions: z.int().min(1).optional(),
    user: z.string().optional(),
  })
  .meta({ id: 'EmbeddingsRequest', description: 'As OpenAI documents it; fields not listed here are passed on.' });

export type EmbeddingsRequest = z.infer<typeof embeddingsRequestSchema>;
