import { describe, expect, test } from '@jest/globals';
import { RELEASES, readBaseline } from './baseline.ts';
import { deploymentFaults } from './deployment-faults.ts';
import { type KeptResources, keptResources, lossesBetween } from './kept-resources.ts';
import { lintTemplates, type TemplateResource } from './lint-templates.ts';
import { combinations, nameOf, settingChanges } from './setting-combinations.ts';
import { PLAIN, type Synthesized, synthesize, validate } from './synthesize.ts';

const baseline = readBaseline();
const keptOf = (settings: typeof PLAIN): KeptResources => keptResources(synthesize(settings));
const plain = keptOf(PLAIN);

describe.each(Object.entries(RELEASES))('an upgrade of the last release with %s settings', (name, settings) => {
  const today = keptOf(settings);

  test('replaces and removes no table, queue, secret, bucket or address', () => {
    expect(Object.keys(baseline[name]?.data ?? {}).length).toBeGreaterThan(15);
    expect(lossesBetween(baseline[name] ?? {}, today)).toEqual([]);
  });

  test('has no resource that is missing from the baseline (npm run generate baseline)', () => {
    for (const stack of Object.keys(today)) {
      expect(Object.keys(baseline[name]?.[stack] ?? {})).toEqual(
        expect.arrayContaining(Object.keys(today[stack] ?? {})),
      );
    }
  });
});

/** What a change of settings may remove, by the setting: the doors that it opens or closes, and their files. Data stays by retention. */
const REMOVED_BY: readonly (readonly [setting: RegExp, loss: RegExp])[] = [
  [
    /^distribution /,
    /^gateway\/(Distribution|AdminApi|Gateway)\w+ \(AWS::(CloudFront::Distribution|S3::Bucket|Lambda::Url)\) is gone/,
  ],
  [
    /^compute /,
    /^gateway\/(Gateway\w+ \(AWS::Lambda::Url\)|AWSCDKWebFunctionAssetBucket\w+ \(AWS::S3::Bucket\)) is gone/,
  ],
  [/^restApi /, /^gateway\/(RestApi|AdminApi|Gateway)\w+ \(AWS::(ApiGateway::RestApi|Lambda::Url)\) is gone/],
  [/^publicFunctionUrls /, /^gateway\/(AdminApi|Gateway)\w+ \(AWS::Lambda::Url\) is gone/],
  [/recordExport/, /^data\/RecordExportBucket\w+ \(AWS::S3::Bucket\) is gone/],
];

describe.each(settingChanges().map((change) => [change.name, change] as const))('the setting %s', (name, change) => {
  const [off, on] = [validate(change.without), validate(change.with)];
  const lossesIn = (before: Synthesized, after: Synthesized) => {
    const allowed = REMOVED_BY.filter(([setting]) => setting.test(name)).map(([, loss]) => loss);
    const losses = lossesBetween(keptResources(before), keptResources(after));
    return losses.filter((loss) => !allowed.some((pattern) => pattern.test(loss)));
  };

  test('is right on and off', () => {
    for (const { data, edge, gateway, operations, error, findings } of [off, on]) {
      expect([error, findings]).toEqual([undefined, []]);
      expect(lintTemplates({ data, gateway, operations, ...(edge && { edge }) })).toEqual([]);
    }
  });

  test('can be switched on, off and on again', () => {
    expect(deploymentFaults(off, on)).toEqual([]);
    expect(deploymentFaults(on, off)).toEqual([]);
  });

  test('replaces and removes nothing but what it adds', () => {
    expect(lossesIn(off, on)).toEqual([]);
    expect(lossesIn(on, off)).toEqual([]);
  });
});

describe('several settings', () => {
  const groups = Object.values(Object.groupBy(combinations(), ({ stage, region }) => `${stage} ${region}`));
  const changes = groups.flatMap((rows = []) =>
    rows.slice(1).map((row, at) => [nameOf(row), rows[at] ?? row, row] as const),
  );

  test.each(changes)('change at once, and back: %s', (_name, before, after) => {
    const [one, other] = [synthesize(before), synthesize(after)];
    expect(deploymentFaults(one, other)).toEqual([]);
    expect(deploymentFaults(other, one)).toEqual([]);
  });

  test('are many', () => expect(changes.length).toBeGreaterThan(10));
});

describe('faults of a deployment are reported', () => {
  const deployed = synthesize(PLAIN);
  const after = (change: (stacks: Synthesized) => void) => {
    const next = structuredClone(deployed);
    change(next);
    return deploymentFaults(deployed, next);
  };
  const named = { Type: 'AWS::Logs::LogGroup', Properties: { LogGroupName: 'logs' }, DeletionPolicy: 'Retain' };
  const withNamed = {
    ...deployed,
    data: { ...deployed.data, Resources: { ...deployed.data.Resources, Named: named } },
  };

  test('a reference to an output that is gone, or of a stack that is deployed later', () => {
    const [output = ''] = Object.keys(deployed.data.Outputs ?? {}).filter((id) => id.startsWith('PublishOutput'));
    const faults = after(({ data }) => delete (data.Outputs as Record<string, unknown>)[output]);
    expect(faults).toContainEqual(
      expect.stringMatching(new RegExp(`^(gateway|operations): reads ${output} of .*-data`)),
    );
    const reading = {
      Value: { 'Fn::GetStackOutput': { StackName: 'svc-development-gateway', OutputName: 'BaseUrl' } },
    };
    const early = after(({ data }) => Object.assign(data.Outputs as object, { Early: reading }));
    expect(early).toEqual(['data: reads BaseUrl of svc-development-gateway, which is not there']);
  });

  test('an export and an import', () => {
    const faults = after(({ data, gateway }) => {
      Object.assign(data.Outputs as object, { Arn: { Value: 'arn', Export: { Name: 'arn' } } });
      Object.assign(gateway.Outputs as object, { Arn: { Value: { 'Fn::ImportValue': 'arn' } } });
    });
    expect(faults).toEqual(['data: exports Arn', 'gateway: imports "arn"']);
  });

  test('names that are still taken', () => {
    expect(deploymentFaults(withNamed, deployed)).toEqual([expect.stringContaining('Named is removed, but')]);
    const renamed = after(({ data }) =>
      Object.assign(data.Resources, { Other: { ...named, DeletionPolicy: 'Delete' } }),
    );
    expect(renamed).toEqual([]);
    const moved = structuredClone(withNamed);
    Object.assign(moved.data.Resources, { Other: named, Named: undefined });
    expect(deploymentFaults(withNamed, moved)).toContainEqual(expect.stringContaining('Other takes the name'));
    const queue = (FifoQueue: boolean, QueueName = 'q.fifo') => {
      const next = structuredClone(deployed);
      const properties = { QueueName, FifoQueue };
      Object.assign(next.data.Resources, { Queue: { Type: 'AWS::SQS::Queue', Properties: properties } });
      return next;
    };
    expect(deploymentFaults(queue(false), queue(true))).toEqual([
      expect.stringContaining('Queue is replaced by FifoQueue, but keeps the name'),
    ]);
    expect(deploymentFaults(queue(false), queue(true, 'other.fifo'))).toEqual([]);
  });
});

describe('losses by an upgrade are reported with their effect', () => {
  const [keysId = ''] = Object.keys(plain.data ?? {}).filter((id) => /^Keys[0-9A-F]{8}$/.test(id));
  const [pepperId = ''] = Object.keys(plain.data ?? {}).filter((id) => id.startsWith('Pepper'));
  const [urlId = ''] = Object.keys(plain.gateway ?? {}).filter((id) => id.startsWith('Gateway'));
  const changed = (stack: string, id: string, change: (resource: TemplateResource) => TemplateResource | undefined) => {
    const { [id]: one, ...others } = plain[stack] ?? {};
    const next = change(one as TemplateResource);
    return lossesBetween(plain, { ...plain, [stack]: { ...others, ...(next !== undefined && { [id]: next }) } });
  };
  const withProperties = (properties: object) => (resource: TemplateResource) => ({
    ...resource,
    Properties: { ...resource.Properties, ...properties },
  });
  const indexesOfKeys = plain.data?.[keysId]?.Properties?.GlobalSecondaryIndexes as object[];
  const index = (IndexName: string) => ({ IndexName, KeySchema: [], Projection: {} });

  test('a table that is renamed', () => {
    const { [keysId]: keys, ...others } = plain.data ?? {};
    expect(lossesBetween(plain, { ...plain, data: { ...others, Renamed: keys as TemplateResource } })).toEqual([
      `data/${keysId} (AWS::DynamoDB::GlobalTable) is gone: an upgrade would leave what it holds behind, unused, and start with an empty one`,
    ]);
  });

  test.each<[name: string, stack: string, id: string, change: Parameters<typeof changed>[2], told: string]>([
    [
      'a queue in the place of a table',
      'data',
      keysId,
      () => ({ Type: 'AWS::SQS::Queue' }),
      'is a AWS::SQS::Queue now',
    ],
    [
      'a table with another key',
      'data',
      keysId,
      withProperties({ KeySchema: [] }),
      '.KeySchema changed, which replaces it',
    ],
    [
      'a table with a name',
      'data',
      keysId,
      withProperties({ TableName: 'keys' }),
      '.TableName changed, which replaces it',
    ],
    [
      'a pepper made anew',
      'data',
      pepperId,
      withProperties({ GenerateSecretString: { PasswordLength: 65 } }),
      'overwrites the secret in use',
    ],
    [
      'two new indexes of a table',
      'data',
      keysId,
      withProperties({ GlobalSecondaryIndexes: [...indexesOfKeys, index('one'), index('two')] }),
      'one index an update, and these are one, two',
    ],
    [
      'an index with other keys',
      'data',
      keysId,
      withProperties({ GlobalSecondaryIndexes: [index('list')] }),
      'the index list has other keys',
    ],
    ['a function URL that is gone', 'gateway', urlId, () => undefined, 'its address answers no more'],
    [
      'a function URL of another alias',
      'gateway',
      urlId,
      withProperties({ Qualifier: 'prod' }),
      '.Qualifier changed, which replaces it',
    ],
  ])('%s', (_name, stack, id, change, told) => {
    expect(changed(stack, id, change)).toEqual([expect.stringContaining(told)]);
  });

  test('but additions and changes in place are not', () => {
    const added = withProperties({ GlobalSecondaryIndexes: [...indexesOfKeys, index('one')] });
    expect(changed('data', keysId, added)).toEqual([]);
    expect(changed('data', keysId, withProperties({ BillingMode: 'PROVISIONED' }))).toEqual([]);
    expect(lossesBetween(plain, { ...plain, data: { ...plain.data, More: { Type: 'AWS::SQS::Queue' } } })).toEqual([]);
  });
});
