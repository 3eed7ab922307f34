import type { Template } from '../infra/lint-templates.ts';
import type { Synthesized } from '../infra/synthesize.ts';

export const ACCOUNT = '123456789012';
export const REGION = 'eu-central-1';

/** A statement as a deployment has it: every reference is the ARN of what it refers to. */
export interface Statement {
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

interface PolicyProperties {
  readonly PolicyDocument: { readonly Statement: readonly Statement[] };
  readonly Roles: readonly { readonly Ref: string }[];
}

/** What a recorded call's resource is in the deployment: `table/keys/index/list`, `secret/pepper`, `model/ID`. */
export function arnOf(resource: string): string {
  const [kind = '', name = '', ...rest] = resource.split('/');
  switch (kind) {
    case 'table':
      return arn('dynamodb', [`table/${name}`, ...rest].join('/'));
    case 'queue':
      return arn('sqs', name);
    case 'secret':
      return arn('secretsmanager', `secret:${name}-AbCdEf`);
    case 'distribution':
      return `arn:aws:cloudfront::${ACCOUNT}:distribution/${name}`;
    case 'bucket':
    case 'object':
      return `arn:aws:s3:::${[name, ...rest].join('/')}`;
    case 'event-bus':
      return arn('events', resource);
    case 'deliverystream':
      return arn('firehose', resource);
    case 'model':
      return `arn:aws:bedrock:${REGION}::foundation-model/${name}`;
    default:
      return arn(kind, name);
  }
}

/** The policies of the roles of both stacks, by role name, as deployed. */
export function policiesByRole({ data, gateway }: Synthesized): Record<string, Statement[]> {
  const inData = resolverIn(data, (name) => name);
  const inGateway = resolverIn(gateway, (name) => inData(data.Outputs?.[name]?.Value));
  const policies: Record<string, Statement[]> = {};
  for (const [{ Resources }, resolve] of [[data, inData] as const, [gateway, inGateway] as const]) {
    for (const { Type, Properties } of Object.values(Resources)) {
      if (Type !== 'AWS::IAM::Policy') continue;
      const { PolicyDocument, Roles } = Properties as unknown as PolicyProperties;
      for (const { Ref } of Roles) {
        const role = Ref.replace(/[0-9A-F]{8}$/, '');
        policies[role] = [...(policies[role] ?? []), ...(resolve(PolicyDocument.Statement) as Statement[])];
      }
    }
  }
  return policies;
}

/** What references within a stack become: logical ids of two stacks may be the same. `outputOfOther` takes the name of an output. */
function resolverIn({ Resources }: Template, outputOfOther: (name: string) => unknown): (value: unknown) => unknown {
  const arnOfResource = (id: string): string => {
    const { Type = '' } = Resources[id] ?? {};
    const [kind] = Object.entries(KINDS).find(([, type]) => type === Type) ?? [Type.split('::')[1]?.toLowerCase()];
    return arnOf(`${kind}/${nameOf(id)}`);
  };
  /** Of a distribution `Ref` gives the id, of which the policies make the ARN. */
  const referenced = (id: string) =>
    Resources[id]?.Type === 'AWS::CloudFront::Distribution' ? DISTRIBUTION : arnOfResource(id);
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    const [name, argument] = entries[0] ?? [];
    if (name === 'Fn::GetStackOutput') return outputOfOther((argument as { OutputName: string }).OutputName);
    if (name === 'Fn::Join') return (resolve((argument as [string, unknown[]])[1]) as unknown[]).join('');
    if (name === 'Ref') return PSEUDO[String(argument)] ?? referenced(String(argument));
    if (name === 'Fn::GetAtt') {
      const [id = '', attribute] = argument as string[];
      return attribute === 'StreamArn' ? `${arnOfResource(id)}/stream/2026-11-21T09:00:00.000` : arnOfResource(id);
    }
    return Object.fromEntries(entries.map(([key, item]) => [key, resolve(item)]));
  };
  return resolve;
}

const PSEUDO: Readonly<Record<string, string>> = {
  'AWS::Partition': 'aws',
  'AWS::Region': REGION,
  'AWS::AccountId': ACCOUNT,
};
/** The one of test/runtime/fake-edge.ts. */
const DISTRIBUTION = 'E1EXAMPLE';
const KINDS = {
  table: 'AWS::DynamoDB::GlobalTable',
  queue: 'AWS::SQS::Queue',
  secret: 'AWS::SecretsManager::Secret',
  bucket: 'AWS::S3::Bucket',
};

function arn(service: string, resource: string): string {
  return `arn:aws:${service}:${REGION}:${ACCOUNT}:${resource}`;
}

/** The name that the embedded stores give it: `Keys1A2B3C4D` is `keys`, `DeliveriesQueue...` `deliveries`. */
function nameOf(logicalId: string): string {
  const words = logicalId.replace(/[0-9A-F]{8}$/, '').replace(/Queue$/, '');
  return words.replace(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
}
