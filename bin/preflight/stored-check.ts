import { isDeepStrictEqual } from 'node:util';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import {
  identityDocument,
  pricesDocument,
  routesDocument,
} from '../../functions/adapters/dynamo/dynamo-document-store.ts';
import { stackNamesOf, stageNameOf } from '../../lib/settings/stack-names.ts';
import { resourcesOf } from './account-checks.ts';
import { type Check, type Deadline, needing, type Target } from './check.ts';

/** A document that counts in place of a setting once it is stored. */
interface Replaced {
  readonly setting: string;
  readonly document: string;
  readonly prefix: string;
  readonly first: object;
}

/** Warns where a stored document is in force in place of a setting, which the deployment then does not change. */
export function storedChecks(target: Target): readonly Check[] {
  const { routes = [], modelPrices = {}, identity: { issuers } = { issuers: [] } } = target.settings;
  const documents: readonly Replaced[] = [
    ...(routes.length === 0 ? [] : [{ setting: 'routes', document: 'routes', ...routesDocument(routes) }]),
    ...(Object.keys(modelPrices).length === 0
      ? []
      : [{ setting: 'modelPrices', document: 'prices', ...pricesDocument(modelPrices) }]),
    ...(issuers.length === 0 ? [] : [{ setting: 'identity', document: 'identity', ...identityDocument(issuers) }]),
  ];
  if (documents.length === 0) return [];
  return [
    {
      what: 'whether stored routes, prices and issuers replace those of cdk.json',
      action: 'dynamodb:GetItem',
      run: async (deadline) => {
        const table = await policiesTable(target, deadline).catch(needing('cloudformation:ListStackResources'));
        if (table === undefined) return {};
        const found = await Promise.all(documents.map((one) => warningOf(one, table, target, deadline)));
        return { warnings: found.filter((warning) => warning !== undefined) };
      },
    },
  ];
}

/** The name of the table with the documents; undefined for a new stage. */
async function policiesTable(target: Target, deadline: Deadline): Promise<string | undefined> {
  const { data } = stackNamesOf(target.settings, target.region);
  const tables = await resourcesOf(target, data, 'AWS::DynamoDB::GlobalTable', deadline);
  return tables.find(({ logicalId }) => /^Policies[0-9A-F]{8}$/.test(logicalId))?.name;
}

async function warningOf(
  { setting, document, prefix, first }: Replaced,
  table: string,
  { clientIn, region, settings }: Target,
  deadline: Deadline,
): Promise<string | undefined> {
  const dynamo = new DynamoDBClient(clientIn(region));
  const command = new GetItemCommand({ TableName: table, Key: { pk: { S: `${prefix}current` } } });
  const { Item } = await dynamo.send(command, deadline);
  if (Item === undefined || isDeepStrictEqual(JSON.parse(Item.settings?.S ?? '{}'), first)) return undefined;
  return `"${setting}" of ${stageNameOf(settings)} in cdk.json has no effect: version ${Item.version?.N} of the stored ${document} is in force. Show it: npm run admin -- ${document} show. Remove the setting, or change the stored ${document} (docs/providers.md).`;
}
