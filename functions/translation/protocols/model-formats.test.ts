import { describe, expect, test } from '@jest/globals';
import {
  anthropicModelListSchema,
  anthropicModelSchema,
  geminiModelListSchema,
  geminiModelSchema,
  type ListedModel,
  MODEL_FORMATS,
  type ModelFormat,
  modelListSchema,
} from './model-formats.ts';

const NO_FACTS = {
  ...{ prices: undefined, tiers: [], contextTokens: undefined, maxOutputTokens: undefined },
  charges: { factors: {} },
};
const model = (id: string): ListedModel => ({ id, provider: 'openai', facts: NO_FACTS, createdMs: 1_700_000_000_500 });
const MODELS = Array.from({ length: 120 }, (_, at) => model(`m${at}`));
const read = (api: ModelFormat, query = '', models = MODELS) => api.list(models, new URLSearchParams(query));

test("OpenAI's list has all models at once", () => {
  const list = modelListSchema.parse(read(MODEL_FORMATS.openai, 'limit=1'));
  expect(list.data).toHaveLength(120);
  expect(list.data[3]).toEqual({ id: 'm3', object: 'model', created: 1_700_000_000, owned_by: 'openai' });
});

describe("Anthropic's list", () => {
  const page = (query: string) => {
    const { data, ...rest } = anthropicModelListSchema.parse(read(MODEL_FORMATS.anthropic, query));
    return { ids: data.map(({ id }) => id), ...rest };
  };

  test('has pages of 20, after and before an id', () => {
    expect(page('')).toMatchObject({ has_more: true, first_id: 'm0', last_id: 'm19' });
    expect(page('after_id=m19&limit=2')).toEqual({
      ids: ['m20', 'm21'],
      has_more: true,
      first_id: 'm20',
      last_id: 'm21',
    });
    expect(page('after_id=m117')).toMatchObject({ ids: ['m118', 'm119'], has_more: false });
    expect(page('before_id=m2&limit=1')).toMatchObject({ ids: ['m1'], has_more: true });
    expect(page('before_id=m2')).toMatchObject({ ids: ['m0', 'm1'], has_more: false });
    expect(page('after_id=m119')).toEqual({ ids: [], has_more: false, first_id: null, last_id: null });
  });

  test('walks through all models once, in both directions', () => {
    const forwards: string[] = [];
    for (let next: string | null = ''; next !== null; ) {
      const { ids, has_more, last_id } = page(`limit=7&after_id=${next}`);
      forwards.push(...ids);
      next = has_more ? last_id : null;
    }
    expect(forwards).toEqual(MODELS.map(({ id }) => id));
  });

  test('has the limits of a model, and null where they are not known', () => {
    const known = { ...model('a'), facts: { ...NO_FACTS, contextTokens: 200_000, maxOutputTokens: 64_000 } };
    expect(anthropicModelSchema.parse(MODEL_FORMATS.anthropic.one(known))).toEqual({
      ...{ type: 'model', id: 'a', display_name: 'a', created_at: '2023-11-14T22:13:20.500Z' },
      ...{ max_input_tokens: 200_000, max_tokens: 64_000, capabilities: null },
    });
    expect(MODEL_FORMATS.anthropic.one(model('b'))).toMatchObject({ max_input_tokens: null, max_tokens: null });
  });
});

describe("Google's list", () => {
  test('has pages of 50 with a token for the next', () => {
    const first = geminiModelListSchema.parse(read(MODEL_FORMATS.gemini));
    expect([first.models.length, first.nextPageToken]).toEqual([50, 'm49']);
    const last = geminiModelListSchema.parse(read(MODEL_FORMATS.gemini, 'pageToken=m99&pageSize=1000'));
    expect([last.models.length, last.models[0]?.name, last.nextPageToken]).toEqual([20, 'models/m100', undefined]);
  });

  test('leaves out limits that are not known', () => {
    expect(geminiModelSchema.parse(MODEL_FORMATS.gemini.one(model('a/b')))).toEqual({
      ...{ name: 'models/a/b', displayName: 'a/b', supportedGenerationMethods: ['generateContent'] },
    });
  });
});

test.each([
  [MODEL_FORMATS.anthropic, 'limit=0'],
  [MODEL_FORMATS.anthropic, 'limit=1001'],
  [MODEL_FORMATS.anthropic, 'limit=x'],
  [MODEL_FORMATS.anthropic, 'after_id=none'],
  [MODEL_FORMATS.anthropic, 'before_id=none'],
  [MODEL_FORMATS.gemini, 'pageSize=-1'],
  [MODEL_FORMATS.gemini, 'pageToken=none'],
])('refuses a page that does not exist: %#', (api, query) => {
  const [param] = query.split('=');
  expect(() => read(api, query)).toThrow(expect.objectContaining({ code: 'invalid_value', param }));
});
