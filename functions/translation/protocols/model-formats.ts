import * as z from 'zod';
import { GatewayError } from '../../kernel/errors/index.ts';
import type { ApiName } from './error-shapes.ts';

export const modelSchema = z
  .object({
    id: z.string().meta({
      description:
        '`provider/model`, which every route accepts; the bare name if the routes know it; the alias of a route.',
    }),
    object: z.literal('model'),
    created: z.int().meta({ description: 'Unix seconds: when the table of models was made.' }),
    owned_by: z.string().meta({ description: 'The provider.' }),
  })
  .meta({ id: 'Model' });
export type Model = z.infer<typeof modelSchema>;

export const modelListSchema = z.object({ object: z.literal('list'), data: z.array(modelSchema) }).meta({
  id: 'ModelList',
  description: "In OpenAI's format: models of the configured providers that the key may use.",
});

/** https://platform.claude.com/docs/en/api/models/list */
export const anthropicModelSchema = z
  .object({
    type: z.literal('model'),
    id: z.string(),
    display_name: z.string().meta({ description: 'The same as `id`.' }),
    created_at: z.iso.datetime().meta({ description: 'When the table of models was made.' }),
    max_input_tokens: z.int().nullable(),
    max_tokens: z.int().nullable().meta({ description: 'The longest response.' }),
    capabilities: z.null(),
  })
  .meta({ id: 'AnthropicModel' });

export const anthropicModelListSchema = z
  .object({
    data: z.array(anthropicModelSchema),
    has_more: z.boolean(),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
  })
  .meta({ id: 'AnthropicModelList' });

/** https://ai.google.dev/api/models */
export const geminiModelSchema = z
  .object({
    name: z.string().meta({ description: '`models/` and the id.' }),
    displayName: z.string(),
    inputTokenLimit: z.int().optional(),
    outputTokenLimit: z.int().optional(),
    supportedGenerationMethods: z.array(z.string()),
  })
  .meta({ id: 'GeminiModel' });

export const geminiModelListSchema = z
  .object({ models: z.array(geminiModelSchema), nextPageToken: z.string().optional() })
  .meta({ id: 'GeminiModelList' });

/** A model that a key may use. */
export interface ListedModel {
  /** `provider/model`, the bare name if the routes know it, or the alias of a route. */
  readonly id: string;
  readonly provider: string;
  readonly facts: { readonly contextTokens: number | undefined; readonly maxOutputTokens: number | undefined };
  /** The methods of Google's API that the provider reports for it. */
  readonly methods?: readonly string[];
  /** When the table of models was made, in milliseconds. */
  readonly createdMs: number;
}

/** How an API shows models. */
export interface ModelFormat {
  readonly one: (model: ListedModel) => object;
  /** @throws GatewayError `invalid_value` for a query that it cannot serve */
  readonly list: (models: readonly ListedModel[], query: URLSearchParams) => object;
}

const OPENAI_MODELS: ModelFormat = {
  one: toOpenAi,
  list: (models) => ({ object: 'list', data: models.map(toOpenAi) }),
};

const ANTHROPIC_PAGE = 20;
const GEMINI_PAGE = 50;
const MAX_PAGE = 1_000;

const ANTHROPIC_MODELS: ModelFormat = {
  one: toAnthropic,
  list: (models, query) => {
    const limit = pageSize(query, 'limit', ANTHROPIC_PAGE);
    const [after, before] = [placeOf(models, query, 'after_id'), placeOf(models, query, 'before_id')];
    const start = before === undefined ? (after ?? -1) + 1 : Math.max(0, before - limit);
    const end = Math.min(before ?? models.length, start + limit);
    const page = models.slice(start, end);
    return {
      data: page.map(toAnthropic),
      has_more: before === undefined ? end < models.length : start > 0,
      first_id: page[0]?.id ?? null,
      last_id: page.at(-1)?.id ?? null,
    };
  },
};

const GEMINI_MODELS: ModelFormat = {
  one: toGemini,
  list: (models, query) => {
    const limit = pageSize(query, 'pageSize', GEMINI_PAGE);
    const start = (placeOf(models, query, 'pageToken') ?? -1) + 1;
    const page = models.slice(start, start + limit);
    const isLast = start + limit >= models.length;
    return { models: page.map(toGemini), ...(!isLast && { nextPageToken: page.at(-1)?.id }) };
  },
};

/** How each API shows models. */
export const MODEL_FORMATS: Readonly<Record<ApiName, ModelFormat>> = {
  openai: OPENAI_MODELS,
  anthropic: ANTHROPIC_MODELS,
  gemini: GEMINI_MODELS,
};

function toOpenAi({ id, provider, createdMs }: ListedModel): Model {
  return { id, object: 'model', created: Math.floor(createdMs / 1000), owned_by: provider };
}

function toAnthropic({ id, facts, createdMs }: ListedModel): z.infer<typeof anthropicModelSchema> {
  return {
    ...{ type: 'model', id, display_name: id, created_at: new Date(createdMs).toISOString() },
    ...{ max_input_tokens: facts.contextTokens ?? null, max_tokens: facts.maxOutputTokens ?? null, capabilities: null },
  };
}

function toGemini({
  id,
  facts: { contextTokens, maxOutputTokens },
  methods = ['generateContent'],
}: ListedModel): z.infer<typeof geminiModelSchema> {
  return {
    ...{ name: `models/${id}`, displayName: id },
    ...(contextTokens !== undefined && { inputTokenLimit: contextTokens }),
    ...(maxOutputTokens !== undefined && { outputTokenLimit: maxOutputTokens }),
    supportedGenerationMethods: [...methods],
  };
}

function pageSize(query: URLSearchParams, name: string, standard: number): number {
  const text = query.get(name) ?? String(standard);
  const size = Number(text);
  if (!/^\d{1,4}$/.test(text) || size < 1 || size > MAX_PAGE)
    throw new GatewayError('invalid_value', `${name} must be a whole number from 1 to ${MAX_PAGE}.`, { param: name });
  return size;
}

/** The index of the model that a parameter names. */
function placeOf(models: readonly ListedModel[], query: URLSearchParams, name: string): number | undefined {
  const id = query.get(name);
  if (id === null || id === '') return undefined;
  const at = models.findIndex((model) => model.id === id);
  if (at < 0) throw new GatewayError('invalid_value', `${name} names no model of this list.`, { param: name });
  return at;
}
