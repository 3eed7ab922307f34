import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readJsonDocument } from '../../../kernel/json/index.ts';
import { checkChatRequest, fromOpenAiChatRequest } from '../../protocols/openai-chat/from-chat-request.ts';
import { Translation } from '../../routing/index.ts';
import { EchoProvider } from './echo-provider.ts';

async function complete(fields: object) {
  const source = readJsonDocument(JSON.stringify({ model: 'echo', ...fields }));
  const answer = await new EchoProvider().complete({
    operation: 'openai-chat',
    source,
    request: fromOpenAiChatRequest(checkChatRequest(source)),
    model: 'echo',
    translation: new Translation('echo'),
    signal: new AbortController().signal,
  });
  if (answer.kind === 'translated') return answer.completion;
  if (answer.kind !== 'translated-stream') throw new Error(answer.kind);
  const texts = new Map<number, string>();
  const finished: string[] = [];
  let usage = {};
  for await (const deltas of answer.deltas) {
    for (const delta of deltas) {
      if (delta.type === 'text') texts.set(delta.choice, (texts.get(delta.choice) ?? '') + delta.text);
      if (delta.type === 'finish') finished.push(delta.reason);
      if (delta.type === 'usage') usage = delta.usage;
    }
  }
  return {
    choices: finished.map((finishReason, index) => ({ index, text: texts.get(index) ?? '', finishReason })),
    usage,
  };
}

describe('the echo model', () => {
  it('returns the last user text exactly, whole and streamed, in every choice', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme', maxLength: 30 }),
        fc.integer({ min: 1, max: 3 }),
        async (content, n) => {
          const messages = [
            { role: 'user', content: 'first' },
            { role: 'user', content },
            { role: 'assistant', content: 'b' },
          ];
          const whole = await complete({ messages, n });
          expect(whole.choices).toEqual(
            Array.from({ length: n }, (_, index) => ({ index, text: content, finishReason: 'stop' })),
          );
          expect(await complete({ messages, n, stream: true })).toMatchObject({
            choices: whole.choices,
            usage: whole.usage,
          });
        },
      ),
    );
  });

  it('stops at the requested length with finish reason length and exact usage', async () => {
    const answer = await complete({
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'one two three' },
      ],
      max_tokens: 2,
      n: 2,
    });
    expect(answer).toMatchObject({
      choices: [
        { text: 'one two', finishReason: 'length' },
        { text: 'one two', finishReason: 'length' },
      ],
      usage: { inputTokens: 6, outputTokens: 4 },
    });
  });
});
