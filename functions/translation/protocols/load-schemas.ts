import * as z from 'zod';

const chat = () =>
  Promise.all([import('./openai-chat/chat-request-schema.ts'), import('./openai-chat/chat-response-schema.ts')]);
const images = () => import('./openai-images/images-protocol.ts');
const responses = () => import('./openai-responses/responses-schema.ts');
const messages = () => import('./anthropic-messages/messages-schema.ts');
const geminiVectors = () => import('./gemini/gemini-embeddings.ts');
const models = () => import('./model-formats.ts');

/** The loader of each operation's schemas: its request, its response, and the events that replace that in a stream. */
const SCHEMAS = {
  'openai-chat': async () => {
    const [{ chatRequestSchema: request }, { chatCompletionSchema: response, chatCompletionChunkSchema: event }] =
      await chat();
    return { request, response, event };
  },
  'openai-completions': async () => {
    const loaded = await import('./openai-completions/completions-protocol.ts');
    const { completionsRequestSchema: request, completionSchema: response } = loaded;
    return { request, response, event: response };
  },
  'openai-embeddings': async () => {
    const loaded = await import('./openai-embeddings/embeddings-schema.ts');
    const { embeddingsRequestSchema: request, embeddingListSchema: response } = loaded;
    return { request, response };
  },
  rerank: async () => {
    const { rerankRequestSchema: request, rerankResponseSchema: response } = await import('./rerank/rerank-schema.ts');
    return { request, response };
  },
  'openai-images': async () => {
    const { imagesRequestSchema: request, imagesSchema: response, imageEventSchema: event } = await images();
    return { request, response, event };
  },
  'openai-image-edits': async () => {
    const [{ imageEditsRequestSchema: request, DEFAULT_EDIT_MODEL: defaultModel }, loaded] = await Promise.all([
      import('./openai-images/image-edits-protocol.ts'),
      images(),
    ]);
    const { imagesSchema: response, imageEventSchema: event } = loaded;
    return { request, response, event, defaultModel };
  },
  'openai-transcriptions': async () => {
    const loaded = await import('./openai-transcriptions/transcriptions-protocol.ts');
    const { transcriptSchema: response, transcriptEventSchema: event } = loaded;
    return { response, event };
  },
  'openai-speech': async () => {
    const loaded = await import('./openai-speech/speech-protocol.ts');
    const { speechRequestSchema: request, speechEventSchema: event } = loaded;
    return { request, event };
  },
  'openai-responses': async () => {
    const { responsesRequestSchema: request, responseSchema: response, responseEventSchema: event } = await responses();
    return { request, response, event };
  },
  'openai-compaction': async () => {
    const { responsesRequestSchema: request, compactedResponseSchema: response } = await responses();
    return { request, response };
  },
  'openai-input-tokens': async () => {
    const { responsesRequestSchema: request, inputTokenCountSchema: response } = await responses();
    return { request, response };
  },
  'openai-response-deletion': async () => ({ response: (await responses()).responseDeletionSchema }),
  'openai-response-input': async () => ({ response: (await responses()).inputItemListSchema }),
  'anthropic-messages': async () => {
    const { messagesRequestSchema: request, messageSchema: response, messageEventSchema: event } = await messages();
    return { request, response, event };
  },
  'anthropic-count-tokens': async () => {
    const { countTokensRequestSchema: request, tokenCountSchema: response } = await messages();
    return { request, response };
  },
  gemini: async () => {
    const { geminiRequestSchema: request, geminiResponseSchema: response } = await import('./gemini/gemini-schema.ts');
    return { request, response, event: response };
  },
  'gemini-count-tokens': async () => {
    const loaded = await import('./gemini/gemini-count-tokens.ts');
    const { geminiCountRequestSchema: request, geminiCountResponseSchema: response } = loaded;
    return { request, response };
  },
  'gemini-embed-content': async () => {
    const { geminiEmbedRequestSchema: request, geminiEmbedResponseSchema: response } = await geminiVectors();
    return { request, response };
  },
  'gemini-batch-embed-contents': async () => {
    const { geminiBatchEmbedRequestSchema: request, geminiBatchEmbedResponseSchema: response } = await geminiVectors();
    return { request, response };
  },
  'bedrock-converse': async () => {
    const loaded = await import('./bedrock/converse-schema.ts');
    const { converseRequestSchema: request, converseResponseSchema: response } = loaded;
    return { request, response };
  },
  'bedrock-invoke': async () => {
    const { messagesRequestSchema, messageSchema: response } = await messages();
    const version = z.literal('bedrock-2023-05-31');
    const request = messagesRequestSchema
      .omit({ model: true, stream: true })
      .extend({ anthropic_version: version, anthropic_beta: z.array(z.string()).optional() })
      .meta({ id: 'InvokeModelRequest', description: "Anthropic's Messages API without `model` and `stream`." });
    return { request, response };
  },
  'openai-models': async () => {
    const { modelListSchema: list, modelSchema: one } = await models();
    return { list, one };
  },
  'anthropic-models': async () => {
    const { anthropicModelListSchema: list, anthropicModelSchema: one } = await models();
    return { list, one };
  },
  'gemini-models': async () => {
    const { geminiModelListSchema: list, geminiModelSchema: one } = await models();
    return { list, one };
  },
} as const;

type Schemas = typeof SCHEMAS;

/** Loads the schemas of an operation, for its documentation. */
export function loadSchemas<Name extends keyof Schemas>(operation: Name): ReturnType<Schemas[Name]> {
  return SCHEMAS[operation]() as ReturnType<Schemas[Name]>;
}
