import * as z from 'zod';
import { defineOperations, type OperationSchemas } from '../../contract/index.ts';
import type { RequestHeaders } from '../../kernel/http/index.ts';
import { errorShapeOf, loadSchemas } from '../../translation/index.ts';
import { getModel, listModels } from '../service-routes.ts';
import { CREATED } from './examples.ts';
import type { GatewayOperations, ServiceHandler } from './gateway-operation.ts';
import { ANTHROPIC } from './messages.ts';

type ApiName = Exclude<Parameters<typeof errorShapeOf>[0], 'bedrock'>;

/** Each of Anthropic's clients sends the version of its API. */
export function isAnthropicClient(headers: RequestHeaders): boolean {
  return headers.get('anthropic-version') !== null;
}

/** Google's clients send the key in a header of theirs. */
function isGoogleClient(headers: RequestHeaders): boolean {
  return headers.get('x-goog-api-key') !== null;
}

const IN_CLIENTS_FORMAT =
  "With the header `anthropic-version` the response and errors are in Anthropic's format, with `x-goog-api-key` in Google's.";
const SHARED = { method: 'GET', tag: 'Models', access: 'any key' } as const;
const ONE = {
  ...SHARED,
  summary: 'Read a model',
  description: IN_CLIENTS_FORMAT,
  handlers: forEach(getModel),
} as const;
const ONE_OF_GEMINI = {
  ...SHARED,
  summary: 'Read a model (Gemini)',
  description: "Errors have Google's format.",
  handlers: [{ errorShape: errorShapeOf('gemini'), handler: getModel('gemini') }],
} as const;

/** The models that a key may use, in the formats of OpenAI, Anthropic and Google. */
export const modelOperations = defineOperations({
  listModels: {
    ...SHARED,
    path: '/v1/models',
    summary: 'List models',
    description: `Aliases of routes, then the models that the configured providers report, as far as the key may use them. It consumes no limit. ${IN_CLIENTS_FORMAT} It then has pages.`,
    handlers: forEach(listModels),
    schemas: listSchemas,
  },
  getModel: { ...ONE, path: '/v1/models/{id}', schemas: () => oneSchemas(byId()) },
  getModelOfProvider: { ...ONE, path: '/v1/models/{provider}/{id}', schemas: () => oneSchemas(byProvider()) },
  listGeminiModels: {
    ...SHARED,
    path: '/v1beta/models',
    summary: 'List models (Gemini)',
    description: "The same models in Google's format, in pages. Errors have Google's format.",
    handlers: [{ errorShape: errorShapeOf('gemini'), handler: listModels('gemini') }],
    schemas: listOfGeminiSchemas,
  },
  getGeminiModel: { ...ONE_OF_GEMINI, path: '/v1beta/models/{id}', schemas: () => oneOfGeminiSchemas(byId()) },
  getGeminiModelOfProvider: {
    ...ONE_OF_GEMINI,
    path: '/v1beta/models/{provider}/{id}',
    schemas: () => oneOfGeminiSchemas(byProvider()),
  },
} satisfies GatewayOperations);

/** A handler for the clients of each API. */
function forEach(handlerOf: (api: ApiName) => ServiceHandler['handler']): ServiceHandler[] {
  return [
    { isFor: isAnthropicClient, ...ANTHROPIC, handler: handlerOf('anthropic') },
    { isFor: isGoogleClient, errorShape: errorShapeOf('gemini'), handler: handlerOf('gemini') },
    { handler: handlerOf('openai') },
  ];
}

function byId() {
  return z.object({ id: z.string().meta({ description: 'The id in the list of models.' }) });
}

function byProvider() {
  return z.object({
    provider: z.string().meta({ description: 'The provider.' }),
    id: z.string().meta({ description: "The provider's name of the model." }),
  });
}

const model = { id: 'echo', object: 'model', created: CREATED, owned_by: 'echo' };
const geminiModel = {
  ...{ name: 'models/gemini-3.8-flash', displayName: 'gemini-3.8-flash' },
  ...{ inputTokenLimit: 1_048_576, outputTokenLimit: 65_536, supportedGenerationMethods: ['generateContent'] },
};

/** The schemas of models, in the order in which the document has them. */
function loadAll() {
  return Promise.all([loadSchemas('openai-models'), loadSchemas('anthropic-models'), loadSchemas('gemini-models')]);
}

async function listSchemas(): Promise<OperationSchemas> {
  const schemas = await loadAll();
  const parameter = (description: string) => z.string().optional().meta({ description });
  return {
    query: z.object({
      limit: parameter('With `anthropic-version`: 1 to 1000, 20 by default.'),
      after_id: parameter('With `anthropic-version`: the last id of the page before.'),
      before_id: parameter('With `anthropic-version`: the first id of the page after.'),
      pageSize: parameter('With `x-goog-api-key`: 1 to 1000, 50 by default.'),
      pageToken: parameter('With `x-goog-api-key`: `nextPageToken` of the page before.'),
    }),
    response: {
      description: 'The models.',
      body: schemas.map(({ list }) => list),
      example: { object: 'list', data: [model] },
    },
  };
}

async function listOfGeminiSchemas(): Promise<OperationSchemas> {
  const { list: body } = await loadSchemas('gemini-models');
  const parameter = (description: string) => z.string().optional().meta({ description });
  return {
    query: z.object({
      pageSize: parameter('1 to 1000, 50 by default.'),
      pageToken: parameter('`nextPageToken` of the page before.'),
    }),
    response: { description: 'The models.', body, example: { models: [geminiModel] } },
  };
}

async function oneSchemas(params: z.ZodObject): Promise<OperationSchemas> {
  const body = (await loadAll()).map(({ one }) => one);
  return { params, response: { description: 'The model.', body, example: model }, errors: ['model_not_found'] };
}

async function oneOfGeminiSchemas(params: z.ZodObject): Promise<OperationSchemas> {
  const { one: body } = await loadSchemas('gemini-models');
  return { params, response: { description: 'The model.', body, example: geminiModel }, errors: ['model_not_found'] };
}
