import * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as kms from 'aws-cdk-lib/aws-kms';
import type * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';

/** Leaves out the table's indexes, which `table.grants` would add with a wildcard. */
export function grantOnTable(table: dynamodb.TableV2, grantee: iam.IGrantable, ...actions: string[]): void {
  dynamodb.TableGrants.fromTable(table, [], false).actions(grantee, ...actions);
}

export function grantQueryOn(table: dynamodb.TableV2, indexName: string, grantee: iam.IGrantable): void {
  const resourceArns = [`${table.tableArn}/index/${indexName}`];
  iam.Grant.addToPrincipal({ grantee, actions: ['dynamodb:Query'], resourceArns });
}

/** These attributes of a key, such as when it was used, and nothing else of it: who serves keys must not be able to change what they may do. */
export function grantWriting(table: dynamodb.TableV2, grantee: iam.IGrantable, ...attributes: string[]): void {
  iam.Grant.addToPrincipal({
    grantee,
    actions: ['dynamodb:UpdateItem'],
    resourceArns: [table.tableArn],
    conditions: {
      'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', ...attributes] },
      // Or the answer would tell the rest.
      StringEqualsIfExists: { 'dynamodb:ReturnValues': ['NONE', 'UPDATED_OLD', 'UPDATED_NEW'] },
    },
  });
}

/** Where the audit log's chain ends, and no record of it. */
export function grantMovingHead(table: dynamodb.TableV2, grantee: iam.IGrantable): void {
  iam.Grant.addToPrincipal({
    grantee,
    actions: ['dynamodb:UpdateItem'],
    resourceArns: [table.tableArn],
    conditions: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['head'] } },
  });
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
