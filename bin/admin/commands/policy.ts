import type {
  BodyOf,
  EffectivePolicy,
  PolicyReplay,
  PolicyVersionView,
  ResponseOf,
} from '../../../functions/contract/index.ts';
import { ruleName } from '../../rule-name.ts';
import type { AdminClient } from '../admin-client.ts';
import { type Command, type Context, UsageError } from '../command.ts';
import { bodyFrom, optionsOf, queryFrom } from '../fields.ts';
import type { Output } from '../output.ts';
import { type DocumentWords, documentCommands, ifVersion, showVersion, versionArgument } from './versions.ts';

const POLICY: DocumentWords<PolicyVersionView> = {
  name: 'policy',
  title: "the deployment's policy",
  first: 'the initial policy',
  read: 'getPolicy',
  put: 'putPolicy',
  rollback: 'rollbackPolicy',
  versions: 'listPolicyVersions',
  version: 'getPolicyVersion',
  columns: { PRESET: ({ preset }) => preset },
};
const COMMANDS = documentCommands(POLICY);
const WEEK_MS = 7 * 86_400_000;
const OF_ROLLOUT = {
  args: ['VERSION'],
  argHelp: { VERSION: { help: 'The version with the roll-out, from policy rollout.' } },
  options: {},
};

export const POLICY_COMMANDS: readonly Command[] = [
  {
    ...COMMANDS.show,
    summary: "Shows the deployment's policy, or with --effective every value in force.",
    options: {
      ...optionsOf('getPolicy'),
      key: { value: 'ID', help: 'With --effective: for the requests of this key.' },
      ...COMMANDS.show.options,
    },
    examples: [...COMMANDS.show.examples, 'policy show --effective', 'policy show --effective --key key_...'],
    async run(input, context) {
      if (input.flag('effective')) {
        if (input.number('version') !== undefined) throw new UsageError('--version does not go with --effective.');
        showEffective(await readEffective(context.api(), input.text('key')), context.out);
        return 0;
      }
      if (input.text('key') !== undefined) throw new UsageError('--key needs --effective.');
      return showVersion(POLICY, input, context);
    },
  },
  {
    ...COMMANDS.set,
    summary: "Replaces the deployment's policy by a JSON file, or rolls it out; - reads standard input.",
    options: { ...optionsOf('putPolicy'), ...COMMANDS.set.options },
    examples: [...COMMANDS.set.examples, 'policy set policy.json --percent 10 --blocked-points 2 --minutes 60'],
    async run(input, context) {
      const policy = (await context.readJson(input.arg(0))) as BodyOf<'putPolicy'>;
      const body = { ...policy, ...(await bodyFrom('putPolicy', input, context)) };
      const saved = await context.api().call('putPolicy', { body, headers: ifVersion(input) });
      showSaved(saved, context.out);
      await warnOfUnmatched(saved, context);
      return 0;
    },
  },
  {
    name: 'policy rollout',
    args: [],
    summary: 'Shows what the roll-out that runs has done, beside the policy in force on the same requests.',
    options: {},
    examples: ['policy rollout', 'policy rollout --json'],
    async run(_, { api, out }) {
      const status = await api().call('getRollout', {});
      if (out.json) out.thing(status);
      else showRollout(status, out);
      return 0;
    },
  },
  {
    name: 'policy promote',
    ...OF_ROLLOUT,
    summary: 'Puts the candidate of a roll-out in force for all requests.',
    examples: ['policy promote 4'],
    async run(input, { api, out }) {
      showSaved(await api().call('promotePolicy', { body: { version: versionArgument(input) } }), out);
      return 0;
    },
  },
  {
    name: 'policy withdraw',
    ...OF_ROLLOUT,
    summary: 'Withdraws a roll-out: the policy in force decides on all requests.',
    examples: ['policy withdraw 4'],
    async run(input, { api, out }) {
      showSaved(await api().call('withdrawPolicy', { body: { version: versionArgument(input) } }), out);
      return 0;
    },
  },
  COMMANDS.rollback,
  COMMANDS.versions,
  {
    name: 'policy replay',
    args: ['FILE'],
    summary: 'Shows what a policy would have done with past requests. Changes nothing.',
    options: optionsOf('replayPolicy'),
    examples: ['policy replay policy.json --last 7d', 'policy replay policy.json --as key --key key_...'],
    async run(input, context) {
      const { api, out, readJson } = context;
      const policy = (await readJson(input.arg(0))) as BodyOf<'replayPolicy'>['policy'];
      const body = { ...(await bodyFrom('replayPolicy', input, context)), policy };
      const pages = await replayed(api(), body, out);
      if (out.json) out.objects(pages);
      else {
        const total = (read: (page: PolicyReplay) => number) => pages.reduce((sum, page) => sum + read(page), 0);
        const fromText = total((page) => page.fromText);
        const which = fromText === 0 ? 'with findings' : `with findings or a captured text (${fromText} by their text)`;
        out.line(
          `${total((page) => page.requests)} requests ${which}: ${total((page) => page.changed)} would have a different action.`,
        );
        for (const action of ['allow', 'flag', 'redact', 'ask', 'block'] as const) {
          const [live, other] = [total((page) => page.live[action] ?? 0), total((page) => page.replayed[action] ?? 0)];
          out.line(`${action.padEnd(6)}  ${live} -> ${other}`);
        }
        const rules = pages.flatMap((page) => page.rules);
        showCounts(rules, ({ live, replayed, ...one }) => `${ruleName(one)}: ${live} -> ${replayed}`, out);
        const calls = pages.flatMap(({ callRules = [] }) => callRules);
        if (calls.length > 0) out.line('Tool calls under the policy:');
        showCounts(calls, (one) => `${ruleName(one)}: ${one.action}`, out);
        const places = pages.flatMap(({ callExamples = [] }) => callExamples).slice(0, SHOWN_CALLS);
        for (const one of places) out.line(`${one.requestId}  ${one.action}  ${ruleName(one)}  ${one.field}`);
        for (const sentence of pages[0]?.unknown ?? []) out.say(sentence);
        if (body.as !== 'key')
          out.say("A key's own policy wins over this one. With --as key this policy replaces the keys' policies.");
      }
      return 0;
    },
  },
  {
    name: 'policy suggest-tools',
    args: [],
    summary:
      'Prints the policy with rules for tools that recorded calls suggest, all with the action flag. Changes nothing.',
    options: optionsOf('suggestTools'),
    examples: [
      'policy suggest-tools > policy.json',
      'policy suggest-tools --last 30d --min-calls 100',
      'policy suggest-tools --as key --key key_... > key-policy.json',
    ],
    async run(input, context) {
      const { api, out } = context;
      const suggestion = await api().call('suggestTools', { query: await queryFrom('suggestTools', input, context) });
      const { from, to, requests, minCalls, policy, proposals, unknown } = suggestion;
      out.say(`${requests} requests from ${from} to ${to}. Each proposal rests on at least ${minCalls} calls.`);
      for (const { tool, argument, adds, reason } of proposals) {
        const place = [tool ?? 'all tools', argument].filter((name) => name !== null).join(', ');
        out.say(`${place}: ${JSON.stringify(adds)}. ${reason}`);
      }
      if (proposals.length === 0) out.say('No proposals. The policy is printed unchanged.');
      for (const sentence of unknown) out.say(sentence);
      // The format of policy set, and of keys update --policy.
      out.objects([policy]);
      return 0;
    },
  },
];

/** Places of tool calls that are shown; `--json` has more. */
const SHOWN_CALLS = 10;

/** Counts with the same name, summed up over the pages, the largest first. */
function showCounts<T extends Parameters<typeof ruleName>[0] & { readonly findings: number }>(
  counts: readonly T[],
  nameOf: (one: T) => string,
  out: Output,
): void {
  const sums = new Map<string, number>();
  for (const one of counts) sums.set(nameOf(one), (sums.get(nameOf(one)) ?? 0) + one.findings);
  for (const [name, findings] of [...sums].sort(([, a], [, b]) => b - a)) out.line(`${findings} x ${name}`);
}

/** The values in force for the deployment, or for a key. */
async function readEffective(client: AdminClient, key: string | undefined): Promise<EffectivePolicy> {
  const query = { effective: true };
  const policy =
    key === undefined
      ? await client.call('getPolicy', { query })
      : await client.call('getKeyPolicy', { params: { id: key }, query });
  return policy as EffectivePolicy;
}

/** A table of the types, then the other values. */
function showEffective(policy: EffectivePolicy, out: Output): void {
  if (out.json) {
    out.thing(policy);
    return;
  }
  const { object: _object, keyId: _keyId, version, flagFrom, input, output, tools, ...fields } = policy;
  out.say(`In force with version ${version} of the deployment's policy. Findings are flagged from score ${flagFrom}.`);
  const types = Object.entries(input).map(([type, own]) => ({
    type,
    input: own,
    output: output[type as keyof typeof output] ?? own,
  }));
  const from = (type: { source: string; thresholdSource: string }) =>
    type.source === type.thresholdSource ? type.source : `${type.source}, threshold ${type.thresholdSource}`;
  out.list(types, {
    TYPE: ({ type }) => type,
    INPUT: (one) => one.input.action,
    FROM: (one) => one.input.threshold,
    SOURCE: (one) => from(one.input),
    OUTPUT: (one) => one.output.action,
    'FROM ': (one) => one.output.threshold,
    'SOURCE ': (one) => from(one.output),
  });
  const { unlisted, pin, rules = [] } = tools?.value ?? {};
  const short = tools && { tools: { value: { unlisted, pin, rules: rules.length }, source: tools.source } };
  // An older release leaves out what it does not know.
  const known = Object.entries({ ...fields, ...short }).flatMap(([name, field]) =>
    field ? [[name, field] as const] : [],
  );
  out.list(known, {
    FIELD: ([name]) => name,
    VALUE: ([, { value }]) => (Array.isArray(value) ? value.length : JSON.stringify(value)),
    SOURCE: ([, { source }]) => source,
  });
}

/** The replay of the whole range; a call covers a page of it. */
async function replayed(client: AdminClient, body: BodyOf<'replayPolicy'>, out: Output): Promise<PolicyReplay[]> {
  const pages: PolicyReplay[] = [];
  let cursor: string | null = null;
  do {
    out.progress(`Replayed ${pages.reduce((sum, page) => sum + page.requests, 0)} requests`);
    const asked = { ...body, ...(cursor !== null && { cursor }) };
    const page: PolicyReplay = await client.call('replayPolicy', { body: asked });
    pages.push(page);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return pages;
}

function showSaved(saved: PolicyVersionView, out: Output): void {
  if (out.json) out.thing(saved);
  const { rollout } = saved;
  const part = rollout === undefined ? '' : ` It is rolled out to ${rollout.percent} % of the sessions.`;
  out.say(`The policy is now version ${saved.version}.${part} Every process applies it within 10 s.`);
}

/** Names the rules, and their arguments, that would have looked at no call of the last week: a wrong name or effect. */
async function warnOfUnmatched({ tools, rollout }: PolicyVersionView, { api, out, nowMs }: Context): Promise<void> {
  // The rules of a candidate are not in force.
  if (rollout !== undefined || (tools?.rules ?? []).length === 0) return;
  const from = new Date(nowMs - WEEK_MS).toISOString();
  // The key may not read analytics.
  const seen = await api()
    .call('listTools', { query: { from, limit: 1 } })
    .catch(() => undefined);
  const ids = seen?.unmatchedRules ?? [];
  if (ids.length > 0)
    out.say(
      `No agent called a tool of these rules in the last 7 days: ${ids.join(', ')}. Compare their names and effects with: tools list --last 7d`,
    );
  const missing = (seen?.unmatchedArguments ?? []).map(({ rule, argument }) => `${argument} (${rule})`);
  if (missing.length > 0)
    out.say(
      `No recorded call in the last 7 days had these arguments of rules: ${missing.join(', ')}. Compare their names with: tools show TOOL --last 7d`,
    );
}

function showRollout({ version, rollout, since, total, watched }: ResponseOf<'getRollout'>, out: Output): void {
  if (rollout === null) {
    out.say(`No roll-out runs. Version ${version} is in force for all requests.`);
    return;
  }
  const { percent, watch } = rollout;
  out.say(`Version ${version} is rolled out to ${percent} % of the sessions since ${since}.`);
  out.say(
    `It is withdrawn if it blocks more than ${watch.blockedPoints} points more, of at least ${watch.minRequests} requests in ${watch.minutes} minutes.`,
  );
  const rows = [
    { of: 'in all', ...total },
    { of: `last ${watch.minutes} minutes`, ...watched },
  ];
  out.list(rows, {
    REQUESTS: ({ of }) => of,
    COUNT: ({ requests }) => requests,
    BLOCKED: ({ blocked }) => blocked,
    'BLOCKED BEFORE': ({ blockedBefore }) => blockedBefore,
    POINTS: ({ risePoints }) => risePoints,
    FLAGGED: ({ flagged }) => flagged,
    'FLAGGED BEFORE': ({ flaggedBefore }) => flaggedBefore,
  });
}
