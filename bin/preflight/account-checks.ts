import {
  CloudFormationClient,
  DescribeStacksCommand,
  ListStackResourcesCommand,
  type Stack,
  type StackResourceSummary,
} from '@aws-sdk/client-cloudformation';
import { GetParameterCommand, ParameterNotFound, SSMClient } from '@aws-sdk/client-ssm';
import { DefaultStackSynthesizer } from 'aws-cdk-lib';
import { needsEdgeStack } from '../../lib/settings/settings.ts';
import { stackNamesOf, stageNameOf } from '../../lib/settings/stack-names.ts';
import { EDGE_REGION } from '../../lib/stacks/edge-stack.ts';
import type { Check, Deadline, Target } from './check.ts';

/** Checks of the account: its bootstrapping and the stage's stacks. */
export function accountChecks(target: Target): readonly Check[] {
  const { settings, region } = target;
  const names = stackNamesOf(settings, region);
  const stacks = [names.data, names.gateway, names.operations].map((name) => ({ name, region }));
  if (needsEdgeStack(settings)) stacks.push({ name: names.edge, region: EDGE_REGION });
  const regions = new Set(stacks.map((stack) => stack.region));
  return [
    ...[...regions].map((place) => bootstrapCheck(target, place)),
    ...stacks.map(({ name, region: place }) => stackCheck(target, name, place)),
    recreationCheck(target, names.gateway),
  ];
}

/** Written by `cdk bootstrap`: https://docs.aws.amazon.com/cdk/v2/guide/bootstrapping-env.html */
const bootstrapVersionOf = (qualifier: string) => `/cdk-bootstrap/${qualifier}/version`;
/** The `requiresBootstrapStackVersion` of a stack by aws-cdk-lib. */
export const LEAST_BOOTSTRAP = 6;

function bootstrapCheck({ account, clientIn, settings }: Target, region: string): Check {
  const { bootstrapQualifier: own } = settings;
  const options = own === undefined ? '' : ` --qualifier ${own} --toolkit-stack-name CDKToolkit-${own}`;
  const command = `npx cdk bootstrap aws://${account}/${region}${options}`;
  const Name = bootstrapVersionOf(own ?? DefaultStackSynthesizer.DEFAULT_QUALIFIER);
  const where = own === undefined ? region : `${region} with the qualifier ${own}`;
  return {
    what: `the bootstrapping of ${region}`,
    action: 'ssm:GetParameter',
    run: async (deadline) => {
      const ssm = new SSMClient(clientIn(region));
      const parameter = await ssm.send(new GetParameterCommand({ Name }), deadline).catch((error: unknown) => {
        if (error instanceof ParameterNotFound) return undefined;
        throw error;
      });
      if (parameter === undefined)
        return { faults: [`Account ${account} is not bootstrapped in ${where}. Run once: ${command}`] };
      const version = Number(parameter.Parameter?.Value);
      if (version >= LEAST_BOOTSTRAP) return {};
      return {
        faults: [
          `The bootstrap stack of ${region} has version ${version}, but needs ${LEAST_BOOTSTRAP}. Run: ${command}`,
        ],
      };
    },
  };
}

function stackCheck(target: Target, name: string, region: string): Check {
  return {
    what: `the state of the stack ${name}`,
    action: 'cloudformation:DescribeStacks',
    run: async (deadline) => {
      const stack = await findStack(target, name, region, deadline);
      const fault = stack && stackFault(stack, region, stageNameOf(target.settings));
      return fault === undefined ? {} : { faults: [fault] };
    },
  };
}

/**
 * When the gateway stack was created, for the operations stack: CloudFormation resolves its references to the gateway stack at an update only,
 * and the CDK skips a stack whose template did not change.
 */
function recreationCheck(target: Target, name: string): Check {
  return {
    what: `when the stack ${name} was created`,
    action: 'cloudformation:DescribeStacks',
    run: async (deadline) => {
      const stack = await findStack(target, name, target.region, deadline);
      return { context: { gatewayCreated: (stack?.CreationTime ?? new Date()).toISOString() } };
    },
  };
}

/** The stack; undefined if it does not exist. */
async function findStack(
  { clientIn }: Target,
  name: string,
  region: string,
  deadline: Deadline,
): Promise<Stack | undefined> {
  const cloudFormation = new CloudFormationClient(clientIn(region));
  try {
    const { Stacks = [] } = await cloudFormation.send(new DescribeStacksCommand({ StackName: name }), deadline);
    return Stacks[0];
  } catch (error) {
    if (isMissingStack(error)) return undefined;
    throw error;
  }
}

/** Whether the stage has no gateway yet; false if the deployer may not read it. */
export async function isNewStage(target: Target, deadline: Deadline): Promise<boolean> {
  try {
    const { gateway } = stackNamesOf(target.settings, target.region);
    return (await findStack(target, gateway, target.region, deadline)) === undefined;
  } catch {
    return false;
  }
}

/** A deployed resource of a stack. */
export interface DeployedResource {
  readonly logicalId: string;
  readonly name: string;
}

/** The resources of a type in a stack; none if it does not exist. */
export async function resourcesOf(
  { region, clientIn }: Target,
  stack: string,
  type: string,
  deadline: Deadline,
): Promise<readonly DeployedResource[]> {
  const cloudFormation = new CloudFormationClient(clientIn(region));
  const resources: StackResourceSummary[] = [];
  let NextToken: string | undefined;
  do {
    const command = new ListStackResourcesCommand({ StackName: stack, ...(NextToken !== undefined && { NextToken }) });
    const page = await cloudFormation.send(command, deadline).catch((error: unknown) => {
      if (isMissingStack(error)) return { StackResourceSummaries: [], NextToken: undefined };
      throw error;
    });
    resources.push(...(page.StackResourceSummaries ?? []));
    NextToken = page.NextToken;
  } while (NextToken !== undefined);
  return resources.flatMap(
    ({ ResourceType: found, ResourceStatus: status, LogicalResourceId: logicalId = '', PhysicalResourceId: name }) =>
      found === type && status !== 'DELETE_COMPLETE' && name !== undefined ? [{ logicalId, name }] : [],
  );
}

/** CloudFormation has no separate error for it. */
export function isMissingStack(error: unknown): boolean {
  const { name, message } = error as Error;
  return name === 'ValidationError' && message.includes('does not exist');
}

/** States that `cdk deploy` cannot leave. Without termination protection it replaces a stack whose creation failed. */
function stackFault(
  { StackName: name, StackStatus: status, EnableTerminationProtection: isProtected }: Stack,
  region: string,
  stage: string,
): string | undefined {
  const options = `--stack-name ${name} --region ${region}`;
  if ((status === 'ROLLBACK_COMPLETE' || status === 'ROLLBACK_FAILED') && isProtected === true)
    return `The stack ${name} was never created (${status}) and is protected, so it cannot be replaced. Run: aws cloudformation update-termination-protection --no-enable-termination-protection ${options}`;
  if (status === 'DELETE_FAILED')
    return `The stack ${name} is half deleted (DELETE_FAILED). Delete the rest: aws cloudformation delete-stack ${options}`;
  if (status === 'UPDATE_ROLLBACK_FAILED')
    return `The stack ${name} could not be rolled back (UPDATE_ROLLBACK_FAILED). Run: npx cdk rollback ${name} -c stage=${stage}`;
  return undefined;
}
