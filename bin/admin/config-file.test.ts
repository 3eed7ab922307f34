import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { KeyView, WebhookView } from '../../functions/kernel/model/index.ts';
import type { CredentialEntry, CredentialView } from './config-credentials.ts';
import type { DeployedDocument, Parts } from './config-documents.ts';
import {
  ConfigError,
  type Deployed,
  type KeyEntry,
  planConfig,
  readConfigFile,
  type Step,
  toConfigFile,
  toWebhookEntry,
  type WebhookEntry,
} from './config-file.ts';
import type { TeamEntry, TeamView } from './config-teams.ts';

const unset = (parts: Parts): DeployedDocument => ({ version: 0, parts, createdAt: null, createdBy: null });
const NOTHING: Deployed = {
  documents: {
    policy: unset({}),
    routes: unset({ routes: [] }),
    prices: unset({}),
    providers: unset({}),
    identity: unset({}),
    mcpServers: unset({}),
  },
  teams: [],
  credentials: [],
  keys: [],
  webhooks: [],
};

const key = fc.record(
  {
    environment: fc.constantFrom('production', 'Staging'),
    permissions: fc.subarray(['admin', 'analytics', '/v1/embeddings', 'chat_completions']),
    rateLimit: fc.record({ requests: fc.integer({ min: 1, max: 9 }), period: fc.constantFrom('day', 'hour') }),
    ipWhitelist: fc.subarray(['10.0.0.0/8', '::1']),
    policy: fc.record({ preset: fc.constantFrom('strict', 'monitor'), canary: fc.boolean() }, { requiredKeys: [] }),
    tags: fc.dictionary(fc.constantFrom('team', '10', '2'), fc.constantFrom('a', 'b')),
    expiresAt: fc.constantFrom(null, '2030-01-01T01:00:00+01:00'),
    state: fc.constantFrom('active', 'disabled'),
  },
  { requiredKeys: [] },
);
const webhook = fc.record(
  {
    events: fc.subarray(['threat.detected', 'key.created', 'session.flagged'], { minLength: 1 }),
    description: fc.constantFrom(null, 'on call'),
    filter: fc.record({ minThreatScore: fc.constantFrom(0, 0.5) }, { requiredKeys: [] }),
    state: fc.constantFrom('active', 'disabled'),
  },
  { requiredKeys: ['events'] },
);
const team = fc.record(
  {
    members: fc.constant([{ match: { groups: ['shop'] }, role: 'owner' }]),
    budget: fc.constantFrom(null, { usd: 5, period: 'day' }),
    policy: fc.record({ preset: fc.constantFrom('strict', 'monitor') }, { requiredKeys: [] }),
    maxKeys: fc.constantFrom(null, 3),
    state: fc.constantFrom('active', 'disabled'),
  },
  { requiredKeys: [] },
);
const ARN = 'arn:aws:secretsmanager:eu-central-1:000000000000:secret:openai';
const credential = fc.record(
  {
    secretField: fc.constant('key'),
    hosts: fc.constant(['api.openai.com']),
    keysOnly: fc.boolean(),
    state: fc.constantFrom('active', 'disabled'),
  },
  { requiredKeys: ['secretField', 'hosts'] },
);
const file = fc.record(
  {
    teams: fc
      .dictionary(fc.constantFrom('Shop', 'Legal'), team)
      .map((named) => Object.entries(named).map(([name, fields]) => ({ name, ...fields }))),
    credentials: fc.dictionary(fc.constantFrom('One', 'Two'), credential).map((named) =>
      Object.entries(named).map(([name, fields]) => ({
        ...{ name, provider: 'openai', type: 'secret', secretArn: ARN },
        ...fields,
      })),
    ),
    policy: fc.record({ preset: fc.constantFrom('strict', 'monitor') }, { requiredKeys: [] }),
    routes: fc.subarray([{ models: 'a', targets: [{ provider: 'echo' }] }]),
    prices: fc.dictionary(fc.constantFrom('lab/a', 'lab/b'), fc.record({ input: fc.nat(9), output: fc.nat(9) })),
    keys: fc
      .dictionary(fc.constantFrom('a', 'b', 'c', 'd'), key)
      .map((named) => Object.entries(named).map(([name, fields]) => ({ name, ...fields }))),
    webhooks: fc
      .dictionary(fc.constantFrom('a', 'b', 'c'), webhook)
      .map((named) => Object.entries(named).map(([name, fields]) => ({ url: `https://${name}.example`, ...fields }))),
  },
  { requiredKeys: [] },
);

/** The deployment after the steps. */
function applied(steps: readonly Step[], deployed: Deployed): Deployed {
  let { documents, teams, credentials, keys, webhooks } = deployed;
  const view = (entry: KeyEntry): KeyView => ({
    ...entry,
    maxConcurrent: entry.maxConcurrent ?? null,
    id: `key_${entry.name}`,
    object: 'key',
    last4: 'abcd',
    createdAt: '2026-06-01T00:00:00.000Z',
    lastUsedAt: null,
    previousSecrets: [],
  });
  for (const step of steps) {
    if ('document' in step) {
      const { parts, version } = documents[step.document];
      expect(step).toMatchObject({ before: parts, version });
      documents = { ...documents, [step.document]: { ...unset(step.after), version: version + 1 } };
    }
    if (step.do === 'create team') teams = [...teams, teamView(step.entry)];
    if (step.do === 'update team')
      teams = teams.map((one) => (one.id === step.id ? ({ ...one, ...step.after } as TeamView) : one));
    if (step.do === 'create credential') credentials = [...credentials, credentialView(step.entry)];
    if (step.do === 'update credential')
      credentials = credentials.map((one) =>
        one.id === step.id ? ({ ...one, ...step.after } as CredentialView) : one,
      );
    if (step.do === 'delete credential') credentials = credentials.filter(({ id }) => id !== step.id);
    if (step.do === 'create key') keys = [...keys, view(step.entry)];
    if (step.do === 'update key')
      keys = keys.map((one) => (one.id === step.id ? ({ ...one, ...step.after } as KeyView) : one));
    if (step.do === 'revoke key') keys = keys.map((one) => (one.id === step.id ? { ...one, state: 'revoked' } : one));
  }
  for (const step of steps) {
    if (step.do === 'create webhook') webhooks = [...webhooks, webhookView(step.entry)];
    if (step.do === 'update webhook') {
      webhooks = webhooks.map((one) =>
        one.id === step.id ? webhookView({ ...toWebhookEntry(one), ...step.after }) : one,
      );
    }
    if (step.do === 'delete webhook') webhooks = webhooks.filter(({ id }) => id !== step.id);
  }
  // As the API returns it.
  return JSON.parse(JSON.stringify({ documents, teams, credentials, keys, webhooks }));
}
const teamIdOf = (name: string) => `team_${Buffer.from(name).toString('hex').padEnd(32, '0').slice(0, 32)}`;
const teamView = (entry: TeamEntry): TeamView => ({
  ...entry,
  ...{ id: teamIdOf(entry.name), object: 'team', credentials: [], createdAt: '2026-06-01T00:00:00.000Z' },
});
const credentialView = ({ federation, ...entry }: CredentialEntry): CredentialView => ({
  ...entry,
  ...(federation && { federation: { ...federation, audience: federation.audience ?? 'https://api.openai.com/v1' } }),
  keysOnly: entry.keysOnly ?? false,
  state: entry.state ?? 'active',
  hosts: entry.hosts ?? ['api.openai.com'],
  id: `cred_${entry.name}`,
  object: 'credential',
  teamId: null,
  ...{ last4: null, previous: null, createdAt: '2026-06-01T00:00:00.000Z', lastUsedAt: null },
});
const webhookView = (entry: WebhookEntry): WebhookView => ({
  ...entry,
  id: `wh_${entry.url}`,
  object: 'webhook',
  disabledReason: entry.state === 'disabled' ? 'admin' : null,
  failingSince: null,
  createdAt: '2026-06-01T00:00:00.000Z',
  previousSecrets: [],
});
const read = (content: unknown) => readConfigFile(JSON.parse(JSON.stringify(content)));

describe('a plan', () => {
  it('is empty after it was applied, from any state', () => {
    fc.assert(
      fc.property(file, file, fc.boolean(), (before, after, prune) => {
        const start = applied(planConfig(read(before), NOTHING, false).steps, NOTHING);
        const end = applied(planConfig(read(after), start, prune).steps, start);
        expect(planConfig(read(after), end, prune).steps).toEqual([]);
      }),
    );
  });

  it('is empty for an export', () => {
    fc.assert(
      fc.property(file, (content) => {
        const deployed = applied(planConfig(read(content), NOTHING, false).steps, NOTHING);
        const exported = toConfigFile(deployed);
        expect(planConfig(read(exported), deployed, true).steps).toEqual([]);
      }),
    );
  });
});

describe('a webhook', () => {
  const entry = { url: 'https://a.example', events: ['key.created'] };
  const deployed = applied(planConfig(read({ webhooks: [entry] }), NOTHING, false).steps, NOTHING);

  it('that was disabled by its failures is not enabled by the file, and stays disabled if the file disables it', () => {
    const [one] = deployed.webhooks;
    const failing = { ...one, state: 'disabled', disabledReason: 'failing' } as WebhookView;
    expect(planConfig(read({ webhooks: [entry] }), { ...deployed, webhooks: [failing] }, true).steps).toEqual([]);
    const off = read({ webhooks: [{ ...entry, state: 'disabled' }] });
    const { steps } = planConfig(off, { ...deployed, webhooks: [failing] }, true);
    expect(steps).toMatchObject([{ do: 'update webhook', after: { state: 'disabled' } }]);
  });

  it('is the same in every spelling of its address, and no spelling holds white space', () => {
    const other = read({ webhooks: [{ ...entry, url: 'HTTPS://A.example:443/.' }] });
    expect(planConfig(other, deployed, true)).toEqual({ steps: [], extraneous: [], since: [], missing: [] });
    for (const url of ['https://a.example\n', 'https://a.example/\r\nx: y', 'https://a .example']) {
      expect(() => read({ webhooks: [{ ...entry, url }] })).toThrow('webhooks.0.url: must hold no white space');
    }
    const twice = [entry, { ...entry, url: 'https://A.EXAMPLE/' }];
    expect(() => read({ webhooks: twice })).toThrow('webhooks.1.url: is not unique');
  });

  it('that is missing in the file stays, and is deleted with prune', () => {
    const none = read({ webhooks: [] });
    expect(planConfig(none, deployed, false)).toMatchObject({ steps: [], extraneous: [{ url: 'https://a.example/' }] });
    expect(planConfig(none, deployed, true).steps).toMatchObject([{ do: 'delete webhook', url: 'https://a.example/' }]);
    expect(planConfig(read({ keys: [] }), deployed, true)).toEqual({
      steps: [],
      extraneous: [],
      since: [],
      missing: [],
    });
  });

  it('with a duplicate URL is an error, if the file names it or all webhooks are exported', () => {
    const twins = { ...deployed, webhooks: [...deployed.webhooks, ...deployed.webhooks] };
    expect(() => planConfig(read({ webhooks: [entry] }), twins, false)).toThrow(ConfigError);
    expect(() => toConfigFile(twins)).toThrow('Two webhooks have the URL https://a.example');
  });
});

describe('a team', () => {
  const plan = (content: object, deployed = NOTHING) => planConfig(read(content), deployed, true);
  const shop = { name: 'Shop', members: [{ match: { groups: ['shop'] }, role: 'owner' }], maxKeys: 3 };
  const file = { teams: [shop], keys: [{ name: 'k', teamId: 'Shop' }] };

  it('is created before the keys that name it, and is found by its name afterwards', () => {
    const { steps } = plan(file);
    expect(steps.map((step) => step.do)).toEqual(['create team', 'create key']);
    const made = applied(steps, NOTHING);
    const deployed = { ...made, keys: made.keys.map((key) => ({ ...key, teamId: teamIdOf('Shop') })) };
    expect(plan(file, deployed).steps).toEqual([]);
    expect(toConfigFile(deployed)).toMatchObject({ teams: [shop], keys: [{ name: 'k', teamId: 'Shop' }] });
    expect(plan(toConfigFile(deployed), deployed).steps).toEqual([]);
    const changed = plan({ teams: [{ ...shop, maxKeys: 4, budget: { usd: 5, period: 'day' } }] }, deployed);
    expect(changed.steps).toMatchObject([
      { do: 'update team', id: teamIdOf('Shop'), after: { maxKeys: 4, budget: { usd: 5, period: 'day' } } },
    ]);
    // Its absent settings have their default, and an absent team stays, as do the teams of a file without any.
    expect(plan({ teams: [{ name: 'Shop' }] }, deployed).steps).toMatchObject([
      { after: { members: [], maxKeys: null } },
    ]);
    expect(plan({ teams: [] }, deployed)).toMatchObject({ steps: [], extraneous: [{ name: 'Shop' }] });
    expect(plan({ keys: [{ name: 'k' }] }, deployed)).toMatchObject({ steps: [], extraneous: [] });
  });

  it('that is unknown, twice in the file or twice in the deployment is an error', () => {
    expect(() => plan({ keys: file.keys })).toThrow("'k' names the team 'Shop', which is neither in the file nor");
    expect(() => read({ teams: [shop, shop] })).toThrow('teams.1.name: is not unique');
    const twins = { ...NOTHING, teams: [shop, shop].map((one) => teamView(one as unknown as TeamEntry)) };
    expect(() => plan({ teams: [shop] }, twins)).toThrow("Two teams are named 'Shop'");
    expect(() => toConfigFile(twins)).toThrow("Two teams are named 'Shop'");
  });
});

describe('a credential', () => {
  const secret = { name: 'One', provider: 'openai', type: 'secret', secretArn: ARN, hosts: ['api.openai.com'] };
  const sealed = { name: 'Two', provider: 'lab', hosts: ['lab.example.com'] };
  const plan = (content: object, deployed = NOTHING, prune = false) => planConfig(read(content), deployed, prune);
  const both = [secret, { ...sealed, type: 'sealed' }].map((one) => credentialView(one as CredentialEntry));

  it('in Secrets Manager is created before the providers that name it; a sealed one is for a person to add', () => {
    const providers = [
      { name: 'openai', protocol: 'openai', credentialId: 'One' },
      { name: 'lab', protocol: 'openai', credentialId: 'Two' },
    ];
    const { steps, missing } = plan({
      credentials: [secret, sealed],
      providers,
      keys: [{ name: 'k', credentialId: 'Two' }],
    });
    expect(steps.map((step) => step.do)).toEqual(['create credential', 'put providers', 'create key']);
    expect(missing).toEqual([{ name: 'Two', provider: 'lab', usedBy: ['lab', 'k'] }]);
  });

  it('by federation is created, and agrees with the deployed one, which has defaults', () => {
    const federation = { kind: 'openai', identityProviderId: 'idp_1', serviceAccountId: 'sa_1' };
    const one = { ...secret, type: 'federation', secretArn: undefined, federation };
    const { steps } = plan({ credentials: [one] });
    expect(steps).toMatchObject([{ do: 'create credential', entry: { name: 'One', federation } }]);
    const deployed = applied(steps, NOTHING);
    expect(plan({ credentials: [one] }, deployed).steps).toEqual([]);
    expect(plan(toConfigFile(deployed), deployed).steps).toEqual([]);
    const other = { ...one, federation: { ...federation, serviceAccountId: 'sa_2' } };
    expect(() => plan({ credentials: [other] }, deployed)).toThrow(
      "'federation' of the credential 'One' never changes",
    );
  });

  it('is exported without its value, with its name in place of its id, which the same file finds again', () => {
    const lab = { name: 'lab', protocol: 'openai', credentialId: 'cred_Two' };
    const deployed = {
      ...NOTHING,
      credentials: both.map((one) => ({ ...one, last4: '9876', state: 'disabled' as const })),
      documents: { ...NOTHING.documents, providers: unset({ lab }) },
    };
    const exported = toConfigFile(deployed) as Record<string, unknown>;
    expect(exported).toMatchObject({ providers: [{ ...lab, credentialId: 'Two' }] });
    expect(exported.credentials).toEqual([
      { ...secret, state: 'disabled' },
      { ...sealed, type: 'sealed', state: 'disabled' },
    ]);
    expect(plan(exported, deployed)).toMatchObject({ steps: [], missing: [] });
  });

  it('keeps its state if the file has none, and never moves to another host or provider', () => {
    const deployed = { ...NOTHING, credentials: both.map((one) => ({ ...one, state: 'disabled' as const })) };
    expect(plan({ credentials: [secret, sealed] }, deployed).steps).toEqual([]);
    expect(plan({ credentials: [{ ...secret, state: 'active' }, sealed] }, deployed).steps).toEqual([
      {
        ...{ do: 'update credential', id: 'cred_One', name: 'One' },
        ...{ before: { state: 'disabled' }, after: { state: 'active' } },
      },
    ]);
    for (const [field, value] of Object.entries({ hosts: ['evil.example'], provider: 'groq', type: 'sealed' })) {
      expect(() => plan({ credentials: [{ ...secret, [field]: value }] }, deployed)).toThrow(
        `'${field}' of the credential 'One' never changes`,
      );
    }
  });

  it('that the file leaves out stays; with prune a reference is deleted, after all else, and no sealed value', () => {
    const deployed = { ...NOTHING, credentials: both };
    expect(plan({ credentials: [] }, deployed)).toMatchObject({ steps: [], extraneous: both });
    const pruned = plan({ credentials: [], prices: { 'lab/a': { input: 1, output: 1 } } }, deployed, true);
    expect(pruned.steps.map((step) => step.do)).toEqual(['put prices', 'delete credential']);
    expect(pruned.extraneous).toEqual([both[1]]);
    expect(plan({}, deployed, true)).toMatchObject({ steps: [], extraneous: [] });
  });

  it('with a duplicate name is an error, if the file names it or all are exported', () => {
    const twins = { ...NOTHING, credentials: [...both, ...both] };
    expect(() => plan({ credentials: [secret] }, twins)).toThrow("Two credentials are named 'One', cred_One");
    expect(() => toConfigFile(twins)).toThrow("Two credentials are named 'One'");
  });
});

describe('a file is refused with the reason', () => {
  it.each([
    ['an unknown field', '{"keys":[{"name":"x","secret":"y"}]}', 'keys.0: Unrecognized key'],
    ['an error in a key', '{"keys":[{"name":"x"},{"name":""}]}', 'keys.1.name: '],
    ['a duplicate name', '{"keys":[{"name":"x"},{"name":"x "}]}', 'keys.1.name: is not unique'],
    [
      'a duplicate URL',
      '{"webhooks":[{"url":"http://u","events":["key.created"]},{"url":"http://u","events":["key.created"]}]}',
      'webhooks.1.url: is not unique',
    ],
    [
      'the value of a credential',
      '{"credentials":[{"name":"x","provider":"y","value":"z"}]}',
      'credentials.0: Unrecognized key',
    ],
    ['an unknown event', '{"webhooks":[{"url":"u","events":["x"]}]}', 'webhooks.0.events.0: '],
    ['a state that cannot be set', '{"keys":[{"name":"x","state":"revoked"}]}', 'keys.0.state'],
    ['an invalid policy', '{"policy":{"preset":"wild"}}', 'policy.preset'],
    ['something else', '[]', 'the file: '],
  ])('%s', (_, text, message) => {
    expect(() => readConfigFile(JSON.parse(text))).toThrow(ConfigError);
    expect(() => readConfigFile(JSON.parse(text))).toThrow(message);
  });
});
