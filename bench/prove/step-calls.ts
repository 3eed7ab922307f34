import { answers, type Call, type Command, type Http } from './calls.ts';
import type { Found, Home, Keys, MakeCall } from './plan.ts';
import { queriesFor } from './usage.ts';

/** Deploys a stage with a home. */
export function deployOf(stage: string, home: Home): Command {
  const args = ['--stage', stage, '--context', `compute=${home}`, '--require-approval', 'never'];
  return { kind: 'command', args: ['npm', 'run', 'deploy', '--', ...args], timeoutSeconds: 2 * 3_600 };
}

interface Output {
  readonly OutputKey: string;
  readonly OutputValue: string;
}

/** The stack's outputs. */
export function readOutputs(
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
export function readAdminKey(keys: Keys): Call {
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
export function readResources(
  { region, stack }: { readonly region: string; readonly stack: string },
  found: Found,
): Call {
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

/** The name of the gateway's function; a placeholder in a dry run. */
export function functionIn(found: Found): string {
  return found.values.function ?? '<GatewayFunction>';
}

/** What CloudWatch measured while the load ran, and a minute more. */
export function readUsage(
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
export function readWebMetrics(region: string, found: Found): Call {
  const query = 'Metrics[].MetricName';
  return {
    ...aws(region, 'cloudwatch', 'list-metrics', '--namespace', 'AWS/Lambda/Web', '--query', query, '--output', 'text'),
    keep: (names: string) => {
      found.values['metrics of Web Functions'] = [...new Set(names.split(/\s+/))].sort().join(', ');
    },
  };
}

/** Arguments that list the alarms that are on. */
export function alarmsOf(prefix: string): string[] {
  const query = ['--query', 'MetricAlarms[].AlarmName', '--output', 'text'];
  return ['cloudwatch', 'describe-alarms', '--alarm-name-prefix', prefix, '--state-value', 'ALARM', ...query];
}

/** A request for a response of the built-in model. */
export function chat(url: string, more: Partial<Http>, fields: object = {}): Http {
  const body = { model: 'echo', messages: [{ role: 'user', content: 'Hello' }], ...fields };
  return { kind: 'http', method: 'POST', url: `${url}/chat/completions`, body, ...more };
}

/** Calls of the admin API of a home. */
export function adminOf(home: Home) {
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
export function keeping(found: Found, keys: Keys, name: string): Pick<Http, 'expect' | 'keep'> {
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

/** A call about the key that leaks in an incident. */
export function leaked(home: Home, method: string, more: Partial<Http> = {}): MakeCall {
  return (found, keys) => {
    const id = found.values[`${home} leaked`] ?? '<key id>';
    return adminOf(home)(method, `/admin/keys/${id}`, { expect: answers(200), ...more })(found, keys);
  };
}

/** A fault where a key that is disabled is still in force. */
export function refused({ status }: { readonly status: number }): string | undefined {
  return status === 401 || status === 403 ? undefined : `status ${status}: the disabled key is still in force`;
}

/** A command of the AWS CLI. */
export function aws(region: string, ...args: string[]): Command {
  return { kind: 'command', args: ['aws', ...args, '--region', region, '--no-cli-pager'], timeoutSeconds: 120 };
}
