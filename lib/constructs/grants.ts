import { Stack, Token, Validations } from 'aws-cdk-lib';
import type * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as kms from 'aws-cdk-lib/aws-kms';
import type * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import {
  TABLES,
  type TableAccess,
  type TableDefinition,
  type TableName,
  type TableUser,
} from '../../functions/adapters/dynamo/tables.ts';

/** Grants a function what the definitions of the tables allow it. */
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

/** Allows only putting a new value. */
export function grantPuttingValueOf(secret: secretsmanager.Secret, grantee: iam.IGrantable): void {
  iam.Grant.addToPrincipal({
    grantee,
    actions: ['secretsmanager:PutSecretValue'],
    resourceArns: [secret.secretArn],
  });
}

/**
 * Allows use of a customer's key, but only through DynamoDB, SQS and Secrets Manager, and through Lambda, which decrypts a function's variables
 * with its role: https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars-encryption.html
 */
export function grantKey(key: Pick<kms.IKey, 'keyArn'> | undefined, grantee: iam.IGrantable): void {
  if (key === undefined) return;
  const services = ['dynamodb', 'sqs', 'secretsmanager', 'lambda'].map((service) => `${service}.*.amazonaws.com`);
  iam.Grant.addToPrincipal({
    grantee,
    actions: ['kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKey'],
    resourceArns: [key.keyArn],
    conditions: { StringLike: { 'kms:ViaService': services } },
  });
}

const MODEL_ACTIONS = ['bedrock:InvokeModel', 'bedrock:InvokeModelWithResponseStream'];
/** Reading, cancelling and deleting a response that Bedrock stored. */
const STORED_RESPONSE_ACTIONS = ['bedrock:GetInvoke', 'bedrock:CancelInvoke', 'bedrock:DeleteInvoke'];

/**
 * Allows calls of these Amazon Bedrock models in this region and inference profiles of this account, by id (`*` matches any
 * characters) or ARN. A profile calls models in several regions with its caller's rights, which hold only through the profile:
 * https://docs.aws.amazon.com/bedrock/latest/userguide/inference-profiles-prereq.html. OpenAI's APIs are authorized for the account's default
 * project too: https://docs.aws.amazon.com/bedrock/latest/userguide/inference.html
 */
export function grantModels(models: readonly string[], grantee: Construct & iam.IGrantable): void {
  const stack = Stack.of(grantee);
  const arn = (resource: string, resourceName: string, where: { region?: string; account?: string } = {}) =>
    stack.formatArn({ service: 'bedrock', resource, resourceName, ...where });
  const arns = models.filter((model) => model.startsWith('arn:'));
  const ids = models.filter((model) => !model.startsWith('arn:'));
  const profiles = [
    ...ids.map((id) => arn('inference-profile', id)),
    ...arns.filter((one) => one.includes('inference-profile/')),
  ];
  const others = [
    ...ids.map((id) => arn('foundation-model', id, { account: '' })),
    ...arns.filter((one) => !profiles.includes(one)),
  ];
  const ofProfiles = arn('foundation-model', '*', { region: '*', account: '' });
  iam.Grant.addToPrincipal({ grantee, actions: MODEL_ACTIONS, resourceArns: [...others, ...profiles] });
  if (profiles.length > 0) {
    const conditions = { StringLike: { 'bedrock:InferenceProfileArn': profiles } };
    iam.Grant.addToPrincipal({ grantee, actions: MODEL_ACTIONS, resourceArns: [ofProfiles], conditions });
    const ofProject = [...MODEL_ACTIONS, ...STORED_RESPONSE_ACTIONS];
    iam.Grant.addToPrincipal({ grantee, actions: ofProject, resourceArns: [arn('project', 'default')] });
  }
  const reason = 'Models and inference profiles of the setting `bedrock`; models behind profiles only through them.';
  for (const resource of [...others, ...profiles, ofProfiles].filter((one) => one.includes('*'))) {
    Validations.of(grantee).acknowledge({ id: `AwsSolutions-IAM5[Resource::${asShown(stack, resource)}]`, reason });
  }
}

/** Allows the checks of Bedrock Guardrails, which belong to no resource. */
export function grantGuardrailChecks(grantee: Construct & iam.IGrantable): void {
  iam.Grant.addToPrincipal({ grantee, actions: ['bedrock:InvokeGuardrailChecks'], resourceArns: ['*'] });
  acknowledgeAnyResource(grantee);
}

/** The longest identity token that an exchange asks for (functions/adapters/http/token-exchange.ts). */
const IDENTITY_TOKEN_SECONDS = 3_600;

/**
 * Allows identity tokens of the role for these audiences, which belong to no resource:
 * https://docs.aws.amazon.com/service-authorization/latest/reference/list_awssecuritytokenservice.html
 */
export function grantIdentityTokens(audiences: readonly string[], grantee: Construct & iam.IGrantable): void {
  iam.Grant.addToPrincipal({
    grantee,
    actions: ['sts:GetWebIdentityToken'],
    resourceArns: ['*'],
    conditions: {
      'ForAllValues:StringEquals': { 'sts:IdentityTokenAudience': audiences },
      NumericLessThanEquals: { 'sts:DurationSeconds': IDENTITY_TOKEN_SECONDS },
    },
  });
  acknowledgeAnyResource(grantee);
}

function acknowledgeAnyResource(grantee: Construct): void {
  Validations.of(grantee).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason:
      'InvokeGuardrailChecks of Bedrock and GetWebIdentityToken of STS have no resource; conditions limit the audiences of tokens.',
  });
}

/** An ARN as cdk-nag writes it, with the names of values that only the deployment knows. */
export function asShown(stack: Stack, arn: string): string {
  const { partition: Partition, region: Region, account: AccountId } = stack;
  return Object.entries({ Partition, Region, AccountId }).reduce(
    (text, [name, value]) => (Token.isUnresolved(value) ? text.replaceAll(value, `<AWS::${name}>`) : text),
    arn,
  );
}
