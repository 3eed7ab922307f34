import { type AwsCredentials, type AwsIdentity, signAwsRequest } from '../functions/adapters/sign-aws-request.ts';

export interface Deployer {
  readonly account: string;
  readonly arn: string;
  readonly region: string;
}

/** One attempt each: who deploys sits before it and can run it again. */
const DEADLINE_MS = 10_000;
/** Written by `cdk bootstrap`: https://docs.aws.amazon.com/cdk/v2/guide/bootstrapping-env.html */
const BOOTSTRAP_VERSION = '/cdk-bootstrap/hnb659fds/version';

interface AwsCall {
  readonly service: 'sts' | 'ssm';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Who deploys and where to, once AWS has confirmed it and the region is bootstrapped. Throws a sentence that says what is
 * missing and the command that makes it good; nothing of the credentials is in it. Where the caller may not look whether the
 * region is bootstrapped, that is left to the CDK.
 */
export async function readyToDeploy({
  region: findRegion,
  credentials: findCredentials,
}: AwsIdentity): Promise<Deployer> {
  const credentials = await findCredentials().catch(() => {
    throw new Error(
      'No AWS credentials were found: sign in with "aws sso login", or set AWS_PROFILE, and run this again.',
    );
  });
  const region = await findRegion().catch(() => {
    throw new Error('No region is set: name one as "region" of the stage in cdk.json, or in AWS_REGION.');
  });
  const identity = await callAws(IDENTITY, credentials, region);
  if (identity.status !== 200) {
    throw new Error(`AWS refuses the credentials (${codeIn(identity.text)}): sign in again, and run this again.`);
  }
  const { Account: account, Arn: arn } = JSON.parse(identity.text).GetCallerIdentityResponse.GetCallerIdentityResult;
  const bootstrap = await callAws(BOOTSTRAP, credentials, region);
  if (bootstrap.status === 400 && codeIn(bootstrap.text) === 'ParameterNotFound') {
    throw new Error(
      `Account ${account} is not bootstrapped in ${region}. Once: npx cdk bootstrap aws://${account}/${region}`,
    );
  }
  return { account, arn, region };
}

const IDENTITY: AwsCall = {
  service: 'sts',
  headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
  body: 'Action=GetCallerIdentity&Version=2011-06-15',
};
const BOOTSTRAP: AwsCall = {
  service: 'ssm',
  headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'AmazonSSM.GetParameter' },
  body: JSON.stringify({ Name: BOOTSTRAP_VERSION }),
};

/** Throws where AWS cannot be reached or does not answer in time. */
async function callAws({ service, headers, body }: AwsCall, credentials: AwsCredentials, region: string) {
  const suffix = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  // As AWS's own clients read it.
  const set = process.env[`AWS_ENDPOINT_URL_${service.toUpperCase()}`];
  const url = new URL(set ?? `https://${service}.${region}.${suffix}`);
  const signed = signAwsRequest({ host: url.host, headers, body }, credentials, { region, service }, Date.now());
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: signed,
      body,
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const reason = cause instanceof Error ? cause.message : 'no answer';
    throw new Error(
      `${url.host} could not be reached (${reason}): is ${region} right, and does a proxy stand between?`,
    );
  }
}

/** The error's code in either of AWS's shapes; a word where there is none. */
function codeIn(text: string): string {
  return /"(?:__type|Code)"\s*:\s*"(?:[\w.]+#)?(\w+)"/.exec(text)?.[1] ?? 'unknown error';
}
