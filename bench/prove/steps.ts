import { needsEdgeStack } from '../../lib/settings/settings.ts';
import { prefixOf, stackNamesOf, stageNameOf } from '../../lib/settings/stack-names.ts';
import { answers, type Http } from './calls.ts';
import type { Found, Home, MakeCall, Plan, Step } from './plan.ts';
import {
  adminOf,
  alarmsOf,
  aws,
  chat,
  deployOf,
  functionIn,
  keeping,
  leaked,
  readAdminKey,
  readOutputs,
  readResources,
  readUsage,
  readWebMetrics,
  refused,
} from './step-calls.ts';

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
