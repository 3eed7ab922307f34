import { describe, expect, test } from '@jest/globals';
import { RELEASES, readBaseline } from './baseline.ts';
import { type KeptResources, keptResources, lossesBetween } from './kept-resources.ts';
import type { TemplateResource } from './lint-templates.ts';
import { PLAIN, synthesize } from './synthesize.ts';

const baseline = readBaseline();
const keptOf = (settings: typeof PLAIN): KeptResources => keptResources(synthesize(settings));
const plain = keptOf(PLAIN);
const inRegion: typeof PLAIN = { ...PLAIN, region: 'eu-central-1' };

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

describe('a change of settings', () => {
  test.each<[name: string, changed: Partial<typeof PLAIN>]>([
    [
      'a key of one’s own',
      { encryptionKeyArn: 'arn:aws:kms:eu-central-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab' },
    ],
    ['an export of records', { recordExport: { every: 'hour' } }],
    ['a rollout', { rollout: 'linear-10-1m' }],
    ['a VPC', { vpc: { vpcId: 'vpc-0a1b2c3d', subnetIds: ['subnet-0a1b2c3d'], securityGroupIds: ['sg-0a1b2c3d'] } }],
  ])('to %s replaces and removes nothing', (_name, changed) => {
    expect(lossesBetween(keptOf(inRegion), keptOf({ ...inRegion, ...changed }))).toEqual([]);
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
