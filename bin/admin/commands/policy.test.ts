import { expect, it } from '@jest/globals';
import type { CommandInput, Context } from '../command.ts';
import { POLICY_COMMANDS } from './policy.ts';

const RULES = [{ id: 'typing', tool: 'sent_email', action: 'flag' }];

/** What `policy set` says of a policy with these tools. */
async function saidOf(saved: object, answer: () => Promise<object>): Promise<string> {
  const said: string[] = [];
  const asked: object[] = [];
  const call = async (id: string, { query }: { query: object }) => {
    if (id === 'putPolicy') return { version: 2, ...saved };
    asked.push({ id, query });
    return answer();
  };
  const context = {
    api: () => ({ call }),
    out: { say: (line: string) => said.push(line) },
    readJson: async () => ({}),
  };
  const none = () => undefined;
  const input = {
    arg: () => '-',
    flag: none,
    text: none,
    number: none,
    count: none,
    list: () => [],
    all: () => [],
    duration: none,
    time: none,
  };
  const set = POLICY_COMMANDS.find(({ name }) => name === 'policy set');
  await set?.run(
    input as unknown as CommandInput,
    { ...context, nowMs: Date.parse('2026-06-08T00:00:00Z') } as never as Context,
  );
  if (asked.length > 0)
    expect(asked).toEqual([{ id: 'listTools', query: { from: '2026-06-01T00:00:00.000Z', limit: 1 } }]);
  return said.join('\n');
}

it('policy set names the rules for tools that no agent called in the last week', async () => {
  const unmatched = async () => ({ unmatchedRules: ['typing'] });
  expect(await saidOf({ tools: { rules: RULES } }, unmatched)).toContain(
    'No agent called a tool of these rules in the last 7 days: typing.',
  );
  const misspelled = async () => ({ unmatchedArguments: [{ rule: 'typing', argument: 'ammount' }] });
  expect(await saidOf({ tools: { rules: RULES } }, misspelled)).toContain('arguments of rules: ammount (typing).');
  const rollout = { percent: 10 };
  for (const saved of [{}, { tools: {} }, { tools: { rules: RULES }, rollout }])
    expect(await saidOf(saved, unmatched)).not.toContain('typing');
});

it('policy set names none for a key that may not read analytics, and to an older release', async () => {
  const saved = { tools: { rules: RULES } };
  expect(await saidOf(saved, () => Promise.reject(new Error('403')))).not.toContain('No agent');
  expect(await saidOf(saved, async () => ({}))).not.toContain('No agent');
});

it.each([
  [undefined, true],
  ['key', false],
])("policy replay as %s says that a key's policy wins: %s", async (as, isSaid) => {
  const said: string[] = [];
  const page = {
    requests: 1,
    fromText: 0,
    changed: 0,
    live: {},
    replayed: {},
    rules: [],
    unknown: [],
    nextCursor: null,
  };
  const none = () => undefined;
  const input = {
    ...{ arg: () => 'draft.json', flag: none, number: none, count: none, list: () => [], all: () => [] },
  };
  const values = { ...{ duration: none, time: none }, text: (name: string) => (name === 'as' ? as : undefined) };
  const context = {
    api: () => ({ call: async () => page }),
    out: { say: (line: string) => said.push(line), line: none, progress: none },
    readJson: async () => ({}),
  };
  const replay = POLICY_COMMANDS.find(({ name }) => name === 'policy replay');
  await replay?.run({ ...input, ...values } as never as CommandInput, context as never as Context);
  expect(said.some((line) => line.includes('With --as key'))).toBe(isSaid);
});
