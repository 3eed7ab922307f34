import * as z from 'zod';
import { defineOperations } from '../../contract/index.ts';
import { JUDGED_CATEGORIES, MODERATION_CATEGORIES } from '../../kernel/model/index.ts';
import { moderationRequestSchema, moderationResponseSchema, runModeration } from '../../pipeline/index.ts';
import { loadSchemas } from '../../translation/index.ts';
import { COMPLETION_ID, CREATED, dataStream, REQUEST_ID, svcOf } from './examples.ts';
import { type GatewayOperations, GENERATION_ERRORS, INSPECTION_ERRORS } from './gateway-operation.ts';

/** OpenAI's APIs of texts, and the reranking that others share. */
export const openaiOperations = defineOperations({
  createChatCompletion: {
    method: 'POST',
    path: '/v1/chat/completions',
    tag: 'Chat',
    summary: 'Create a chat completion',
    description: 'Inspects the request, forwards it to the provider of `model`, and inspects the response.',
    access: 'chat_completions',
    operation: 'openai-chat',
    schemas: chatSchemas,
  },
  createCompletion: {
    method: 'POST',
    path: '/v1/completions',
    tag: 'Completions',
    summary: 'Create a completion of a prompt',
    description: 'Works like chat completions; providers with chats only get the prompt as one message.',
    access: 'completions',
    operation: 'openai-completions',
    schemas: completionSchemas,
  },
  createEmbedding: {
    method: 'POST',
    path: '/v1/embeddings',
    tag: 'Embeddings',
    summary: 'Create embeddings',
    description: 'Inspects the input and forwards it. Input as tokens is not inspected; `coverage.skipped` lists it.',
    access: 'embeddings',
    operation: 'openai-embeddings',
    async schemas() {
      const { request, response } = await loadSchemas('openai-embeddings');
      return {
        body: {
          schema: request,
          examples: { text: { value: { model: 'echo', input: 'Hello', dimensions: 4 } } },
        },
        response: {
          description: 'The vectors.',
          body: response,
          example: {
            object: 'list',
            data: [{ object: 'embedding', index: 0, embedding: [0, 0, 1, 0] }],
            model: 'echo',
            usage: { prompt_tokens: 1, total_tokens: 1 },
            svc: svcOf({ input: ['input'], output: [] }),
          },
        },
        errors: GENERATION_ERRORS,
      };
    },
  },
  rerank: {
    method: 'POST',
    path: '/v1/rerank',
    tag: 'Embeddings',
    summary: 'Rank documents for a query',
    description:
      "Cohere's API, which Jina, vLLM and others share. Inspects the query, and the documents as third-party text.",
    access: 'embeddings',
    operation: 'rerank',
    async schemas() {
      const { request, response } = await loadSchemas('rerank');
      const example = { model: 'echo', query: 'Where is Rome?', documents: ['Rome is in Italy.', 'Hello'] };
      return {
        body: { schema: request, examples: { text: { value: example } } },
        response: {
          description: 'The ranking.',
          body: response,
          example: {
            id: '0b6a2f4e-6f0c-4a44-9a5e-0d3c1c1f6f11',
            model: 'echo',
            results: [
              { index: 0, relevance_score: 0.447214 },
              { index: 1, relevance_score: 0 },
            ],
            usage: { total_tokens: 14 },
            svc: svcOf({ input: ['query', 'documents'], output: [] }),
          },
        },
        errors: GENERATION_ERRORS,
      };
    },
  },
  createModeration: {
    method: 'POST',
    path: '/v1/moderations',
    tag: 'Guard',
    summary: 'Moderate texts',
    description:
      'Returns OpenAI’s categories, scored by the gateway; no provider is called. `svc` has attacks, which have no category. A call counts against the limits of the key.',
    access: 'any key',
    inspect: runModeration,
    schemas: moderationSchemas,
  },
} satisfies GatewayOperations);

const svc = svcOf({ input: ['messages[0]'], output: ['choices[0]'] });

async function chatSchemas() {
  const { request: schema, response, event } = await loadSchemas('openai-chat');
  // Repeated parts have an id, so that the document has each once.
  const message = schema.shape.messages.element;
  z.globalRegistry.add(message, { id: 'ChatMessage' });
  const [, parts] = message.options[0].shape.content.options;
  z.globalRegistry.add(parts.element, { id: 'ContentPart' });
  const { request, completion, chunks } = chatExamples();
  return {
    body: {
      schema,
      examples: {
        whole: { summary: 'Without a stream', value: request },
        stream: {
          summary: 'A stream with usage',
          value: { ...request, stream: true, stream_options: { include_usage: true } },
        },
      },
    },
    response: {
      description: 'A completion.',
      body: response,
      example: completion,
      stream: {
        event,
        example: `${dataStream(chunks)}data: [DONE]\n\n`,
        end: 'the stream ends with `data: [DONE]`',
      },
    },
    errors: GENERATION_ERRORS,
  };
}

function chatExamples() {
  const request = { model: 'echo', messages: [{ role: 'user', content: 'Hello' }] };
  const head = { id: COMPLETION_ID, object: 'chat.completion.chunk', created: CREATED, model: 'echo' };
  const choice = (delta: object, finish_reason: string | null) => [{ index: 0, delta, logprobs: null, finish_reason }];
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const chunks = [
    { ...head, choices: choice({ role: 'assistant', content: '' }, null) },
    { ...head, choices: choice({ content: 'Hello' }, null) },
    { ...head, choices: choice({}, 'stop'), svc },
    { ...head, choices: [], usage },
  ];
  const completion = {
    id: COMPLETION_ID,
    object: 'chat.completion',
    created: CREATED,
    model: 'echo',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'Hello', refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage,
    svc,
  };
  return { request, completion, chunks };
}

async function completionSchemas() {
  const { request, response, event } = await loadSchemas('openai-completions');
  const completion = {
    id: `cmpl-${REQUEST_ID.slice('req_'.length)}`,
    object: 'text_completion',
    created: CREATED,
    model: 'echo',
    choices: [{ text: 'Hello', index: 0, logprobs: null, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    svc: svcOf({ input: ['prompt'], output: ['choices[0]'] }),
  };
  return {
    body: {
      schema: request,
      examples: { prompt: { value: { model: 'echo', prompt: 'Hello' } } },
    },
    response: {
      description: 'A completion.',
      body: response,
      example: completion,
      stream: {
        event,
        example: `${dataStream([completion])}data: [DONE]\n\n`,
        end: 'the stream ends with `data: [DONE]`',
      },
    },
    errors: GENERATION_ERRORS,
  };
}

async function moderationSchemas() {
  type Category = (typeof MODERATION_CATEGORIES)[number];
  const ofCategories = <T>(value: (category: Category) => T) =>
    Object.fromEntries(MODERATION_CATEGORIES.map((category) => [category, value(category)]));
  return {
    body: { schema: moderationRequestSchema, examples: { text: { value: { input: 'Hello' } } } },
    response: {
      description: 'One result for each text.',
      body: moderationResponseSchema,
      example: {
        id: `modr-${REQUEST_ID.slice('req_'.length)}`,
        model: 'svc-moderation',
        results: [
          {
            flagged: false,
            categories: ofCategories(() => false),
            category_scores: ofCategories(() => 0),
            category_applied_input_types: ofCategories((category) =>
              JUDGED_CATEGORIES.includes(category) ? ['text'] : [],
            ),
          },
        ],
        svc: svcOf({ input: ['input'], output: [] }),
      },
    },
    errors: INSPECTION_ERRORS,
  };
}
