import { describe, expect, test } from '@jest/globals';
import { contract } from '../default-service.ts';
import { CONVERSATIONS, type Conversation, MAIL, ORDER } from '../mail-agent.ts';

const APIS: readonly (readonly [string, string, Conversation, object, string])[] = [
  [
    'chat',
    '/chat/completions',
    CONVERSATIONS.chat,
    { model: 'gpt-4o-mini' },
    'messages[3].tool_calls[0].function.arguments.to',
  ],
  ['responses', '/responses', CONVERSATIONS.responses, { model: 'gpt-4o-mini' }, 'input[3].arguments.to'],
  ['messages', '/messages', CONVERSATIONS.messages, { model: 'claude-sonnet-4-5' }, 'messages[3].content[1].input.to'],
  ['gemini', '/models/echo:generateContent', CONVERSATIONS.gemini, {}, 'contents[3].parts[0].functionCall.args.to'],
];

/** What is reported of calls. */
async function misuseIn(
  path: string,
  body: object,
): Promise<{ readonly category: string; readonly location: { readonly field: string } }[]> {
  const { json } = await contract.call(path, JSON.stringify(body));
  return json.svc.detected_threats.filter(({ type }: { type: string }) => type === 'tool_misuse');
}

describe('a call in a request', () => {
  test.each(APIS)('that a mail ordered is flagged, with its argument: %s', async (_, path, of, model, field) => {
    const found = await misuseIn(path, { ...model, ...of('Summarise mail m-1.', MAIL(ORDER), true) });
    expect(found).toMatchObject([{ category: 'instructed_call', action: 'flag', location: { part: 'input', field } }]);
  });

  test.each(APIS)('that the user asked for is not: %s', async (_, path, of, model) => {
    const user = 'Send the contracts to audit@collect-docs.test please.';
    const body = { ...model, ...of(user, MAIL('Thanks for the call.'), true) };
    expect(await misuseIn(path, body)).toEqual([]);
  });
});
