import { needsEdgeStack, type Settings } from '../../lib/settings/settings.ts';
import { prefixOf, stackNamesOf, stageNameOf } from '../../lib/settings/stack-names.ts';
import { answers, type Call, type Command, type Http } from './calls.ts';
import type { LoadResult, LoadSize } from './load.ts';
import { queriesFor } from './usage.ts';

export const HOMES = ['function-url', 'fargate', 'web-function'] as const;
export type Home = (typeof HOMES)[number];

/** What a proof is asked for. */
export interface Plan {
  readonly settings: Settings;
  readonly region: string;
  readonly homes: readonly Home[];
  readonly load: LoadSize;
  /** CloudWatch has the last minutes late. */
  readonly metricsLateSeconds: number;
  /** The stage may exist before; then nothing of it is removed. */
  readonly isExisting: boolean;
  /** Whether what was deployed stays. */
  readonly keeps: boolean;
}

/** What steps found. Kept in a file between runs, so without keys. */
export interface Found {
  /** By home: addresses and what was made. */
  readonly values: Record<string, string>;
  readonly loads: Record<string, LoadResult>;
  /** By home and region: what CloudWatch returned. */
  readonly usage: Record<string, string[]>;
}

/** Keys, in the memory of this run only. */
export type Keys = Record<string, string>;

export interface Step {
  readonly id: string;
  readonly what: string;
  /** Also made by a run that resumes: it reads keys, which are not stored. */
  readonly isRepeated?: boolean;
  /** What stays in the account after it, until a later step removes it. */
  readonly leaves?: string;
  /** Each call is made from what the calls before it found. */
  readonly calls: readonly ((found: Found, keys: Keys) => Call | undefined)[];
}

type MakeCall = Step['calls'][number];

const BLOCKED = 'SVC-TEST-BLOCK-7f3a';
/** At least as long as a change takes to be in force (docs/operations.md#emergency), or AWS to act. */
const WITHIN = { configuration: 20, key: 45, records: 120, capacity: 120, alarms: 600, containers: 900 };
const EDGE = 'us-east-1';
/** Of the key that sends requests: what the load needs, whatever its rate. */
const CLIENT_KEY = {
  name: 'prove',
  environment: 'Development',
  rateLimit: { requests: 1_000_000, period: 'hour' },
  maxConcurrent: null,
};

/** All steps, in order. Those of a home end in its name. */
export function stepsOf(plan: Plan): Step[] {
  return [accountStep(plan), ...plan.homes.flatMap((home) => homeSteps(plan, home)), ...lastSteps(plan)];
}

function accountStep({ settings, region, isExisting }: Plan): Step {
  const { gateway } = stackNamesOf(settings, region);
  const states = ['CREATE_COMPLETE', 'UPDATE_COMPLETE', 'UPDATE_ROLLBACK_COMPLETE'];
  const query = `StackSummaries[?StackName=='${gateway}'].StackName`;
  return {
    id: 'account',
    what: 'The credentials are of the account of the stage, which does not run yet',
    calls: [
      () => ({
        ...aws(region, 'sts', 'get-caller-identity', '--query', 'Account', '--output', 'text'),
        expect: (account: string) =>
          account === settings.account ? undefined : `the account is ${account}, not ${settings.account} of cdk.json`,
      }),
      () => ({
        ...aws(
          region,
          'cloudformation',
          'list-stacks',
          '--stack-status-filter',
          ...states,
          '--query',
          query,
          '--output',
          'text',
        ),
        expect: (names: string) =>
          names === '' || isExisting
            ? undefined
            : `${gateway} exists: name another stage, or add --existing, with which nothing of it is removed`,
      }),
    ],
  };
}

function homeSteps(plan: Plan, home: Home): Step[] {
  const { settings, region, load } = plan;
  const names = stackNamesOf(settings, region);
  const edge = needsEdgeStack(settings) ? `, and ${names.edge} in ${EDGE}` : '';
  const base = (found: Found) => found.values[`${home} BaseUrl`] ?? '<BaseUrl>';
  const ask =
    (fields: object, more: Partial<Http>): MakeCall =>
    (found, keys) =>
      chat(base(found), { key: keys.client, ...more }, fields);
  const works = (withinSeconds: number) => ask({}, { expect: answers(200, '"chat.completion"'), withinSeconds });
  const manage = adminOf(home);
  return [
    {
      id: `deploy-${home}`,
      what: `Deploys the stage with compute ${home}`,
      leaves: `the stacks ${names.data}, ${names.gateway} and ${names.operations}${edge}`,
      calls: [() => deployOf(stageNameOf(settings), home)],
    },
    {
      id: `access-${home}`,
      what: 'Reads the addresses and the admin key (SVC_ADMIN_KEY where it was rotated), and creates a key for requests',
      isRepeated: true,
      leaves: `the key "${CLIENT_KEY.name}", which the step keys revokes`,
      calls: [
        (found, keys) => readOutputs({ home, region, stack: names.gateway }, found, keys),
        (found) => readResources({ region, stack: names.gateway }, found),
        (_found, keys) => (keys.admin === undefined ? readAdminKey(keys) : undefined),
        // That of a run before, whose value is lost.
        (found, keys) => {
          const id = found.values[`${home} key`];
          return id === undefined
            ? undefined
            : manage('DELETE', `/admin/keys/${id}`, { expect: answers(200) })(found, keys);
        },
        (found, keys) =>
          manage('POST', '/admin/keys', { body: CLIENT_KEY, ...keeping(found, keys, `${home} key`) })(found, keys),
      ],
    },
    {
      id: `requests-${home}`,
      what: 'Health, a response, a stream, a blocked text, a wrong key, and the record of a request',
      calls: [
        (found) => ({
          kind: 'http',
          method: 'GET',
          url: `${base(found).replace(/\/v1$/, '')}/healthz`,
          expect: answers(200),
          withinSeconds: WITHIN.capacity,
        }),
        // A new key is in force within 30 s.
        works(WITHIN.key),
        ask({ stream: true }, { expect: answers(200, '[DONE]') }),
        ask({ messages: [{ role: 'user', content: BLOCKED }] }, { expect: answers(400, 'content_filter') }),
        ask({}, { key: 'wrong', expect: answers(401, 'invalid_api_key') }),
        manage('GET', '/analytics/requests?limit=5', { expect: answers(200, 'echo'), withinSeconds: WITHIN.records }),
      ],
    },
    {
      id: `incident-override-${home}`,
      what: 'Incident "data or money leaves": refuses all requests to models, and ends it',
      leaves: 'the override, if the step is interrupted: for ten minutes',
      calls: [
        (found, keys) => {
          const until = new Date(Date.now() + 600_000).toISOString();
          return manage('PUT', '/admin/override', { body: { mode: 'refuse', until }, expect: answers(200) })(
            found,
            keys,
          );
        },
        ask({}, { expect: answers(503, 'unavailable'), withinSeconds: WITHIN.configuration }),
        manage('PUT', '/admin/override', { body: { mode: 'none' }, expect: answers(200) }),
        works(WITHIN.configuration),
      ],
    },
    {
      id: `incident-key-${home}`,
      what: 'Incident "a key of a client has leaked": disables a key, then revokes it',
      leaves: 'that key, if the step is interrupted',
      calls: [
        (found, keys) =>
          manage('POST', '/admin/keys', { body: CLIENT_KEY, ...keeping(found, keys, `${home} leaked`) })(found, keys),
        (found, keys) =>
          chat(base(found), { key: keys[`${home} leaked`], expect: answers(200), withinSeconds: WITHIN.key }),
        leaked(home, 'PATCH', { body: { state: 'disabled' } }),
        (found, keys) => chat(base(found), { key: keys[`${home} leaked`], expect: refused, withinSeconds: WITHIN.key }),
        leaked(home, 'DELETE'),
      ],
    },
    ...lossSteps(plan, home, works(WITHIN.capacity)),
    {
      id: `load-${home}`,
      what: `${load.rate} streams a second for ${load.seconds} s`,
      calls: [
        (found, keys) => ({
          kind: 'load',
          ...load,
          url: `${base(found)}/chat/completions`,
          key: keys.client ?? '',
          expect: ({ sent, whole, others }) =>
            whole >= sent * 0.999
              ? undefined
              : `${whole} of ${sent} streams ended as they should: ${JSON.stringify(others)}`,
          keep: (result) => {
            found.loads[home] = result;
          },
        }),
      ],
    },
    {
      id: `usage-${home}`,
      what: "Reads the bill's dimensions of the load from CloudWatch, the names of Lambda's metrics of Web Functions, and alarms that are on",
      calls: [
        () => ({ kind: 'pause', seconds: plan.metricsLateSeconds, why: 'CloudWatch has the last minutes late' }),
        ...([undefined, EDGE] as const).map(
          (place): MakeCall =>
            (found) =>
              readUsage({ home, place, region, names: `${prefixOf(settings)} ${settings.stage.toLowerCase()}` }, found),
        ),
        ...(home === 'web-function' ? [(found: Found) => readWebMetrics(region, found)] : []),
        (found) => ({
          ...aws(region, ...alarmsOf(names.operations)),
          // A refused request is a 503, which an alarm may report; a silent synthetic check is a fault.
          expect: (alarms: string) => (alarms.includes('SyntheticCheckFails') ? `on: ${alarms}` : undefined),
          keep: (alarms: string) => {
            found.values[`${home} alarms`] = alarms === '' ? 'none' : alarms.split(/\s+/).join(', ');
          },
          withinSeconds: WITHIN.alarms,
        }),
      ],
    },
  ];
}

/** What a home does when a part of it is lost. */
function lossSteps({ settings, region }: Plan, home: Home, works: MakeCall): Step[] {
  const base = (found: Found) => found.values[`${home} BaseUrl`] ?? '<BaseUrl>';
  if (home === 'fargate') {
    const service = (found: Found) => {
      const cluster = found.values.cluster ?? '<cluster>';
      return { cluster: ['--cluster', cluster], name: found.values.service ?? '<service>' };
    };
    return [
      {
        id: 'incident-container-fargate',
        what: 'Incident "a container is lost": stops one; requests go on, and ECS starts another',
        calls: [
          (found) => ({
            ...aws(
              region,
              'ecs',
              'list-tasks',
              ...service(found).cluster,
              '--query',
              'taskArns[0]',
              '--output',
              'text',
            ),
            keep: (task: string) => {
              found.values['fargate task'] = task;
            },
          }),
          (found) =>
            aws(
              region,
              'ecs',
              'stop-task',
              ...service(found).cluster,
              '--task',
              found.values['fargate task'] ?? '<task>',
              '--query',
              'task.desiredStatus',
            ),
          works,
          (found) => ({
            ...aws(
              region,
              'ecs',
              'describe-services',
              ...service(found).cluster,
              '--services',
              service(found).name,
              '--query',
              'services[0].[desiredCount,runningCount]',
              '--output',
              'text',
            ),
            expect: (counts: string) => {
              const [desired, running] = counts.split(/\s+/);
              return desired === running && running !== '0' ? undefined : `${running} of ${desired} containers run`;
            },
            withinSeconds: WITHIN.containers,
          }),
        ],
      },
    ];
  }
  if (home === 'web-function') return [];
  const reserve =
    (count: number): MakeCall =>
    (found) =>
      aws(
        region,
        'lambda',
        'put-function-concurrency',
        '--function-name',
        functionIn(found),
        '--reserved-concurrent-executions',
        String(count),
      );
  const { reservedConcurrency } = settings;
  const restore: MakeCall =
    reservedConcurrency === undefined
      ? (found) => aws(region, 'lambda', 'delete-function-concurrency', '--function-name', functionIn(found))
      : reserve(reservedConcurrency);
  return [
    {
      id: 'incident-stop-function-url',
      what: 'Incident "stop the function": reserves no concurrency, which refuses every request, and gives it back',
      leaves: 'the function without concurrency, if the step is interrupted: run it again',
      calls: [
        reserve(0),
        (found, keys) =>
          chat(base(found), {
            key: keys.client,
            expect: ({ status }) => (status === 200 ? 'it still serves' : undefined),
            withinSeconds: WITHIN.capacity,
          }),
        restore,
        works,
      ],
    },
  ];
}

function lastSteps({ settings, region, homes, isExisting, keeps }: Plan): Step[] {
  const names = stackNamesOf(settings, region);
  const [first] = homes;
  const last = homes.at(-1);
  if (first === undefined || last === undefined) return [];
  const manage = adminOf(last);
  const own = homes.map(
    (home): MakeCall =>
      (found, keys) => {
        const id = found.values[`${home} key`] ?? '<key id>';
        return manage('DELETE', `/admin/keys/${id}`, { expect: answers(200) })(found, keys);
      },
  );
  const destroyed = [names.operations, names.gateway];
  const removal: Step[] =
    isExisting || keeps
      ? []
      : [
          {
            id: 'remove',
            what: 'Removes the stacks that serve',
            leaves: `the stack ${names.data} with its tables, queues and secrets, the log groups, and in an empty account the alarms' KMS key for 7 days: docs/deploy.md#remove-a-stage`,
            calls: [
              () => ({
                kind: 'command',
                args: [
                  'npx',
                  'cdk',
                  'destroy',
                  ...destroyed,
                  '--context',
                  `stage=${stageNameOf(settings)}`,
                  '--context',
                  `compute=${last}`,
                  '--force',
                ],
                timeoutSeconds: 2 * 3_600,
              }),
              ...(needsEdgeStack(settings)
                ? [() => aws(EDGE, 'cloudformation', 'delete-stack', '--stack-name', names.edge)]
                : []),
            ],
          },
        ];
  const moved: Step[] =
    homes.length < 2
      ? []
      : [
          {
            id: 'moved',
            what: `What the first home stored is there in the last, at the same address if there is a distribution`,
            calls: [
              (found, keys) => {
                const id = found.values[`${first} key`] ?? '<key id>';
                const [before, now] = [first, last].map((home) => found.values[`${home} BaseUrl`]);
                const hasMoved = settings.distribution !== false && before !== now;
                return manage('GET', `/admin/keys/${id}`, {
                  expect: (answer) => (hasMoved ? `the address was ${before} and is ${now}` : answers(200)(answer)),
                })(found, keys);
              },
            ],
          },
        ];
  return [...moved, { id: 'keys', what: 'Revokes the keys that it created', calls: own }, ...removal];
}

function deployOf(stage: string, home: Home): Command {
  const args = ['--stage', stage, '--context', `compute=${home}`, '--require-approval', 'never'];
  return { kind: 'command', args: ['npm', 'run', 'deploy', '--', ...args], timeoutSeconds: 2 * 3_600 };
}

interface Output {
  readonly OutputKey: string;
  readonly OutputValue: string;
}

/** The stack's outputs. */
function readOutputs(
  { home, region, stack }: { readonly home: Home; readonly region: string; readonly stack: string },
  found: Found,
  keys: Keys,
): Call {
  return {
    ...aws(region, 'cloudformation', 'describe-stacks', '--stack-name', stack, '--query', 'Stacks[0].Outputs'),
    keep: (text: string) => {
      for (const { OutputKey, OutputValue } of JSON.parse(text) as readonly Output[])
        found.values[`${home} ${OutputKey}`] = OutputValue;
      keys.command = found.values[`${home} FirstAdminKeyCommand`] ?? '';
    },
  };
}

/** Runs the output FirstAdminKeyCommand. */
function readAdminKey(keys: Keys): Call {
  const command =
    keys.command ??
    'aws secretsmanager get-secret-value --secret-id <FirstAdminKey> --query SecretString --output text';
  return {
    kind: 'command',
    args: command.split(' '),
    timeoutSeconds: 120,
    expect: (key) => (key.startsWith('svc_') ? undefined : 'the secret has no key: set SVC_ADMIN_KEY'),
    keep: (key) => {
      keys.admin = key;
    },
  };
}

/** Names that CloudFormation gave: of the cluster and the service, or of the function. */
function readResources({ region, stack }: { readonly region: string; readonly stack: string }, found: Found): Call {
  const query = 'StackResourceSummaries[].[LogicalResourceId,ResourceType,PhysicalResourceId]';
  return {
    ...aws(region, 'cloudformation', 'list-stack-resources', '--stack-name', stack, '--query', query),
    keep: (text: string) => {
      for (const [logical, type, physical] of JSON.parse(text) as readonly [string, string, string][]) {
        if (type === 'AWS::ECS::Cluster') found.values.cluster = physical;
        if (type === 'AWS::ECS::Service') found.values.service = physical;
        if (type === 'AWS::Lambda::Function' && logical.startsWith('GatewayFunction')) found.values.function = physical;
      }
    },
  };
}

function functionIn(found: Found): string {
  return found.values.function ?? '<GatewayFunction>';
}

/** What CloudWatch measured while the load ran, and a minute more. */
function readUsage(
  {
    home,
    place,
    region,
    names,
  }: { readonly home: Home; readonly place: 'us-east-1' | undefined; readonly region: string; readonly names: string },
  found: Found,
): Call {
  const { startedAt = '<start>', endedAt } = found.loads[home] ?? {};
  const end = endedAt === undefined ? '<end>' : new Date(Date.parse(endedAt) + 60_000).toISOString();
  const queries = queriesFor(home, place, names);
  return {
    ...aws(
      place ?? region,
      'cloudwatch',
      'get-metric-data',
      '--start-time',
      startedAt,
      '--end-time',
      end,
      '--metric-data-queries',
      queries,
    ),
    keep: (text: string) => {
      found.usage[home] = [...(found.usage[home] ?? []), text];
    },
  };
}

/** The names of Lambda's metrics of Web Functions, which we know in part. */
function readWebMetrics(region: string, found: Found): Call {
  const query = 'Metrics[].MetricName';
  return {
    ...aws(region, 'cloudwatch', 'list-metrics', '--namespace', 'AWS/Lambda/Web', '--query', query, '--output', 'text'),
    keep: (names: string) => {
      found.values['metrics of Web Functions'] = [...new Set(names.split(/\s+/))].sort().join(', ');
    },
  };
}

function alarmsOf(prefix: string): string[] {
  const query = ['--query', 'MetricAlarms[].AlarmName', '--output', 'text'];
  return ['cloudwatch', 'describe-alarms', '--alarm-name-prefix', prefix, '--state-value', 'ALARM', ...query];
}

function chat(url: string, more: Partial<Http>, fields: object = {}): Http {
  const body = { model: 'echo', messages: [{ role: 'user', content: 'Hello' }], ...fields };
  return { kind: 'http', method: 'POST', url: `${url}/chat/completions`, body, ...more };
}

/** Calls of the admin API of a home. */
function adminOf(home: Home) {
  return (method: string, path: string, more: Partial<Http>): MakeCall =>
    (found, keys) => ({
      kind: 'http',
      method,
      url: `${found.values[`${home} AdminUrl`] ?? '<AdminUrl>'}${path}`,
      key: keys.admin,
      ...more,
    });
}

/** Keeps the id of a created key with what was found, and the key in memory. */
function keeping(found: Found, keys: Keys, name: string): Pick<Http, 'expect' | 'keep'> {
  return {
    expect: answers(201),
    keep: ({ text }) => {
      const { id, key } = JSON.parse(text) as { id: string; key: string };
      found.values[name] = id;
      keys[name] = key;
      if (name.endsWith(' key')) keys.client = key;
    },
  };
}

function leaked(home: Home, method: string, more: Partial<Http> = {}): MakeCall {
  return (found, keys) => {
    const id = found.values[`${home} leaked`] ?? '<key id>';
    return adminOf(home)(method, `/admin/keys/${id}`, { expect: answers(200), ...more })(found, keys);
  };
}

function refused({ status }: { readonly status: number }): string | undefined {
  return status === 401 || status === 403 ? undefined : `status ${status}: the disabled key is still in force`;
}

function aws(region: string, ...args: string[]): Command {
  return { kind: 'command', args: ['aws', ...args, '--region', region, '--no-cli-pager'], timeoutSeconds: 120 };
}
