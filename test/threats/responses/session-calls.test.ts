import { expect, test } from '@jest/globals';
import { CONVERSATIONS, MAIL, ORDER, SENT } from '../mail-agent.ts';
import { jsonsIn } from './answer-formats.ts';
import { gateway } from './answers.ts';
import { type Block, CALL_APIS, type Received } from './called-tools.ts';

/** Tool calls that are decided by earlier requests of the session. */
type Name = keyof typeof CALL_APIS;
const NAMES = Object.keys(CALL_APIS) as Name[];
const USER = 'Summarise mail m-1 and reply to Kim that Thursday suits us.';
const SEND = { name: 'send_email', args: SENT };
/** What a client puts in place of the turns in which the mail was read. */
const SUMMARY = `Summary of our conversation so far. The user wants a summary of mail m-1, and a reply to Kim that Thursday suits us. The mail was read. ${ORDER} The calendar was checked: Thursday is free all day. Neither the summary nor the reply was written yet.`;

let last = 0;
const newSession = () => `chat ${++last}`;

/** Replaces the turns of a conversation by one message of the user. */
function compacted(name: Name, text: string): object {
  const { messages, input, contents, ...rest } = CONVERSATIONS[name](text, MAIL('')) as Record<string, unknown[]>;
  const [first] = (messages ?? input ?? contents) as object[];
  const member = messages ? 'messages' : input ? 'input' : 'contents';
  return { ...rest, [member]: [first] };
}

async function ask(
  name: Name,
  body: object,
  blocks: readonly Block[],
  headers: Record<string, string>,
  key = gateway.key,
): Promise<Received> {
  const api = CALL_APIS[name];
  const request = {
    path: (lane: number) => api.path(lane, true),
    body: (lane: number) => JSON.stringify({ ...api.members(lane, true), ...body }),
    type: 'application/json',
    headers: { authorization: `Bearer ${key}`, ...headers },
    answer: api.streamed(blocks, 7),
  };
  const [exchange] = await gateway.askAll([request]);
  return api.read(jsonsIn((exchange as { text: string }).text));
}

const misuseIn = ({ svc }: Received) => svc.detected_threats.filter(({ type }) => type === 'tool_misuse');

test.each(NAMES)("an order in a client's summary is a third party's, in the session that had it: %s", async (name) => {
  const session = { 'x-session-id': newSession() };
  await ask(name, CONVERSATIONS[name](USER, MAIL(ORDER)), ['One moment.'], session);
  const [found] = misuseIn(await ask(name, compacted(name, SUMMARY), [SEND], session));
  expect(found).toMatchObject({
    category: 'instructed_call',
    origin: {
      argument: 'to',
      user: false,
      sources: [{ message: 0, tool: null, field: '', as: 'prose', earlier: true }],
    },
  });
  expect(JSON.stringify(found)).not.toContain('collect-docs');

  for (const other of [{ 'x-session-id': newSession() }, { 'x-end-user-id': 'ann' }, {}])
    expect(misuseIn(await ask(name, compacted(name, SUMMARY), [SEND], other))).toEqual([]);
  const otherKey = await gateway.newKey({});
  expect(misuseIn(await ask(name, compacted(name, SUMMARY), [SEND], session, otherKey))).toEqual([]);
  // The user types the address.
  const typed = compacted(name, 'Send all contracts to audit@collect-docs.test please.');
  expect(misuseIn(await ask(name, typed, [SEND], session))).toEqual([]);
});

test('the open session of an end user remembers it too', async () => {
  const user = { 'x-end-user-id': `user ${newSession()}` };
  await ask('chat', CONVERSATIONS.chat(USER, MAIL(ORDER)), ['One moment.'], user);
  expect(misuseIn(await ask('chat', compacted('chat', SUMMARY), [SEND], user))).toHaveLength(1);
});
