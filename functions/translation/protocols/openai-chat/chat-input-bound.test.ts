import { describe, expect, it } from '@jest/globals';
import { boundInputTokens } from './chat-protocol.ts';
import { chatRequestSchema } from './chat-request-schema.ts';

const bound = (body: object, contextTokens?: number) =>
  boundInputTokens(chatRequestSchema.parse({ model: 'gpt-4o-mini', messages: [], ...body }), contextTokens);
const saying = (content: unknown) => ({ messages: [{ role: 'user', content }] });

describe('the input token bound', () => {
  it('is the bytes of the text plus the format around a message', () => {
    expect(bound(saying('a'.repeat(100))) - bound(saying(''))).toBe(100);
    expect(bound(saying('漢'.repeat(100))) - bound(saying(''))).toBe(300);
    expect(bound(saying('Hi'))).toBeGreaterThan(7);
    expect(bound(saying('Hi'))).toBeLessThan(60);
  });

  it('counts each byte of anything else that a model may read', () => {
    const text = 'x'.repeat(1_000);
    const bodies = [
      saying([{ type: 'text', text }]),
      {
        messages: [
          { role: 'assistant', content: null, tool_calls: [{ id: '1', function: { name: 'f', arguments: text } }] },
        ],
      },
      { messages: [{ role: 'tool', tool_call_id: '1', content: text }] },
      { ...saying(''), tools: [{ type: 'function', function: { name: 'f', description: text } }] },
      { ...saying(''), response_format: { type: 'json_schema', json_schema: { description: text } } },
      { ...saying(''), unheard_of: text },
    ];
    for (const body of bodies) expect(bound(body)).toBeGreaterThanOrEqual(1_000);
  });

  it('counts an image at the highest price, and not its bytes', () => {
    const picture = (detail?: string) =>
      bound(
        saying([{ type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(9_000_000)}`, detail } }]),
      );
    expect(picture()).toBeGreaterThanOrEqual(48_169);
    expect(picture()).toBeLessThan(60_000);
    expect(picture('low')).toBeLessThan(4_000);
  });

  it('counts a file as the whole model context', () => {
    expect(bound(saying([{ type: 'file', file: { file_id: 'f' } }]), 128_000)).toBeGreaterThanOrEqual(128_000);
  });
});
