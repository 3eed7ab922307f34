import * as z from 'zod';
import { securityInfoSchema } from '../../../kernel/model/index.ts';
import { MAX_PROMPTS } from '../bodies/prompts.ts';

/** Jina's limit; Cohere recommends 1,000. */
export const MAX_DOCUMENTS = MAX_PROMPTS;

const document = z.union([z.string(), z.looseObject({ text: z.string() })], {
  error: 'must be a string, or an object with `text`',
});

/** Cohere's rerank request and Jina's: https://docs.cohere.com/reference/rerank and https://api.jina.ai/redoc */
export const rerankRequestSchema = z
  .looseObject({
    model: z.string().min(1).max(256),
    query: z.string().min(1),
    documents: z
      .array(document)
      .min(1)
      .max(MAX_DOCUMENTS)
      .meta({ description: 'Strings, or objects with `text` if the provider supports them.' }),
    top_n: z.int().min(1).optional(),
    max_tokens_per_doc: z.int().min(1).optional(),
    return_documents: z.boolean().optional().meta({ description: 'Jina and vLLM; not Cohere v2.' }),
  })
  .meta({ id: 'RerankRequest', description: "Cohere's and Jina's fields; those not listed here are passed on." });

export type RerankRequest = z.infer<typeof rerankRequestSchema>;

export const rerankResponseSchema = z
  .looseObject({
    results: z.array(
      z.looseObject({
        index: z.int().min(0).meta({ description: 'Of the document in the request.' }),
        relevance_score: z.number(),
        document: z
          .union([z.string(), z.looseObject({ text: z.string().optional() })])
          .optional()
          .meta({ description: 'Inspected as output.' }),
      }),
    ),
    usage: z.looseObject({ total_tokens: z.int().min(0).optional() }).optional(),
    svc: securityInfoSchema,
  })
  .meta({ id: 'RerankResponse', description: "The provider's response." });
