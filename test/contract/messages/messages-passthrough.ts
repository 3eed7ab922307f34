import { describe, expect, test } from '@jest/globals';
import type { Contract } from '../contract.ts';
import { LEAK } from '../example-texts.ts';
import { GITHUB_TOKEN } from '../inspection/planted-secret.ts';
import { PLANTED } from '../service.ts';
import { type Event, expectGoodOrder, expectMessagesError } from './messages-reply.ts';
import { CLAUDE, messagesCalls, ODD, saying } from './messages-requests.ts';

/** What of a message passes unchanged between the caller and Anthropic. */
export function messagesPassthroughContract(contract: Contract): void {
  const { ask, stream } = messagesCalls(contract);

  describe('between the caller and Anthropic', () => {
    test('a body passes byte by byte, streamed or not', async () => {
      expect((await ask(ODD)).status).toBe(200);
      expect(contract.sent).toMatchObject({ path: '/v1/messages', body: ODD });
      const streamed = ODD.replace('"temperature"', '"stream":true, "temperature"');
      await ask(streamed);
      expect(contract.sent.body).toBe(streamed);
    });

    test("only a provider's prefix, our fields and redacted text change", async () => {
      await ask(ODD.replace('"claude', '"anthropic/claude'));
      expect(contract.sent.body).toBe(ODD);
      await ask(
        ODD.replace('"temperature"', '"svc":{"a":1}, "temperature"').replace('{"b":', '{"moderation":"score","b":'),
      );
      expect(contract.sent.body).toBe(ODD.replace('{"b":', '{"moderation":"score","b":'));
      const key = await contract.newKey({ policy: { input: { secret: { action: 'redact' } } } });
      await ask(ODD.replace('caf\\u00e9', GITHUB_TOKEN), { key });
      expect(contract.sent.body).toMatch(/"text":"\[REDACTED_GITHUB_TOKEN\] \/ \S+",/);
    });

    test("only Anthropic's headers of the caller pass", async () => {
      const headers = {
        'anthropic-version': '2024-01-01',
        'anthropic-beta': 'mcp-client-2025-11-20,interleaved-thinking-2025-05-14',
        'anthropic-workspace-id': 'wrkspc_7',
        'x-end-user-id': 'u-7',
        cookie: 'a=b',
        'user-agent': 'their-own/1',
        'x-stainless-lang': 'js',
      };
      await contract.call('/messages', JSON.stringify(saying('Hi')), {
        key: '',
        headers: { ...headers, 'x-api-key': contract.key },
      });
      const { headers: sent } = contract.sent;
      expect(sent).toMatchObject({
        'x-api-key': PLANTED.anthropicKey,
        'anthropic-version': '2024-01-01',
        'anthropic-beta': headers['anthropic-beta'],
      });
      expect(JSON.stringify(sent)).not.toMatch(/svc_sk_|u-7|cookie|their-own|stainless|wrkspc/i);
      await ask(saying('Hi'));
      expect(contract.sent.headers['anthropic-version']).toBe('2023-06-01');
      expect(contract.sent.headers['anthropic-beta']).toBeUndefined();
      const bad = await ask(saying('Hi'), { headers: { 'anthropic-beta': 'x'.repeat(5_000) } });
      expectMessagesError(bad, 400, 'invalid_request_error', 'invalid_value', 'anthropic-beta');
    });

    test('unknown fields of the response are returned, in JSON with their exact numbers', async () => {
      const raw =
        '{ "id":"msg_1","type":"message","role":"assistant","model":"m","x_big":12345678901234567890,' +
        '"content":[ {"type":"text","text":"Hi","x_note":[1.0]},{"type":"hologram","x":1E3}],"stop_reason":"end_turn"}';
      contract.upstream.next({ raw });
      const { text } = await ask(saying('Hi'));
      expect(text.replace(/,"svc":\{.*\}\}$/, '}')).toBe(raw);
    });

    test('unknown fields and events of a stream are returned', async () => {
      const events = [
        '{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"usage":{"input_tokens":3,"output_tokens":1,"x":1.0}}}',
        '{"type":"aside","x_big":12345678901234567890}',
        '{"type":"content_block_start","index":0,"content_block":{"type":"hologram"},"x":[ 1.0 ]}',
        '{"type":"content_block_delta","index":0,"delta":{"type":"light_delta","light":"blue"}}',
        '{"type":"content_block_stop","index":0}',
        '{"type":"message_delta","delta":{"stop_reason":"pause_turn","stop_sequence":null},"usage":{"output_tokens":2}}',
        '{"type":"message_stop"}',
      ];
      contract.upstream.next({
        raw: events.map((json) => `event: ${JSON.parse(json).type}\ndata: ${json}\n\n`).join(''),
      });
      const { text } = await stream(saying('Hi'));
      for (const json of events) expect(text.replace(/,"svc":\{.*\}\}/, '}')).toContain(`data: ${json}\n\n`);
    });

    test('thinking and its signature pass unchanged both ways, and findings in them are reported', async () => {
      const thinking = { type: 'thinking', thinking: `So ${LEAK}`, signature: 'c2lnbmF0dXJl' };
      const redacted = { type: 'redacted_thinking', data: 'ZW5jcnlwdGVk' };
      const text = { type: 'text', text: 'Fine.' };
      const past = [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: [thinking, redacted, text] },
        { role: 'user', content: 'On.' },
      ];
      const key = await contract.newKey({ policy: { input: { secret: { action: 'block' } } } });
      const whole = {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [thinking, redacted, text],
        stop_reason: 'end_turn',
        stop_sequence: null,
        usage: { input_tokens: 1, output_tokens: 1 },
      };
      contract.upstream.next({ raw: JSON.stringify(whole) });
      const body = JSON.stringify({ model: CLAUDE, max_tokens: 5, messages: past });
      const { json } = await ask(body, { key });
      expect(contract.sent.body).toBe(body);
      expect(json.content).toEqual(whole.content);
      expect(json.svc.action).toBe('flag');
      const fields = json.svc.detected_threats.map(({ location }: Event) => location.field);
      expect(fields).toEqual(['messages[1].content[0].thinking', 'content[0].thinking']);

      const events = [
        { type: 'message_start', message: { ...whole, content: [], stop_reason: null } },
        { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
        ...[...thinking.thinking].map((letter) => ({
          type: 'content_block_delta',
          index: 0,
          delta: { type: 'thinking_delta', thinking: letter },
        })),
        { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: thinking.signature } },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 2 } },
        { type: 'message_stop' },
      ];
      contract.upstream.next({
        raw: events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
      });
      const reply = await stream(saying('Hi'));
      expectGoodOrder(reply);
      expect(reply.events.slice(0, -2)).toEqual(events.slice(0, -2));
      expect(reply.events.at(-2).svc).toMatchObject({ action: 'flag' });
    });
  });
}
