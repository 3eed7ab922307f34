import { GetParameterCommand, ParameterNotFound, SSMClient } from '@aws-sdk/client-ssm';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';

export interface Deployer {
  readonly account: string;
  readonly arn: string;
  readonly region: string;
}

/** One attempt each: the operator sees the error and can run it again. */
const DEADLINE_MS = 10_000;
/** Written by `cdk bootstrap`: https://docs.aws.amazon.com/cdk/v2/guide/bootstrapping-env.html */
const BOOTSTRAP_VERSION = '/cdk-bootstrap/hnb659fds/version';

/** The form of the SDK's errors that is read here. */
interface SdkError {
  readonly name: string;
  readonly message: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/**
 * Who deploys and where to, once AWS has confirmed it and the region is bootstrapped. Throws a sentence that says what is
 * missing and the command that makes it good; nothing of the credentials is in it. Where the caller may not look whether the
 * region is bootstrapped, that is left to the CDK.
 * @param stageRegion the environment's or the profile's where undefined
 */
export async function readyToDeploy(stageRegion: string | undefined): Promise<Deployer> {
  const settings = { maxAttempts: 1, ...(stageRegion !== undefined && { region: stageRegion }) };
  const sts = new STSClient(settings);
  await sts.config.credentials().catch(() => {
    throw new Error(
      'No AWS credentials were found: sign in with "aws sso login", or set AWS_PROFILE, and run this again.',
    );
  });
  const region = await sts.config.region().catch(() => {
    throw new Error('No region is set: name one as "region" of the stage in cdk.json, or in AWS_REGION.');
  });
  const identity = await sts.send(new GetCallerIdentityCommand(), deadline()).catch((error: SdkError) => {
    if (!isResponse(error)) throw unreachable('STS', region, error);
    throw new Error(`AWS refuses the credentials (${error.name}): sign in again, and run this again.`);
  });
  const { Account: account = '', Arn: arn = '' } = identity;
  const ssm = new SSMClient(settings);
  await ssm.send(new GetParameterCommand({ Name: BOOTSTRAP_VERSION }), deadline()).catch((error: SdkError) => {
    if (!isResponse(error)) throw unreachable('SSM', region, error);
    if (error instanceof ParameterNotFound)
      throw new Error(
        `Account ${account} is not bootstrapped in ${region}. Once: npx cdk bootstrap aws://${account}/${region}`,
      );
  });
  return { account, arn, region };
}

function deadline(): { abortSignal: AbortSignal } {
  return { abortSignal: AbortSignal.timeout(DEADLINE_MS) };
}

/** Whether AWS sent the error, and not the network. */
function isResponse({ $metadata }: SdkError): boolean {
  return $metadata?.httpStatusCode !== undefined;
}

function unreachable(service: string, region: string, { message, name }: SdkError): Error {
  const reason = message || name;
  return new Error(
    `${service} could not be reached in ${region} (${reason}): is the region right, and does a proxy stand between?`,
  );
}
