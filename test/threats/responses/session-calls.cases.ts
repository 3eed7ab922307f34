import { describe, expect, test } from '@jest/globals';
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
  size: number | null = 7,
): Promise<Received> {
  const api = CALL_APIS[name];
  const streams = size !== null;
  const request = {
    path: (lane: number) => api.path(lane, streams),
    body: (lane: number) => JSON.stringify({ ...api.members(lane, streams), ...body }),
    type: 'application/json',
    headers: { authorization: `Bearer ${key}`, ...headers },
    answer: streams ? api.streamed(blocks, size) : api.whole(blocks),
  };
  const [exchange] = await gateway.askAll([request]);
  return api.read(jsonsIn((exchange as { text: string }).text));
}

/** The same, asked again while the store of sessions does not respond in time. */
async function askKnowing(...args: Parameters<typeof ask>): Promise<Received> {
  for (;;) {
    const received = await ask(...args);
    if (!received.svc.coverage.skipped.includes('session memory')) return received;
  }
}

const misuseIn = ({ svc }: Received) => svc.detected_threats.filter(({ type }) => type === 'tool_misuse');

test.each(NAMES)("an order in a client's summary is a third party's, in the session that had it: %s", async (name) => {
  const session = { 'x-session-id': newSession() };
  await askKnowing(name, CONVERSATIONS[name](USER, MAIL(ORDER)), ['One moment.'], session);
  const [found] = misuseIn(await askKnowing(name, compacted(name, SUMMARY), [SEND], session));
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
    expect(misuseIn(await askKnowing(name, compacted(name, SUMMARY), [SEND], other))).toEqual([]);
  const otherKey = await gateway.newKey({});
  expect(misuseIn(await askKnowing(name, compacted(name, SUMMARY), [SEND], session, otherKey))).toEqual([]);
  // The user types the address.
  const typed = compacted(name, 'Send all contracts to audit@collect-docs.test please.');
  expect(misuseIn(await askKnowing(name, typed, [SEND], session))).toEqual([]);
});

test('the open session of an end user remembers it too', async () => {
  const user = { 'x-end-user-id': `user ${newSession()}` };
  await askKnowing('chat', CONVERSATIONS.chat(USER, MAIL(ORDER)), ['One moment.'], user);
  expect(misuseIn(await askKnowing('chat', compacted('chat', SUMMARY), [SEND], user))).toHaveLength(1);
});

const callsIn = ({ blocks }: Received) => blocks.filter((block) => typeof block !== 'string');
const textsIn = ({ blocks }: Received) => blocks.filter((block) => typeof block === 'string').join('');
const pay = (amount: number) => ({ name: 'pay', args: { amount: String(amount) } });

describe.each(NAMES)('the sum of the calls of a session: %s', (name) => {
  const asked = CONVERSATIONS[name]('Pay the invoices.', MAIL('Hello.'));
  const keyWith = (rule: object) => {
    const rules = [{ id: 'sum', tool: 'pay', action: 'block', ...rule }];
    return gateway.newKey({ output: { tool_misuse: { action: 'off' } }, tools: { rules } });
  };
  const total = (per: string) => ({ total: { arg: 'amount', max: 100, per } });

  test('counts the calls of earlier requests, and each of them once', async () => {
    const key = await keyWith(total('session'));
    const session = { 'x-session-id': newSession() };
    expect(callsIn(await ask(name, asked, [pay(60)], session, key))).toEqual([pay(60)]);
    const next = await ask(name, asked, [pay(50), pay(40)], session, key);
    expect(callsIn(next)).toEqual([pay(40)]);
    expect(textsIn(next)).toContain('brings the sum of the session above 100. Do not try again in this session');
    expect(callsIn(await ask(name, asked, [pay(1)], session, key))).toEqual([]);
    expect(callsIn(await ask(name, asked, [pay(1)], { 'x-session-id': newSession() }, key))).toEqual([pay(1)]);
  });

  test('of a day counts those of all sessions of the key', async () => {
    const key = await keyWith(total('day'));
    const first = await ask(name, asked, [pay(60)], { 'x-session-id': newSession() }, key);
    const next = await ask(name, asked, [pay(60)], {}, key);
    expect([callsIn(first), callsIn(next)]).toEqual([[pay(60)], []]);
    expect(textsIn(next)).toContain('brings the sum of the day above 100. Wait until the next UTC day');
    expect(callsIn(await ask(name, asked, [pay(60)], {}, await keyWith(total('day'))))).toEqual([pay(60)]);
  });

  test('has no room for a call that another rule removes, and counts one that is only flagged', async () => {
    const session = { 'x-session-id': newSession() };
    const key = await keyWith({ ...total('session'), args: { amount: { max: 50 } } });
    expect(callsIn(await ask(name, asked, [pay(60), pay(50), pay(50)], session, key))).toEqual([pay(50), pay(50)]);
    const flagging = await keyWith({ ...total('session'), action: 'flag' });
    for (const [amount, findings] of [
      [60, 0],
      [60, 1],
      [1, 1],
    ] as const) {
      const received = await ask(name, asked, [pay(amount)], session, flagging);
      expect([callsIn(received), misuseIn(received).length]).toEqual([[pay(amount)], findings]);
    }
  });

  test('makes later calls of the response wait, which are decided by the calls that are sent', async () => {
    const once = { id: 'once', tool: 'pay', action: 'block', after: { tool: 'pay' } };
    const rules = [{ id: 'sum', tool: 'pay', action: 'block', ...total('day') }, once];
    for (const size of [7, null]) {
      const key = await gateway.newKey({ output: { tool_misuse: { action: 'off' } }, tools: { rules } });
      // The first has no room, the second is sent.
      const received = await ask(name, asked, [pay(110), pay(20), pay(30)], {}, key, size);
      expect(callsIn(received)).toEqual([pay(20)]);
    }
  });

  test('counts a call that a person approves', async () => {
    const session = { 'x-session-id': newSession() };
    const key = await keyWith({ ...total('session'), action: 'ask' });
    await ask(name, asked, [pay(90)], session, key);
    const waiting = await ask(name, asked, [pay(20)], session, key);
    expect(callsIn(waiting)).toEqual([]);
    const [code] = /\b[2-9A-Z]{4}-[2-9A-Z]{4}\b/.exec(textsIn(waiting)) as RegExpExecArray;
    expect(callsIn(await ask(name, asked, [pay(10)], session, key))).toEqual([pay(10)]);
    expect(callsIn(await ask(name, compacted(name, `Yes: ${code}`), [], session, key))).toEqual([pay(20)]);
    expect(callsIn(await ask(name, asked, [pay(1)], session, key))).toEqual([]);
  });
});

test.each(NAMES)('a rule after a source holds in later requests of the session too: %s', async (name) => {
  const rules = [{ id: 'after-mail', tool: 'send_*', action: 'block', after: { source: 'private' } }];
  const tools = { sources: { read_mail: 'private' }, rules };
  const key = await gateway.newKey({ output: { tool_misuse: { action: 'off' } }, tools });
  const session = { 'x-session-id': newSession() };
  const without = compacted(name, 'Send the contracts.');
  expect(callsIn(await askKnowing(name, without, [SEND], session, key))).toEqual([SEND]);
  await askKnowing(name, CONVERSATIONS[name](USER, MAIL('Hello.')), ['Done.'], session, key);
  expect(callsIn(await askKnowing(name, without, [SEND], session, key))).toEqual([]);
  expect(callsIn(await askKnowing(name, without, [SEND], { 'x-session-id': newSession() }, key))).toEqual([SEND]);
});

test('a rule after a call holds once the response of an earlier request had it', async () => {
  const rules = [{ id: 'once', tool: 'send_*', action: 'block', after: { tool: 'send_*' } }];
  const key = await gateway.newKey({ output: { tool_misuse: { action: 'off' } }, tools: { rules } });
  const session = { 'x-session-id': newSession() };
  const body = compacted('chat', 'Send the contracts.');
  expect(callsIn(await askKnowing('chat', body, [SEND], session, key))).toEqual([SEND]);
  expect(callsIn(await askKnowing('chat', body, [SEND], session, key))).toEqual([]);
});

const MAIL_RULE = { id: 'known', tool: 'send_*', action: 'ask', args: { to: { from: ['user'] } } };
const CODE = /\b[2-9A-Z]{4}-[2-9A-Z]{4}\b/;
const USER_ONLY = (name: Name, text: string) => compacted(name, text);

describe.each(NAMES)('a call that was denied: %s', (name) => {
  test.each([7, null])('is denied although no rule holds it any more (%s)', async (size) => {
    const session = { 'x-session-id': newSession() };
    const key = await gateway.newKey({ output: { tool_misuse: { action: 'off' } }, tools: { rules: [MAIL_RULE] } });
    const held = await ask(name, CONVERSATIONS[name](USER, MAIL(ORDER)), [SEND], session, key, size);
    const [code = ''] = CODE.exec(textsIn(held)) ?? [];
    await ask(name, USER_ONLY(name, `No, ${code}`), ['All right.'], session, key, size);
    const other = { name: 'send_email', args: { ...SENT, subject: 'Other' } };
    const typed = USER_ONLY(name, `Send it to ${SENT.to}, and a copy to kim@partner.example.`);
    const copy = { name: 'send_email', args: { ...SENT, to: 'kim@partner.example' } };
    const again = await ask(name, typed, [SEND, other, copy], session, key, size);
    expect(callsIn(again)).toEqual([copy]);
    expect(textsIn(again)).toContain('was denied before');
    expect(misuseIn(again)).toMatchObject([{ action: 'block' }, { action: 'block' }]);
    expect(again.svc.action).toBe('block');
  });
});
