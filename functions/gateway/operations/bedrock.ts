import * as z from 'zod';
import { defineOperations, type OperationSchemas } from '../../contract/index.ts';
import { errorShapeOf, loadSchemas } from '../../translation/index.ts';
import { REQUEST_ID, svcOf } from './examples.ts';
import { type GatewayOperations, GENERATION_ERRORS } from './gateway-operation.ts';

/** The error format and request id header for AWS's clients. */
export const BEDROCK = { errorShape: errorShapeOf('bedrock'), requestIdHeader: 'x-amzn-requestid' } as const;

const SHARED = { method: 'POST', tag: 'Bedrock', access: 'chat_completions', ...BEDROCK } as const;
const IN_FRAMES = 'The response is a stream of `application/vnd.amazon.eventstream`.';

/** Amazon Bedrock's runtime API, at its own paths, for any model. */
export const bedrockOperations = defineOperations({
  converse: {
    ...SHARED,
    path: '/model/{modelId}/converse',
    summary: 'Converse',
    description: 'The response has `svc` in `additionalModelResponseFields`.',
    operation: 'bedrock-converse',
    schemas: converseSchemas,
  },
  converseStream: {
    ...SHARED,
    path: '/model/{modelId}/converse-stream',
    summary: 'Converse in a stream',
    description: `${IN_FRAMES} \`messageStop\` has \`svc\` in \`additionalModelResponseFields\`.`,
    operation: 'bedrock-converse-stream',
    schemas: converseSchemas,
  },
  invokeModel: {
    ...SHARED,
    path: '/model/{modelId}/invoke',
    summary: 'Invoke a model with a message',
    description:
      "The body is that of Anthropic's Messages API, as Bedrock takes it for Claude. Any model may be called.",
    operation: 'bedrock-invoke',
    reads: 'JSON or bytes',
    schemas: invokeSchemas,
  },
  invokeModelWithResponseStream: {
    ...SHARED,
    path: '/model/{modelId}/invoke-with-response-stream',
    summary: 'Invoke a model with a message in a stream',
    description: `${IN_FRAMES} Each \`chunk\` has one event of the Messages API in \`bytes\`, in base64.`,
    operation: 'bedrock-invoke-stream',
    reads: 'JSON or bytes',
    schemas: invokeSchemas,
  },
} satisfies GatewayOperations);

function ofModel() {
  return z.object({
    modelId: z.string().meta({ description: 'The model as in any other request, in URL encoding.' }),
  });
}

async function converseSchemas(): Promise<OperationSchemas> {
  const { request, response } = await loadSchemas('bedrock-converse');
  return {
    params: ofModel(),
    body: {
      schema: request,
      examples: { text: { value: { messages: [{ role: 'user', content: [{ text: 'Hello' }] }] } } },
    },
    response: {
      description: 'A message.',
      body: response,
      example: {
        output: { message: { role: 'assistant', content: [{ text: 'Hello' }] } },
        stopReason: 'end_turn',
        usage: {
          ...{ inputTokens: 1, outputTokens: 1, totalTokens: 2 },
          ...{ cacheReadInputTokens: 0, cacheWriteInputTokens: 0 },
        },
        metrics: { latencyMs: 5 },
        additionalModelResponseFields: { svc: svcOf({ input: ['messages[0]'], output: ['content[0]'] }) },
      },
      headers: ['X-Amzn-RequestId'],
    },
    errors: GENERATION_ERRORS,
  };
}

async function invokeSchemas(): Promise<OperationSchemas> {
  const { request, response } = await loadSchemas('bedrock-invoke');
  const usage = { input_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 };
  return {
    params: ofModel(),
    body: {
      schema: request,
      examples: {
        text: {
          value: {
            anthropic_version: 'bedrock-2023-05-31',
            max_tokens: 64,
            messages: [{ role: 'user', content: 'Hello' }],
          },
        },
      },
    },
    response: {
      description: 'A message.',
      body: response,
      example: {
        ...{ id: `msg_${REQUEST_ID.slice('req_'.length)}`, type: 'message', role: 'assistant', model: 'echo' },
        ...{ stop_sequence: null, usage, content: [{ type: 'text', text: 'Hello' }], stop_reason: 'end_turn' },
        svc: svcOf({ input: ['messages[0]'], output: ['content[0]'] }),
      },
      headers: ['X-Amzn-RequestId'],
    },
    errors: GENERATION_ERRORS,
  };
}
