import { describe, expect, test } from '@jest/globals';
import type { Settings } from '../../lib/settings/settings.ts';
import { aws, playAws, remarks, SETTINGS } from './preflight-setup.ts';

playAws();

const route = { models: 'fast', targets: [{ provider: 'openai', model: 'gpt-6-luna' }] };
const price = { input: 1, output: 2 };
const WITH: Settings = { ...SETTINGS, routes: [route], modelPrices: { 'lab/llama': price } };
const deployed = () =>
  aws.replies.set('cloudformation:ListStackResources', ({ body }) => {
    const isData = new URLSearchParams(body).get('StackName') === 'svc-staging-data';
    const member = ['Policies05F61E66', 'Keys6A53B7AF'].map((LogicalResourceId) => ({
      ...{ LogicalResourceId, PhysicalResourceId: `svc-${LogicalResourceId}`, ResourceStatus: 'CREATE_COMPLETE' },
      ...{ ResourceType: 'AWS::DynamoDB::GlobalTable', LastUpdatedTimestamp: '2026-11-21T09:00:00Z' },
    }));
    return { StackResourceSummaries: { member: isData ? member : [] } };
  });
/** What is stored, by the key of its item. */
const store = (documents: Readonly<Record<string, object>>) =>
  aws.replies.set('dynamodb:GetItem', ({ body }) => {
    const { TableName, Key } = JSON.parse(body);
    const settings = documents[Key.pk.S];
    if (TableName !== 'svc-Policies05F61E66' || settings === undefined) return {};
    return { Item: { pk: Key.pk, version: { N: '3' }, settings: { S: JSON.stringify(settings) } } };
  });

describe('a setting that a stored document replaces', () => {
  test('is a warning that names both, and the deployment goes on', async () => {
    deployed();
    store({ 'routes#current': { routes: [] }, 'prices#current': { prices: {} } });
    const { faults, warnings } = await remarks(WITH);
    expect(faults).toEqual([]);
    expect(warnings).toEqual([
      '"routes" of Staging in cdk.json has no effect: version 3 of the stored routes is in force. Show it: npm run admin -- routes show. Remove the setting, or change the stored routes (docs/providers.md).',
      '"modelPrices" of Staging in cdk.json has no effect: version 3 of the stored prices is in force. Show it: npm run admin -- prices show. Remove the setting, or change the stored prices (docs/providers.md).',
    ]);
  });

  test('is none while nothing is stored, or the same is, and where the stage is new', async () => {
    expect((await remarks(WITH)).warnings).toEqual([]);
    deployed();
    store({});
    expect((await remarks(WITH)).warnings).toEqual([]);
    store({ 'routes#current': { routes: [route] }, 'prices#current': { prices: { 'lab/llama': price } } });
    expect((await remarks(WITH)).warnings).toEqual([]);
  });

  test('is not read without such a setting', async () => {
    deployed();
    await remarks();
    expect(aws.calls.map(({ action }) => action)).not.toContain('dynamodb:GetItem');
  });

  test('that the deployer may not read is a warning that names the permission', async () => {
    deployed();
    aws.replies.set('dynamodb:GetItem', { error: 'AccessDeniedException', status: 400 });
    expect((await remarks(WITH)).warnings).toEqual([
      'Not checked: whether stored routes, prices and issuers replace those of cdk.json (dynamodb:GetItem: AccessDeniedException).',
    ]);
  });
});
