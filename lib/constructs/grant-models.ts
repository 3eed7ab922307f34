import { Stack, Token, Validations } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

const ACTIONS = ['bedrock:InvokeModel', 'bedrock:InvokeModelWithResponseStream'];

/**
 * Lets a function call these models of Amazon Bedrock in this region, and these inference profiles of this account, by their
 * ids with `*` for any run of characters, or by ARN. A profile calls models of several regions on behalf of its caller, who
 * needs the right to call them, but only so:
 * https://docs.aws.amazon.com/bedrock/latest/userguide/inference-profiles-prereq.html
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
  iam.Grant.addToPrincipal({ grantee, actions: ACTIONS, resourceArns: [...others, ...profiles] });
  if (profiles.length > 0) {
    const conditions = { StringLike: { 'bedrock:InferenceProfileArn': profiles } };
    iam.Grant.addToPrincipal({ grantee, actions: ACTIONS, resourceArns: [ofProfiles], conditions });
  }
  const reason = 'Models and inference profiles by the setting `bedrock`; those that profiles call, only through them.';
  for (const resource of [...others, ...profiles, ofProfiles].filter((one) => one.includes('*'))) {
    Validations.of(grantee).acknowledge({ id: `AwsSolutions-IAM5[Resource::${asShown(stack, resource)}]`, reason });
  }
}

/** An ARN as cdk-nag writes it: what only the deployment knows stands there by its name. */
function asShown(stack: Stack, arn: string): string {
  const { partition: Partition, region: Region, account: AccountId } = stack;
  return Object.entries({ Partition, Region, AccountId }).reduce(
    (text, [name, value]) => (Token.isUnresolved(value) ? text.replaceAll(value, `<AWS::${name}>`) : text),
    arn,
  );
}
