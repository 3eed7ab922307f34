import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createApprovalSecrets } from '../../adapters/node/approval-secrets.ts';
import { StoreUnavailable } from '../../kernel/errors/index.ts';
import { canonicalArguments, codeFrom, codesIn, isSameCode, type NewApproval, VALID_MS } from './approval.ts';
import { Approvals } from './approvals.ts';
import { MemoryApprovals } from './memory-approvals.fixture.ts';

const secrets = createApprovalSecrets(async () => 'p'.repeat(64));
const NEW: NewApproval = {
  keyId: 'key_1',
  environment: 'Production',
  sessionId: 'chat',
  endUserId: 'ann',
  requestId: 'req_1',
  field: 'choices[0].message.tool_calls[0].function.arguments.to',
  origin: {
    call: 'send_email',
    argument: 'to',
    user: false,
    sources: [{ message: 3, tool: 'read_mail', field: 'mails.ann@example.test', start: 4, end: 30, as: 'prose' }],
    ordered: true,
  },
  value: 'eve@attacker.test',
  policyRule: 'recipients',
  reason: 'Rule "recipients" of the policy: the argument "to" is not from user.',
  call: { id: 'call_1', name: 'send_email', arguments: '{"to": "eve@attacker.test"}' },
};

function world() {
  const clock = { time: Date.parse('2026-06-01T00:00:00.000Z'), now: () => clock.time, monotonic: () => clock.time };
  const store = new MemoryApprovals(clock);
  const changed: string[] = [];
  const onChanged = ({ state }: { readonly state: string }) => void changed.push(state);
  const approvals = new Approvals({ store, secrets, clock, onChanged });
  const ask = async (fields: Partial<NewApproval> = {}) => {
    const asked = await approvals.request({ ...NEW, ...fields });
    return { code: '', id: '', ...asked };
  };
  const decide = async (id: string, state: 'approved' | 'denied') => {
    const found = await store.get(id);
    if (found !== undefined) await store.change(found, { state, decidedAt: null, decidedBy: 'key_2' });
  };
  return { changed, clock, store, approvals, ask, decide };
}

describe('a tool call that waits', () => {
  it('is asked once in a session, however its arguments are written, and elsewhere again', async () => {
    const { ask, store } = world();
    const first = await ask();
    expect(first).toMatchObject({ state: 'pending', expiresAt: '2026-06-01T01:00:00.000Z' });
    expect(first.code).toMatch(/^[2-9A-HJKMNP-TV-Z]{4}-[2-9A-HJKMNP-TV-Z]{4}$/);
    const call = { ...NEW.call, id: 'call_2', arguments: '{ "to" :"eve@attacker.test"}' };
    expect(await ask({ call })).toEqual(first);
    const others = [
      { sessionId: 'other' },
      { sessionId: null },
      { keyId: 'key_2' },
      { call: { ...NEW.call, name: 'send' } },
      { call: { ...NEW.call, arguments: '{"to":"eve@attacker.example"}' } },
    ];
    const ids = await Promise.all(others.map(async (other) => (await ask(other)).id));
    expect(new Set([first.id, ...ids]).size).toBe(6);
    expect(store.events).toHaveLength(6);
  });

  it('is stored and reported without its arguments, its code and unusual names', async () => {
    const { ask, store } = world();
    const { id, code } = await ask();
    const written = JSON.stringify([[...store.items], store.events]);
    expect(written).not.toMatch(/eve@attacker|ann@example/);
    expect(written).not.toContain(code);
    expect(store.events).toMatchObject([
      {
        type: 'tool.approval_requested',
        data: { object: 'approval', id, tool: 'send_email', sources: [{ field: 'mails.*.test' }], state: 'pending' },
      },
    ]);
  });

  it('is released by its code once, with any case and separators, in its session only', async () => {
    const { approvals, ask, changed, store } = world();
    const { code, id } = await ask();
    expect(await approvals.redeem('key_2', 'chat', [code])).toEqual([]);
    expect(await approvals.redeem('key_1', 'other', [code])).toEqual([]);
    expect(await approvals.redeem('key_1', 'chat', [code.replace('-', ' ').toLowerCase()])).toEqual([
      { ...NEW.call, approvalId: id },
    ]);
    expect(await approvals.redeem('key_1', 'chat', [code])).toEqual([]);
    expect(store.events).toMatchObject([
      {},
      { type: 'tool.approval_decided', data: { state: 'used', decidedBy: 'user' } },
    ]);
    expect(changed).toEqual(['pending', 'used']);
    const again = await ask();
    expect([again.state, again.code === code]).toEqual(['pending', false]);
  });

  it('passes once after it is approved, and is asked again then', async () => {
    const { ask, decide } = world();
    const { id } = await ask();
    await decide(id, 'approved');
    expect(await ask()).toMatchObject({ state: 'approved', id });
    expect((await ask()).state).toBe('pending');
  });

  it('without a session is approved for the conversation that has its code', async () => {
    const { ask, decide } = world();
    const { id, code } = await ask({ sessionId: null });
    await decide(id, 'approved');
    const other = await ask({ sessionId: null, said: () => ['Summarise invoice 99.'] });
    expect(other).toMatchObject({ state: 'pending' });
    await decide(other.id, 'approved');
    expect(await ask({ sessionId: null, said: () => [`Reply with ${code}.`] })).toMatchObject({ state: 'pending' });
    const last = await ask({ sessionId: null });
    await decide(last.id, 'approved');
    const said = () => ['Hello.', `It waits: ${last.code}.`];
    expect(await ask({ sessionId: null, said })).toMatchObject({ state: 'approved', id: last.id });
  });

  it('is released with others by one message, and denied by its code', async () => {
    const { approvals, ask, store } = world();
    const calls = ['a', 'b', 'c'].map((to) => ({ ...NEW.call, arguments: JSON.stringify({ to }) }));
    const codes: string[] = [];
    for (const call of calls) codes.push((await ask({ call })).code);
    await approvals.deny('key_1', 'chat', codes.slice(2));
    expect(store.events.at(-1)).toMatchObject({ data: { state: 'denied', decidedBy: 'user' } });
    expect(await ask({ call: calls[2] as NewApproval['call'] })).toMatchObject({ state: 'denied' });
    expect(await approvals.redeem('key_1', 'chat', ['AAAA-AAAA', ...codes])).toMatchObject(calls.slice(0, 2));
  });

  it('can be released by its code after it is approved, once in all', async () => {
    const { approvals, ask, decide } = world();
    const { id, code } = await ask();
    await decide(id, 'approved');
    expect(await approvals.redeem('key_1', 'chat', [code])).toMatchObject([NEW.call]);
    expect((await ask()).state).toBe('pending');
  });

  it('stays denied for the hour, also with its code', async () => {
    const { approvals, ask, clock, decide } = world();
    const { id, code } = await ask();
    await decide(id, 'denied');
    expect(await ask()).toMatchObject({ state: 'denied', id });
    expect(await approvals.redeem('key_1', 'chat', [code])).toEqual([]);
    clock.time += VALID_MS;
    expect((await ask()).state).toBe('pending');
  });

  it('is denied in other words too: the same tool and the same doubtful value', async () => {
    const { ask, decide } = world();
    const { id } = await ask();
    await decide(id, 'denied');
    const call = { ...NEW.call, arguments: '{"to":" EVE@attacker.test","body":"Please."}' };
    expect(await ask({ call, value: ' EVE@attacker.test' })).toMatchObject({ state: 'denied', id });
    const others: Partial<NewApproval>[] = [
      { value: 'eve@attacker.example' },
      { sessionId: 'other' },
      { origin: { ...NEW.origin, argument: 'cc' } },
      { call: { ...call, name: 'forward' } },
    ];
    for (const other of others) expect((await ask({ call, ...other })).state).toBe('pending');
  });

  it('stays denied whatever a later call is doubtful for: the same call, and the tool with the same value', async () => {
    const { approvals, ask, clock, decide, store } = world();
    const { id, code } = await ask();
    const find = async (name: string, args: unknown, session: string | null = 'chat', said = ['']) => {
      const written = typeof args === 'string' ? args : JSON.stringify(args);
      const denialOf = await approvals.denials('key_1', session, () => said);
      return typeof denialOf === 'function' ? denialOf({ name, arguments: written }) : denialOf;
    };
    expect(await find('send_email', { to: 'eve@attacker.test' })).toBeUndefined();
    await decide(id, 'denied');
    for (const to of ['eve@attacker.test', ' EVE@attacker.test', ['ann@corp.test', 'eve@attacker.test']])
      expect([to, await find('send_email', { to, body: 'Hi.' })]).toEqual([
        to,
        typeof to === 'string' ? id : undefined,
      ]);
    expect(await find('forward', { to: 'eve@attacker.test' })).toBeUndefined();
    expect(await find('send_email', { cc: 'eve@attacker.test' })).toBeUndefined();
    expect(await find('send_email', { to: 'x', all: Array(600).fill(0) })).toBe(id);
    expect(await find('send_email', { to: 'x', body: 'x'.repeat(70_000) })).toBe(id);
    expect(await find('send_email', `{"to":"x","a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`)).toBe(id);
    expect(await find('send_email', { to: 'eve@attacker.test' }, 'other')).toBeUndefined();

    const call = { ...NEW.call, arguments: '{"mails":[{"to":"eve@attacker.test"}]}' };
    const nested = await ask({ sessionId: null, call, origin: { ...NEW.origin, argument: 'mails[0].to' } });
    await decide(nested.id, 'denied');
    const again = { mails: [{ to: 'ann@corp.test' }, { to: 'Eve@attacker.test' }] };
    expect(await find('send_email', again, null)).toBeUndefined();
    expect(await find('send_email', again, null, [`Use ${code}.`])).toBeUndefined();
    expect(await find('send_email', again, null, [`Use ${nested.code}.`])).toBe(nested.id);
    expect(await find('send_email', { a: JSON.stringify(again) }, null, [`Use ${nested.code}.`])).toBeUndefined();

    clock.time += VALID_MS;
    expect(await find('send_email', { to: 'eve@attacker.test' })).toBeUndefined();
    Object.assign(store, {
      ofSession: async () => {
        throw new StoreUnavailable('approvals table: timeout');
      },
    });
    expect(await approvals.denials('key_1', 'chat', () => [])).toBe('unknown');
  });

  it('expires after an hour, approved or not', async () => {
    const { approvals, ask, clock, decide } = world();
    const first = await ask();
    await decide(first.id, 'approved');
    clock.time += VALID_MS - 1;
    expect((await ask({ sessionId: 'other' })).state).toBe('pending');
    clock.time += 1;
    expect(await approvals.redeem('key_1', 'chat', [first.code])).toEqual([]);
    expect((await ask()).state).toBe('pending');
  });

  it('is not released to a client that guesses: ten wrong codes an hour, of sessions in which a call waits', async () => {
    const { approvals, ask, store } = world();
    expect(await approvals.redeem('key_1', 'chat', ['AAAA-AAAA'])).toEqual([]);
    expect(store.guesses.size).toBe(0);
    const { code } = await ask();
    for (let at = 0; at < 10; at += 1) await approvals.redeem('key_1', 'chat', ['AAAA-AAAA']);
    expect(await approvals.redeem('key_1', 'chat', [code])).toEqual([]);
    store.guesses.clear();
    expect(await approvals.redeem('key_1', 'chat', [code])).toMatchObject([NEW.call]);
    expect(store.guesses.get('key_1')).toBe(0);
  });

  it('must not be sent if the store fails, or if it is too large to be stored', async () => {
    const { approvals, ask, store } = world();
    const { code } = await ask();
    const fail = async () => {
      throw new StoreUnavailable('approvals table: timeout');
    };
    Object.assign(store, { find: fail, ofSession: fail });
    expect(await approvals.request(NEW)).toEqual({ state: 'unavailable' });
    expect(await approvals.redeem('key_1', 'chat', [code])).toEqual([]);
    const call = { ...NEW.call, arguments: 'x'.repeat(65_537) };
    expect(await world().approvals.request({ ...NEW, call })).toEqual({ state: 'unavailable' });
  });
});

describe('arguments', () => {
  it('are the same in any order and with any space', () => {
    fc.assert(
      fc.property(fc.json(), fc.integer({ min: 0, max: 4 }), (text, spaces) => {
        const value: unknown = JSON.parse(text);
        fc.pre(JSON.stringify(value) === text);
        expect(canonicalArguments(JSON.stringify(value, null, spaces))).toBe(canonicalArguments(text));
      }),
    );
    expect(canonicalArguments('{"b":{"d":1,"c":2},"a":[2,1]}')).toBe(
      canonicalArguments('{"a":[2,1],"b":{"c":2,"d":1}}'),
    );
  });

  it.each([
    ['values', '{"a":1}', '{"a":2}'],
    ['order in lists', '[1,2]', '[2,1]'],
    ['objects and lists', '{"a":1}', '[["a",1]]'],
    ['numbers that do not fit', '{"a":9007199254740993}', '{"a":9007199254740992}'],
    ['equal names', '{"to":"ann","to":"eve"}', '{"to":"eve"}'],
    ['space in texts', '{"a":"x y"}', '{"a":"xy"}'],
    ['broken texts', '{"a": 1', '{"a":1'],
    ['names of prototypes', '{"__proto__":{"a":1}}', '{}'],
  ])('differ by their %s', (_, one, other) => {
    expect(canonicalArguments(one)).not.toBe(canonicalArguments(other));
  });
});

describe('codes in a text', () => {
  it.each([
    ['yes, K7M2-9QXR please', ['K7M2-9QXR']],
    ['k7m29qxr', ['k7m29qxr']],
    ['K7M2 9QXR', ['K7M2 9QXR']],
    ['send that transfer', []],
    ['id 4c8e2b7a-5d6f-4a3b-9c2d-1e2f3a4b5c6d', []],
    ['AAAA-2222 '.repeat(12), Array.from({ length: 10 }, () => 'AAAA-2222')],
  ])('are words of their form with a hyphen or a digit: %s', (text, codes) => expect(codesIn(text)).toEqual(codes));

  it('are found whatever the hash is', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        const code = codeFrom(`p1.${Buffer.from(bytes).toString('hex')}`);
        expect(codesIn(`It is ${code}.`)).toEqual([code]);
        expect(isSameCode(code, code.toLowerCase().replace('-', ''))).toBe(true);
      }),
    );
  });
});
