import { describe, expect, it } from '@jest/globals';
import { BLOCK, HEAD, type OutsideOutput, REDACT, TOOL, whole } from './messages-response.fixture.ts';
import { MESSAGES_FRAMING } from './messages-response-format.ts';

describe('event framing', () => {
  it.each([
    ['{"type":"ping"}', 'event: ping\ndata: {"type":"ping"}\n\n'],
    ['{ "a":1,\n "type":"message_stop"}', 'event: message_stop\ndata: { "a":1,  "type":"message_stop"}\n\n'],
    ['{"type":"a\\nb"}', 'event: message\ndata: {"type":"a\\nb"}\n\n'],
  ])('names each event on one line: %j', (json, event) => expect(MESSAGES_FRAMING.event(json)).toBe(event));
});

describe('a whole Anthropic response', () => {
  const message = (content: object[], more: object = {}) => ({
    ...HEAD,
    content,
    stop_reason: 'end_turn',
    usage: { input_tokens: 7, cache_creation_input_tokens: 2, cache_read_input_tokens: 5, output_tokens: 4 },
    ...more,
  });

  it('passes with svc at the top, and its usage is read', async () => {
    const body = message(
      [
        { type: 'thinking', thinking: `So ${REDACT}`, signature: 'c2ln' },
        { type: 'text', text: 'Hi', citations: null },
      ],
      { x_new: [1] },
    );
    const { message: out, outcome } = await whole(body);
    expect(out).toEqual({ ...body, svc: expect.objectContaining({ action: 'flag' }) });
    expect(outcome.usage.reported).toEqual({
      inputTokens: 14,
      outputTokens: 4,
      cachedInputTokens: 5,
      cacheWriteInputTokens: 2,
    });
    expect(outcome.inspection.coverage.output).toEqual(['content[0]', 'content[1]']);
  });

  it('is redacted wherever it contains text', async () => {
    const body = message([
      { type: 'text', text: `a ${REDACT}`, citations: [{ cited_text: REDACT }] },
      { ...TOOL, type: 'server_tool_use', input: { data: REDACT, deep: { id: [REDACT] } } },
      { type: 'hologram', light: REDACT },
    ]);
    const { message: out } = await whole(body);
    expect(JSON.stringify(out)).not.toContain('SVC-TEST');
    expect(out.content[1].input.deep.id).toHaveLength(1);
  });

  it('keeps the text before a block, and no tool call', async () => {
    const { message: out } = await whole(
      message(
        [
          { type: 'thinking', thinking: 'h', signature: 'g' },
          { ...TOOL, input: { a: 'b' } },
          { type: 'text', text: `Before. ${BLOCK} Behind.`, citations: [{ cited_text: 'Behind' }] },
          { type: 'text', text: 'Later.' },
          { type: 'thinking', thinking: 'later', signature: 'g' },
        ],
        { stop_reason: 'stop_sequence', stop_sequence: 'x' },
      ),
    );
    expect(out).toMatchObject({ stop_reason: 'refusal', stop_sequence: null, svc: { action: 'block' } });
    expect(out.content).toEqual([
      { type: 'thinking', thinking: 'h', signature: 'g' },
      { type: 'text', text: 'Before. ', citations: [] },
    ]);
  });

  it('has no content when blocked at its first word or withheld', async () => {
    const blocked = await whole(message([{ type: 'text', text: BLOCK }]));
    expect(blocked.message).toMatchObject({ content: [], stop_reason: 'refusal', svc: { action: 'block' } });
    const outside = { withheld: true, take: () => {}, inspectWhole: async () => {} } as unknown as OutsideOutput;
    expect((await whole(message([{ type: 'text', text: 'Hi' }]), { outside })).message).toMatchObject({
      content: [],
      stop_reason: 'refusal',
    });
  });

  it.each([[{}], [{ type: 'message' }], [{ type: 'error', error: { type: 'api_error', message: 'm' } }], [[]]])(
    'is invalid: %j',
    async (body) => {
      await expect(whole(body)).rejects.toThrow(expect.objectContaining({ code: 'provider_error' }));
    },
  );
});
