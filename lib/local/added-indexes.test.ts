import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from '@jest/globals';
import { Level } from 'level';
import { createDynamoClient } from '../../functions/adapters/aws/clients.ts';
import { embeddedAccess } from './create-resources.ts';
import { startEmbeddedStores } from './embedded-stores.ts';

interface Table {
  AttributeDefinitions: { AttributeName: string }[];
  GlobalSecondaryIndexes: { IndexName: string }[];
}

it('a data folder of an earlier release gets the indexes that are new, and keeps its items', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'svc-indexes-'));
  const first = await startEmbeddedStores(folder);
  const item = { pk: 'a', sk: '1' };
  await createDynamoClient(embeddedAccess(first.dynamodbUrl)).send(
    new PutCommand({ TableName: 'records', Item: { ...item, keyPk: 'k' } }),
  );
  await first.stop();

  const store = new Level<string, Table>(path.join(folder, 'dynamodb'), { valueEncoding: 'json' });
  const table = (await store.get('table~records')) as Table;
  table.AttributeDefinitions = table.AttributeDefinitions.filter(({ AttributeName }) => AttributeName !== 'teamPk');
  table.GlobalSecondaryIndexes = table.GlobalSecondaryIndexes.filter(({ IndexName }) => IndexName !== 'byTeam');
  await store.put('table~records', table);
  await store.close();

  const second = await startEmbeddedStores(folder);
  const client = createDynamoClient(embeddedAccess(second.dynamodbUrl));
  await client.send(new PutCommand({ TableName: 'records', Item: { pk: 'b', sk: '2', keyPk: 'k', teamPk: 't' } }));
  const inIndex = async (IndexName: string, name: string, value: string) => {
    const query = {
      ...{ TableName: 'records', IndexName, KeyConditionExpression: '#name = :value' },
      ExpressionAttributeNames: { '#name': name },
      ExpressionAttributeValues: { ':value': value },
    };
    return (await client.send(new QueryCommand(query))).Items?.map(({ pk }) => pk);
  };
  expect(await inIndex('byTeam', 'teamPk', 't')).toEqual(['b']);
  expect(await inIndex('byKey', 'keyPk', 'k')).toEqual(['a', 'b']);
  await second.stop();
  await rm(folder, { recursive: true });
});
