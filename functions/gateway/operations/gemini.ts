import * as z from 'zod';
import { defineOperations, type OperationSchemas } from '../../contract/index.ts';
import { errorShapeOf, loadSchemas } from '../../translation/index.ts';
import { dataStream, REQUEST_ID, svcOf } from './examples.ts';
import { type GatewayOperations, GENERATION_ERRORS } from './gateway-operation.ts';

const SHARED = { method: 'POST', tag: 'Gemini', takesRest: true, errorShape: errorShapeOf('gemini') } as const;
const COUNT = {
  ...SHARED,
  summary: 'Count tokens',
  description: "Inspects the request and returns Google's count; other providers have none. Counts as a request.",
  access: 'chat_completions',
  operation: 'gemini-count-tokens',
  schemas: countSchemas,
} as const;
const EMBED = {
  ...SHARED,
  summary: 'Embed a content',
  description: 'Inspects the content and forwards it to Google.',
  access: 'embeddings',
  operation: 'gemini-embed-content',
  schemas: embedSchemas,
} as const;
const BATCH_EMBED = {
  ...SHARED,
  summary: 'Embed several contents',
  description: "Google's SDKs call it for one content too.",
  access: 'embeddings',
  operation: 'gemini-batch-embed-contents',
  schemas: batchEmbedSchemas,
} as const;
const GENERATE = {
  ...SHARED,
  summary: 'Generate content',
  description: "The response has `svc`; errors have Google's format.",
  access: 'chat_completions',
  operation: 'gemini',
  schemas: generateSchemas,
} as const;

/** Google's API, also at the path that Google's SDK uses. The call is a part of the last segment, a model may have its provider before it: the more exact paths are first. */
export const geminiOperations = defineOperations({
  countGeminiTokensV1: { ...COUNT, path: '/v1/models/{model}:countTokens' },
  embedGeminiContentV1: { ...EMBED, path: '/v1/models/{model}:embedContent' },
  batchEmbedGeminiContentsV1: { ...BATCH_EMBED, path: '/v1/models/{model}:batchEmbedContents' },
  generateContentV1: { ...GENERATE, path: '/v1/models/{call}' },
  countGeminiTokens: { ...COUNT, path: '/v1beta/models/{model}:countTokens' },
  embedGeminiContent: { ...EMBED, path: '/v1beta/models/{model}:embedContent' },
  batchEmbedGeminiContents: { ...BATCH_EMBED, path: '/v1beta/models/{model}:batchEmbedContents' },
  generateContent: { ...GENERATE, path: '/v1beta/models/{call}' },
} satisfies GatewayOperations);

const contents = { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] };
const embedded = { content: { parts: [{ text: 'Hello' }] }, outputDimensionality: 4 };

function ofModel() {
  return z.object({ model: z.string().meta({ description: 'The model.' }) });
}

async function countSchemas(): Promise<OperationSchemas> {
  const { request, response } = await loadSchemas('gemini-count-tokens');
  return {
    params: ofModel(),
    body: { schema: request, examples: { text: { value: contents } } },
    response: {
      description: 'The count.',
      body: response,
      example: { totalTokens: 1, svc: svcOf({ input: ['contents[0]'], output: [] }) },
    },
    errors: GENERATION_ERRORS,
  };
}

async function embedSchemas(): Promise<OperationSchemas> {
  const { request, response } = await loadSchemas('gemini-embed-content');
  return {
    params: ofModel(),
    body: { schema: request, examples: { text: { value: embedded } } },
    response: {
      description: 'The vector.',
      body: response,
      example: { embedding: { values: [0, 0, 1, 0] }, svc: svcOf({ input: ['content'], output: [] }) },
    },
    errors: GENERATION_ERRORS,
  };
}

async function batchEmbedSchemas(): Promise<OperationSchemas> {
  const { request, response } = await loadSchemas('gemini-batch-embed-contents');
  return {
    params: ofModel(),
    body: { schema: request, examples: { text: { value: { requests: [embedded] } } } },
    response: {
      description: 'The vectors.',
      body: response,
      example: { embeddings: [{ values: [0, 0, 1, 0] }], svc: svcOf({ input: ['requests'], output: [] }) },
    },
    errors: GENERATION_ERRORS,
  };
}

async function generateSchemas(): Promise<OperationSchemas> {
  const { request, response, event } = await loadSchemas('gemini');
  const example = {
    candidates: [{ content: { parts: [{ text: 'Hello' }], role: 'model' }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    modelVersion: 'echo',
    responseId: REQUEST_ID.slice('req_'.length),
    svc: svcOf({ input: ['contents[0]'], output: ['candidates[0]'] }),
  };
  return {
    params: z.object({
      call: z
        .string()
        .meta({ description: '`{model}:generateContent`, or `{model}:streamGenerateContent` with `?alt=sse`.' }),
    }),
    body: { schema: request, examples: { text: { value: contents } } },
    response: {
      description: 'A completion.',
      body: response,
      example,
      stream: {
        event,
        example: dataStream([example]),
        end: 'the stream ends with `data: [DONE]`',
      },
    },
    errors: GENERATION_ERRORS,
  };
}
