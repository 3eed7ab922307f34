import type * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as kms from 'aws-cdk-lib/aws-kms';
import type * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import {
  TABLES,
  type TableAccess,
  type TableDefinition,
  type TableName,
  type TableUser,
} from '../../functions/adapters/dynamo/tables.ts';

/** What the definitions of the tables let a function do with them. */
export function grantTables(
  user: TableUser,
  tables: Readonly<Record<TableName, dynamodb.TableV2>>,
  grantee: iam.IGrantable,
): void {
  for (const [name, definition] of Object.entries<TableDefinition>(TABLES)) {
    const access = definition.access[user];
    if (access !== undefined) grantTable(tables[name as TableName], definition, access, grantee);
  }
}

function grantTable(
  { tableArn }: dynamodb.TableV2,
  { partitionKey, sortKey }: TableDefinition,
  { operations = [], queries = [], updates, onlyItems }: TableAccess,
  grantee: iam.IGrantable,
): void {
  const grant = (
    actions: readonly string[],
    resourceArn: string,
    conditions?: Record<string, Record<string, unknown>>,
  ) =>
    iam.Grant.addToPrincipal({
      grantee,
      actions: actions.map((action) => `dynamodb:${action}`),
      resourceArns: [resourceArn],
      ...(conditions !== undefined && { conditions }),
    });
  if (operations.length > 0) grant(operations, tableArn);
  for (const index of queries) grant(['Query'], `${tableArn}/index/${index}`);
  if (updates !== undefined) {
    const attributes = [partitionKey, sortKey, ...updates].filter((name) => name !== undefined);
    grant(['UpdateItem'], tableArn, {
      'ForAllValues:StringEquals': { 'dynamodb:Attributes': attributes },
      // The response would contain the other attributes.
      StringEqualsIfExists: { 'dynamodb:ReturnValues': ['NONE', 'UPDATED_OLD', 'UPDATED_NEW'] },
    });
  }
  if (onlyItems !== undefined) {
    const { operation, partitionKeys } = onlyItems;
    const compare = partitionKeys.some((key) => key.includes('*')) ? 'StringLike' : 'StringEquals';
    grant([operation], tableArn, { [`ForAllValues:${compare}`]: { 'dynamodb:LeadingKeys': partitionKeys } });
  }
}

/** `secret.grantRead` would also let the function describe the secret. */
export function grantValueOf(secret: secretsmanager.Secret, grantee: iam.IGrantable): void {
  iam.Grant.addToPrincipal({
    grantee,
    actions: ['secretsmanager:GetSecretValue'],
    resourceArns: [secret.secretArn],
  });
}

/** A new value, and nothing else of the secret. */
export function grantPuttingValueOf(secret: secretsmanager.Secret, grantee: iam.IGrantable): void {
  iam.Grant.addToPrincipal({
    grantee,
    actions: ['secretsmanager:PutSecretValue'],
    resourceArns: [secret.secretArn],
  });
}

/** What DynamoDB, SQS and Secrets Manager do with a customer's key on behalf of who calls them, and only through them. */
export function grantKey(key: kms.IKey | undefined, grantee: iam.IGrantable): void {
  if (key === undefined) return;
  const services = ['dynamodb', 'sqs', 'secretsmanager'].map((service) => `${service}.*.amazonaws.com`);
  iam.Grant.addToPrincipal({
    grantee,
    actions: ['kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKey'],
    resourceArns: [key.keyArn],
    conditions: { StringLike: { 'kms:ViaService': services } },
  });
}
