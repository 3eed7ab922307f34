import { CfnCustomResource, CfnOutput, Duration, type Stack, Validations } from 'aws-cdk-lib';
import type * as iam from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { FIRST_ADMIN_KEY_SETTINGS, type FirstAdminKeyEnv } from '../../functions/first-admin-key/env.ts';
import { createFunction } from '../constructs/create-function.ts';
import { grantPuttingValueOf, grantTables, grantValueOf } from '../constructs/grants.ts';
import { stageVariables } from '../settings/function-settings.ts';
import { type FunctionContext, tableNames } from './function-context.ts';

/**
 * The function that makes the first admin key, the custom resource that has it done when the stage is deployed first, and the
 * command that reads the key. Nothing of the key is in the template.
 */
export function addFirstAdminKey(stack: Stack, { settings, data, code }: FunctionContext): iam.IGrantable {
  const { logRetentionDays, tracing } = settings;
  const scope = new Construct(stack, 'FirstAdminKey');
  const environment: FirstAdminKeyEnv = {
    ...tableNames('first-admin-key', data),
    ...stageVariables(FIRST_ADMIN_KEY_SETTINGS, settings),
    SVC_PEPPER_SECRET_ARN: data.pepper.secretArn,
    SVC_FIRST_ADMIN_KEY_SECRET_ARN: data.firstAdminKey.secretArn,
  };
  const { handler, role } = createFunction(scope, {
    description: 'Makes the first admin key when the stage is deployed first, and puts it into a secret.',
    code,
    environment: { ...environment },
    memoryMb: 256,
    timeout: Duration.minutes(2),
    logRetentionDays,
    tracing,
  });
  Validations.of(handler).acknowledge({
    id: 'Serverless-LambdaDLQ',
    reason: 'CloudFormation asks and waits for the answer: a request that is not answered fails the deployment.',
  });
  grantTables('first-admin-key', data.tables, role);
  grantValueOf(data.pepper, role);
  grantPuttingValueOf(data.firstAdminKey, role);
  // Where another attempt put a text first, that one is the key's.
  grantValueOf(data.firstAdminKey, role);
  // Not the class above it, which writes the number as a text.
  new CfnCustomResource(scope, 'Resource', {
    serviceToken: handler.functionArn,
    // Three attempts of two minutes, which Lambda makes within five.
    serviceTimeout: Duration.minutes(15).toSeconds(),
  });
  new CfnOutput(stack, 'FirstAdminKeyCommand', {
    description: 'Prints the first admin key; keep it elsewhere and rotate it: README.md',
    value: `aws secretsmanager get-secret-value --region ${stack.region} --secret-id ${data.firstAdminKey.secretArn} --query SecretString --output text`,
  });
  return role;
}
