import { describe, expect, it } from '@jest/globals';
import type { ChatCompletion, ChatDelta } from '../../../kernel/model/index.ts';
import {
  BLOCK,
  FLAG,
  HEAD,
  message,
  REDACT,
  SVC,
  translated,
  USAGE,
  whole,
  world,
} from './responses-response.fixture.ts';
import { RESPONSES_FRAMING } from './responses-response-format.ts';

describe('a whole response', () => {
  const RESPONSE = {
    ...HEAD,
    status: 'completed',
    output: [
      { id: 'rs', type: 'reasoning', summary: [{ type: 'summary_text', text: `think ${REDACT}` }] },
      message('m', [{ type: 'output_text', text: `Say ${REDACT}.`, annotations: [] }]),
      { id: 'fc', type: 'function_call', call_id: 'c', name: 'f', arguments: `{"a":"${FLAG}"}` },
    ],
    usage: USAGE,
  };

  it('is redacted except its reasoning, whose finding is reported', async () => {
    const { response, findings, outcome } = await whole(RESPONSE);
    expect(response.output[0]).toEqual(RESPONSE.output[0]);
    expect(response.output[1].content[0].text).toMatch(/^Say \[REDACTED_\w+\]\.$/);
    expect(response.output[2]).toEqual(RESPONSE.output[2]);
    expect(findings.map((one) => [one.split(' ')[0], one.split(' ').at(-1)])).toEqual([
      ['output[0].summary[0].text', 'flag'],
      ['output[1].content[0].text', 'redact'],
      ['output[2].arguments', 'flag'],
    ]);
    expect([response.svc, outcome.usage.reported]).toEqual([
      SVC,
      { inputTokens: 7, cachedInputTokens: 2, outputTokens: 5 },
    ]);
  });

  it('keeps the text before a block, and nothing else', async () => {
    const output = [message('m', [{ type: 'output_text', text: `Fine. ${BLOCK} not` }]), RESPONSE.output[2]];
    const { response, json } = await whole({ ...RESPONSE, output, output_text: `Fine. ${BLOCK} not` });
    expect(response).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'content_filter' } });
    expect(response.output).toEqual([
      { ...message('m', [{ type: 'output_text', text: 'Fine. ' }]), status: 'incomplete' },
    ]);
    expect(json).not.toContain('SVC-TEST');
  });

  it.each([[{}], [[]], [null], [{ error: { message: 'no' } }]])('is invalid: %j', async (body) => {
    await expect(whole(body as object)).rejects.toMatchObject({ code: 'provider_error' });
  });
});

describe('a translated response', () => {
  const finish = (reason: 'stop' | 'length' | 'tool_calls' | 'content_filter'): ChatDelta[] => [
    { type: 'finish', choice: 0, reason },
    { type: 'usage', usage: { inputTokens: 4, outputTokens: 6, reasoningTokens: 1 } },
  ];
  const start: ChatDelta = { type: 'start', id: 'x', model: 'claude-x' };

  it('has every event of a response', async () => {
    const { faults, response, events } = await translated([
      start,
      { type: 'text', choice: 0, text: 'Let ' },
      { type: 'text', choice: 0, text: 'me see.' },
      { type: 'refusal', choice: 0, text: 'No.' },
      { type: 'tool_call', choice: 0, index: 0, id: 'call_1', name: 'f' },
      { type: 'tool_call', choice: 0, index: 1, id: 'call_2', name: 'g' },
      // Some providers interleave the arguments of several calls.
      { type: 'tool_arguments', choice: 0, index: 0, text: '{"a"' },
      { type: 'tool_arguments', choice: 0, index: 1, text: '{}' },
      { type: 'tool_arguments', choice: 0, index: 0, text: ':1}' },
      ...finish('tool_calls'),
    ]);
    expect(faults).toEqual([]);
    expect(response).toMatchObject({
      id: 'resp_0a1b',
      model: 'claude-x',
      status: 'completed',
      store: false,
      output: [
        {
          id: 'msg_0a1b0',
          content: [
            { type: 'output_text', text: 'Let me see.' },
            { type: 'refusal', refusal: 'No.' },
          ],
        },
        { id: 'fc_0a1b1', call_id: 'call_1', name: 'f', arguments: '{"a":1}', status: 'completed' },
        { id: 'fc_0a1b2', call_id: 'call_2', name: 'g', arguments: '{}' },
      ],
      usage: { input_tokens: 4, output_tokens: 6, total_tokens: 10, output_tokens_details: { reasoning_tokens: 1 } },
      svc: SVC,
    });
    expect(events.filter(({ type }) => type === 'response.content_part.added')).toHaveLength(2);
  });

  it.each([
    ['stop', 'completed', null],
    ['length', 'incomplete', { reason: 'max_output_tokens' }],
    ['content_filter', 'incomplete', { reason: 'content_filter' }],
  ] as const)('that ended with %s is %s, streamed and whole', async (reason, status, incomplete_details) => {
    const { response, faults } = await translated([start, { type: 'text', choice: 0, text: 'Hi' }, ...finish(reason)]);
    expect([faults, response.status, response.incomplete_details]).toEqual([[], status, incomplete_details]);
    const { writer, guard } = world({ stream: false });
    const completion: ChatCompletion = {
      id: 'x',
      model: 'claude-x',
      choices: [{ index: 0, text: 'Hi', finishReason: reason }],
      usage: {},
    };
    const json = JSON.parse(await writer.whole({ kind: 'translated', completion }, { guard }));
    expect(json).toMatchObject({
      status,
      incomplete_details,
      model: 'claude-x',
      output: [{ content: [{ text: 'Hi' }] }],
    });
    expect('usage' in json).toBe(false);
  });

  it('gives no ids, since it is not stored', async () => {
    const { outcome } = await translated([start, { type: 'text', choice: 0, text: 'Hi' }, ...finish('stop')]);
    expect([outcome.conversation?.given, outcome.conversation?.withheld]).toEqual([[], []]);
  });

  it('fails if it stops without an end', async () => {
    await expect(translated([start, { type: 'text', choice: 0, text: 'Hi' }])).rejects.toMatchObject({
      code: 'provider_error',
    });
  });
});

it('an error in a stream has the documented format and the format that clients read', () => {
  const error = { message: 'It failed.', type: 'provider_error', param: null, code: 'provider_error' };
  expect(RESPONSES_FRAMING.error?.({ error }, 7)).toEqual({
    type: 'error',
    sequence_number: 7,
    code: 'provider_error',
    message: 'It failed.',
    param: null,
    error,
  });
});
