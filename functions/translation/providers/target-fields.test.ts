import { describe, expect, it } from '@jest/globals';
import { MEANINGS } from '../../kernel/model/chat.ts';
import type { ChatRequest, Meaning } from '../../kernel/model/index.ts';
import { Translation } from '../routing/index.ts';
import { ANTHROPIC_TARGET, toAnthropicRequest } from './anthropic/to-anthropic-request.ts';
import { CONVERSE_TARGET, toConverseRequest } from './bedrock/to-converse-request.ts';
import { GEMINI_TARGET, toGeminiRequest } from './gemini/to-gemini-request.ts';
import { CHAT_TARGET, COMMON_DIALECT, OPENAI_DIALECT, toOpenAiChat } from './openai/to-openai-request.ts';

const TARGETS = {
  anthropic: toAnthropicRequest,
  gemini: toGeminiRequest,
  bedrock: toConverseRequest,
  openai: (request: ChatRequest, model: string, translation: Translation) =>
    toOpenAiChat(request, model, OPENAI_DIALECT, translation),
  compatible: (request: ChatRequest, model: string, translation: Translation) =>
    toOpenAiChat(request, model, COMMON_DIALECT, translation),
} as const;
type Name = keyof typeof TARGETS;

/** What a provider gets for one field: fields beyond a request without it, a dropped or a refused field. */
function sent(target: Name, model: string, meaning: Meaning, value: unknown, path: string = meaning): unknown {
  const request = (others: ChatRequest['others']): ChatRequest => ({
    model: 'm',
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hello' }] }],
    stream: false,
    includeUsage: true,
    choiceCount: 1,
    maxOutputTokens: 10_000,
    others,
  });
  const translation = new Translation(target);
  const without = TARGETS[target](request([]), model, translation) as Record<string, unknown>;
  expect(translation.warnings).toEqual([]);
  let body: Record<string, unknown>;
  try {
    body = TARGETS[target](request([{ path, meaning, value }]), model, translation) as Record<string, unknown>;
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid_value', status: 400, param: path });
    return 'refused';
  }
  const more = Object.fromEntries(
    Object.entries(body).filter(([name, one]) => JSON.stringify(one) !== JSON.stringify(without[name])),
  );
  const [warning] = translation.warnings;
  if (warning === undefined) return more;
  expect(warning.field).toBe(path);
  if (warning.code === 'field_adjusted') return { adjusted: more };
  expect(more).toEqual({});
  return 'dropped';
}

const OLD = 'claude-sonnet-4-5';
const OPUS = 'claude-opus-4-6';
const NEW = 'claude-opus-5';
const FLASH = 'gemini-2.5-flash';
const PRO = 'gemini-3-pro-preview';
const CLAUDE = 'eu.anthropic.claude-opus-4-6-v1';
const NOVA = 'amazon.nova-pro-v1:0';
const NOVA2 = 'us.amazon.nova-2-lite-v1:0';
const OSS = 'openai.gpt-oss-120b-1:0';
const LLAMA = 'meta.llama3-3-70b-instruct-v1:0';
const SCHEMA = { type: 'object', properties: {} };
const CLOSED = { ...SCHEMA, additionalProperties: false };
const adaptive = { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } };
const budget = (tokens: number) => ({ thinking: { type: 'enabled', budget_tokens: tokens } });
const config = (fields: object) => ({ generationConfig: { maxOutputTokens: 10_000, ...fields } });
const thinks = (thinkingBudget: number) => config({ thinkingConfig: { thinkingBudget } });
const thinksAloud = (thinkingBudget: number) => config({ thinkingConfig: { thinkingBudget, includeThoughts: true } });
const additional = (fields: object) => ({ additionalModelRequestFields: fields });

type Row = readonly [Meaning, Name, string, unknown, unknown, string?];
const ROWS: readonly Row[] = [
  ['reasoning_effort', 'anthropic', OPUS, 'low', adaptive],
  ['reasoning_effort', 'anthropic', OLD, 'low', budget(2_000)],
  ['reasoning_effort', 'anthropic', OPUS, 'extreme', 'dropped'],
  ['reasoning_effort', 'gemini', FLASH, 'none', thinks(0)],
  ['reasoning_effort', 'gemini', 'models/gemini-2.5-pro', 'none', { adjusted: thinks(128) }],
  ['reasoning_effort', 'gemini', PRO, 'high', thinksAloud(24_576)],
  ['reasoning_effort', 'gemini', 'gemini-2.0-flash', 'low', 'dropped'],
  ['reasoning_effort', 'bedrock', CLAUDE, 'low', additional(adaptive)],
  [
    'reasoning_effort',
    'bedrock',
    NOVA2,
    'max',
    { adjusted: additional({ reasoningConfig: { type: 'enabled', maxReasoningEffort: 'high' } }) },
  ],
  ['reasoning_effort', 'bedrock', NOVA2, 'none', additional({ reasoningConfig: { type: 'disabled' } })],
  ['reasoning_effort', 'bedrock', OSS, 'high', additional({ reasoning_effort: 'high' })],
  ['reasoning_effort', 'bedrock', NOVA, 'low', 'dropped'],
  ['reasoning_effort', 'openai', 'gpt-5.1', 'low', { reasoning_effort: 'low' }],
  ['reasoning_effort', 'openai', 'o3', 'max', { adjusted: { reasoning_effort: 'high' } }],
  ['reasoning_effort', 'openai', 'gpt-4o', 'low', 'dropped'],
  ['reasoning_effort', 'compatible', 'grok-4', 'low', { reasoning_effort: 'low' }],

  ['thinking', 'anthropic', OPUS, { budget: 1_000 }, { adjusted: adaptive }],
  ['thinking', 'anthropic', OPUS, {}, { thinking: { type: 'adaptive' } }],
  ['thinking', 'anthropic', OPUS, { budget: 0 }, { thinking: { type: 'disabled' } }],
  ['thinking', 'anthropic', OLD, { budget: 3_000 }, budget(3_000)],
  ['thinking', 'anthropic', OLD, { budget: 99_000 }, { adjusted: budget(9_999) }],
  ['thinking', 'gemini', FLASH, { budget: 3_000 }, thinksAloud(3_000)],
  ['thinking', 'gemini', PRO, { budget: 0 }, { adjusted: thinks(128) }],
  ['thinking', 'gemini', FLASH, { budget: 99_000 }, { adjusted: thinksAloud(24_576) }],
  ['thinking', 'gemini', FLASH, {}, {}],
  ['thinking', 'gemini', 'gemini-2.0-flash', { budget: 3_000 }, 'dropped'],
  ['thinking', 'bedrock', CLAUDE, { budget: 1_000 }, { adjusted: additional(adaptive) }],
  [
    'thinking',
    'bedrock',
    NOVA2,
    { budget: 8_000 },
    { adjusted: additional({ reasoningConfig: { type: 'enabled', maxReasoningEffort: 'medium' } }) },
  ],
  [
    'thinking',
    'bedrock',
    NOVA2,
    {},
    additional({ reasoningConfig: { type: 'enabled', maxReasoningEffort: 'medium' } }),
  ],
  ['thinking', 'bedrock', OSS, {}, {}],
  ['thinking', 'bedrock', LLAMA, { budget: 1_000 }, 'dropped'],
  ['thinking', 'openai', 'gpt-5', { budget: 9_000 }, { adjusted: { reasoning_effort: 'high' } }],
  ['thinking', 'openai', 'gpt-5', { budget: 0 }, { adjusted: { reasoning_effort: 'low' } }],
  ['thinking', 'openai', 'gpt-5', { effort: 'minimal' }, { reasoning_effort: 'minimal' }],
  ['thinking', 'openai', 'gpt-5.1', { effort: 'minimal' }, { adjusted: { reasoning_effort: 'low' } }],
  ['reasoning_effort', 'openai', 'gpt-5.1', 'minimal', { adjusted: { reasoning_effort: 'low' } }],
  [
    'reasoning_effort',
    'bedrock',
    NOVA2,
    'minimal',
    { adjusted: additional({ reasoningConfig: { type: 'enabled', maxReasoningEffort: 'low' } }) },
  ],
  [
    'reasoning_effort',
    'bedrock',
    'openai.gpt-5.5',
    'minimal',
    { adjusted: additional({ reasoning: { effort: 'low' } }) },
  ],
  ['thinking', 'openai', 'gpt-5', {}, {}],
  ['thinking', 'openai', 'gpt-4o', {}, 'dropped'],
  ['thinking', 'compatible', 'llama', { budget: 9_000 }, 'dropped'],

  [
    'response_format',
    'anthropic',
    OLD,
    { schema: SCHEMA, description: 'd' },
    { output_config: { format: { type: 'json_schema', schema: { description: 'd', ...CLOSED } } } },
  ],
  ['response_format', 'anthropic', 'claude-opus-4-1', { schema: SCHEMA }, 'refused', 'text.format'],
  [
    'response_format',
    'anthropic',
    OLD,
    {},
    { adjusted: { system: [{ type: 'text', text: expect.stringContaining('JSON') }] } },
  ],
  [
    'response_format',
    'gemini',
    FLASH,
    { schema: SCHEMA, description: 'd', name: 'n' },
    config({ responseMimeType: 'application/json', responseJsonSchema: { description: 'd', ...SCHEMA } }),
  ],
  ['response_format', 'gemini', FLASH, {}, config({ responseMimeType: 'application/json' })],
  [
    'response_format',
    'bedrock',
    NOVA,
    { schema: SCHEMA, name: 'n' },
    {
      outputConfig: {
        textFormat: { type: 'json_schema', structure: { jsonSchema: { schema: JSON.stringify(CLOSED), name: 'n' } } },
      },
    },
  ],
  ['response_format', 'bedrock', NOVA, {}, { adjusted: { system: [{ text: expect.stringContaining('JSON') }] } }],
  [
    'response_format',
    'openai',
    'gpt-4o',
    { schema: SCHEMA, strict: true },
    { response_format: { type: 'json_schema', json_schema: { name: 'response', strict: true, schema: SCHEMA } } },
  ],
  ['response_format', 'openai', 'gpt-4o', {}, { response_format: { type: 'json_object' } }],

  ['seed', 'anthropic', OLD, 7, 'dropped'],
  ['seed', 'gemini', FLASH, 7, config({ seed: 7 })],
  ['seed', 'gemini', FLASH, 0.5, 'dropped'],
  ['seed', 'bedrock', NOVA, 7, 'dropped'],
  ['seed', 'openai', 'gpt-4o', 7, { seed: 7 }],

  ['top_k', 'anthropic', OPUS, 5, { top_k: 5 }],
  ['top_k', 'anthropic', NEW, 5, 'dropped'],
  ['top_k', 'anthropic', OPUS, 'x', 'dropped'],
  ['top_k', 'gemini', FLASH, 5, config({ topK: 5 })],
  ['top_k', 'gemini', FLASH, 'x', 'dropped'],
  ['top_k', 'bedrock', CLAUDE, 5, additional({ top_k: 5 })],
  ['top_k', 'bedrock', NOVA, 5, additional({ inferenceConfig: { topK: 5 } })],
  ['top_k', 'bedrock', LLAMA, 5, 'dropped'],
  ['top_k', 'openai', 'gpt-4o', 5, 'dropped'],

  ['presence_penalty', 'anthropic', OLD, 1, 'dropped'],
  ['presence_penalty', 'gemini', FLASH, 1, config({ presencePenalty: 1 })],
  ['presence_penalty', 'bedrock', NOVA, 1, 'dropped'],
  ['presence_penalty', 'openai', 'gpt-4o', 1, { presence_penalty: 1 }],

  ['frequency_penalty', 'anthropic', OLD, 1, 'dropped'],
  ['frequency_penalty', 'gemini', FLASH, 1, config({ frequencyPenalty: 1 })],
  ['frequency_penalty', 'gemini', FLASH, '1', 'dropped'],
  ['frequency_penalty', 'bedrock', NOVA, 1, 'dropped'],
  ['frequency_penalty', 'openai', 'gpt-4o', 1, { frequency_penalty: 1 }],

  ['logit_bias', 'anthropic', OLD, { 1: 2 }, 'dropped'],
  ['logit_bias', 'gemini', FLASH, { 1: 2 }, 'dropped'],
  ['logit_bias', 'bedrock', NOVA, { 1: 2 }, 'dropped'],
  ['logit_bias', 'openai', 'gpt-4o', { 1: 2 }, { logit_bias: { 1: 2 } }],

  ['verbosity', 'anthropic', OLD, 'low', 'dropped'],
  ['verbosity', 'gemini', FLASH, 'low', 'dropped'],
  ['verbosity', 'bedrock', NOVA, 'low', 'dropped'],
  ['verbosity', 'openai', 'gpt-5', 'low', { verbosity: 'low' }],
  ['verbosity', 'openai', 'gpt-4o', 'low', 'dropped'],

  ['service_tier', 'anthropic', OLD, 'flex', 'dropped'],
  ['service_tier', 'gemini', FLASH, 'flex', 'dropped'],
  ['service_tier', 'bedrock', NOVA, 'flex', { serviceTier: { type: 'flex' } }],
  ['service_tier', 'bedrock', NOVA, 'scale', 'dropped'],
  ['service_tier', 'openai', 'gpt-4o', 'flex', { service_tier: 'flex' }],
  ['service_tier', 'openai', 'gpt-4o', 'x', 'dropped'],
  ['service_tier', 'openai', 'gpt-4o', 'flex', 'dropped', 'serviceTier'],

  ['end_user', 'anthropic', OLD, 'u', { metadata: { user_id: 'u' } }, 'user'],
  ['end_user', 'gemini', FLASH, 'u', 'dropped', 'user'],
  ['end_user', 'bedrock', NOVA, 'u', 'dropped', 'user'],
  ['end_user', 'openai', 'gpt-4o', 'u', { user: 'u' }, 'metadata.user_id'],

  ['cache_hint', 'anthropic', OLD, {}, {}, 'tools[0].cache_control'],
  ['cache_hint', 'anthropic', OLD, {}, 'dropped', 'messages[0].content[0].prompt_cache_breakpoint'],
  ['cache_hint', 'gemini', FLASH, {}, 'dropped', 'tools[0].cache_control'],
  ['cache_hint', 'bedrock', CLAUDE, {}, {}, 'tools[0].cache_control'],
  ['cache_hint', 'bedrock', NOVA, {}, 'dropped', 'messages[0].content[0].prompt_cache_breakpoint'],
  ['cache_hint', 'bedrock', LLAMA, {}, 'dropped', 'tools[0].cache_control'],
  ['cache_hint', 'openai', 'gpt-4o', {}, 'dropped', 'tools[0].cache_control'],

  ['image_detail', 'anthropic', OLD, 'low', 'dropped', 'input[0].content[0].detail'],
  ['image_detail', 'gemini', FLASH, 'low', 'dropped', 'input[0].content[0].detail'],
  ['image_detail', 'bedrock', NOVA, 'low', 'dropped', 'input[0].content[0].detail'],
  // It is a member of the image too.
  ['image_detail', 'openai', 'gpt-4o', 'low', {}, 'input[0].content[0].detail'],

  ...(['anthropic', 'gemini', 'bedrock', 'openai'] as const).flatMap((target): Row[] => [
    ['hint', target, 'm', { a: 1 }, 'dropped', 'metadata'],
    ['essential', target, 'm', { a: 1 }, 'refused', 'tools[0]'],
  ]),
];

describe.each(MEANINGS)('%s', (meaning) => {
  const rows = ROWS.filter(([one]) => one === meaning).map(
    ([, target, model, value, expected, path]) =>
      [target, model, JSON.stringify(value), value, expected, path] as const,
  );

  it.each(rows)('%s %s: %s', (target, model, _, value, expected, path) =>
    expect(sent(target, model, meaning, value, path)).toEqual(expected),
  );

  it('has a row for each provider', () =>
    expect([...new Set(rows.map(([target]) => target))].sort()).toEqual(
      expect.arrayContaining(['anthropic', 'bedrock', 'gemini', 'openai']),
    ));
});

it('a target that names fields for a meaning can set it, and no other can', () => {
  for (const table of [ANTHROPIC_TARGET, GEMINI_TARGET, CONVERSE_TARGET, CHAT_TARGET]) {
    for (const [meaning, { as, set }] of Object.entries(table)) {
      expect([meaning, as !== undefined]).toEqual([meaning, set !== undefined]);
    }
  }
});
