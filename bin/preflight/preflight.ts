import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import type { Settings } from '../../lib/settings/settings.ts';
import { stageNameOf } from '../../lib/settings/stack-names.ts';
import { accountChecks } from './account-checks.ts';
import type { Check, Deadline, Remarks, Target } from './check.ts';
import { domainChecks } from './domain-checks.ts';
import { functionUrlChecks } from './function-url-check.ts';
import { homeChecks } from './home-checks.ts';
import { quotaCheck } from './quota-check.ts';
import { arnFaults, quotaWarnings, resourceChecks } from './resource-checks.ts';
import { storedChecks } from './stored-check.ts';

const DEADLINE_MS = 10_000;

function deadline(): Deadline {
  return { abortSignal: AbortSignal.timeout(DEADLINE_MS) };
}

/** The used fields of an SDK error. */
interface SdkError {
  /** The permission, if it is not the check's first one. */
  readonly action?: string;
  readonly name: string;
  readonly message: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/**
 * The confirmed identity, account and region. Throws an error with what is missing and the command that corrects it, without
 * credentials.
 */
export async function identify(settings: Settings): Promise<Target> {
  const sts = new STSClient({ maxAttempts: 1, ...(settings.region !== undefined && { region: settings.region }) });
  const { credentials } = sts.config;
  await credentials().catch(() => {
    throw new Error('No AWS credentials were found: sign in with "aws sso login", or set AWS_PROFILE, then retry.');
  });
  const region = await sts.config.region().catch(() => {
    throw new Error('No region is set: set "region" of the stage in cdk.json, or AWS_REGION.');
  });
  const identity = await sts.send(new GetCallerIdentityCommand(), deadline()).catch((error: SdkError) => {
    if (error.$metadata?.httpStatusCode !== undefined)
      throw new Error(`AWS refuses the credentials (${error.name}): sign in again, then retry.`);
    throw new Error(`STS is unavailable in ${region} (${reasonOf(error)}): check the region and your proxy.`);
  });
  const { Account: account = '', Arn: arn = '' } = identity;
  if (settings.account !== undefined && settings.account !== account)
    throw new Error(
      `${stageNameOf(settings)} belongs to account ${settings.account} ("account" in cdk.json), but the credentials are of ${account}: sign in to ${settings.account}, or set AWS_PROFILE.`,
    );
  return {
    settings,
    account,
    region,
    partition: arn.split(':')[1] ?? 'aws',
    arn,
    clientIn: (place) => ({ region: place, maxAttempts: 1, credentials }),
  };
}

/** All checks of a stage that need a call. */
export function checksOf(target: Target): readonly Check[] {
  return [
    ...accountChecks(target),
    quotaCheck(target),
    ...functionUrlChecks(target),
    ...domainChecks(target),
    ...resourceChecks(target),
    ...storedChecks(target),
    ...homeChecks(target),
  ];
}

/** Reports everything that would make a deployment fail. What the deployer may not read becomes a warning. */
export async function preflight(target: Target): Promise<Required<Remarks>> {
  const remarks = await Promise.all(checksOf(target).map(runCheck));
  return {
    faults: [...arnFaults(target), ...remarks.flatMap(({ faults = [] }) => faults)],
    warnings: [...quotaWarnings(target), ...remarks.flatMap(({ warnings = [] }) => warnings)],
    context: Object.assign({}, ...remarks.map(({ context }) => context)),
  };
}

async function runCheck({ what, action, run }: Check): Promise<Remarks> {
  try {
    return await run(deadline());
  } catch (error) {
    const failure = error as SdkError;
    return {
      warnings: [`Not checked: ${what} (${[failure.action ?? action, reasonOf(failure)].filter(Boolean).join(': ')}).`],
    };
  }
}

function reasonOf({ name, message }: SdkError): string {
  if (name === 'AbortError') return `no response within ${DEADLINE_MS / 1_000} s`;
  // The name of an error by AWS; a network error has a generic one.
  return name === 'Error' ? message || 'no connection' : name;
}
