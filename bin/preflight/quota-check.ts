import { GetAccountSettingsCommand, GetFunctionConcurrencyCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  MAX_OPERATIONS_CONCURRENCY,
  MIN_OPERATIONS_CONCURRENCY,
  shareConcurrency,
} from '../../lib/settings/operations-concurrency.ts';
import { stackNamesOf } from '../../lib/settings/stack-names.ts';
import { resourcesOf } from './account-checks.ts';
import { type Check, type Deadline, findUnless, needing, type Remarks, type Target } from './check.ts';

/** Lambda keeps these free for functions without a reservation: https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html */
const UNRESERVED = 100;
/** The share of the quota that is reserved for administration at most. */
const OPERATIONS_SHARE = 0.25;
/** "Concurrent executions", with AWS's default. */
const QUOTA_CODE = 'L-B99A9384';
const DEFAULT_QUOTA = 1_000;

/** Checks that Lambda's quota has room for what is reserved, and computes what is reserved for administration. */
export function quotaCheck(target: Target): Check {
  const { region, clientIn } = target;
  return {
    what: `the Lambda quota of ${region}`,
    action: 'lambda:GetAccountSettings',
    run: async (deadline) => {
      const lambda = new LambdaClient(clientIn(region));
      const { AccountLimit } = await lambda.send(new GetAccountSettingsCommand(), deadline);
      const { ConcurrentExecutions: quota, UnreservedConcurrentExecutions: unreserved } = AccountLimit ?? {};
      if (quota === undefined || unreserved === undefined) throw new Error('no quota was returned');
      // What the stage has reserved is available to it.
      return quotaRemarks(target, quota, unreserved + (await reservedByStage(target, lambda, deadline)));
    },
  };
}

/** What the stage's deployed functions have reserved; 0 for a new stage. */
async function reservedByStage(target: Target, lambda: LambdaClient, deadline: Deadline): Promise<number> {
  const names = await functionsOf(target, deadline).catch(needing('cloudformation:ListStackResources'));
  const reserved = await Promise.all(
    names.map((FunctionName) =>
      // One that was deleted by hand has none.
      findUnless('ResourceNotFoundException', () =>
        lambda.send(new GetFunctionConcurrencyCommand({ FunctionName }), deadline),
      ),
    ),
  ).catch(needing('lambda:GetFunctionConcurrency'));
  return sumOf(reserved.map((one) => one?.ReservedConcurrentExecutions ?? 0));
}

/** The names of the gateway stack's functions; none if it does not exist. */
async function functionsOf(target: Target, deadline: Deadline): Promise<string[]> {
  const { gateway } = stackNamesOf(target.settings, target.region);
  return (await resourcesOf(target, gateway, 'AWS::Lambda::Function', deadline)).map(({ name }) => name);
}

/** @param free what is not reserved by others */
function quotaRemarks({ region, settings }: Target, quota: number, free: number): Remarks {
  const { compute = 'function-url', operationsConcurrency: set } = settings;
  // Other homes of the gateway reserve nothing.
  const { reservedConcurrency, provisionedConcurrency } = compute === 'function-url' ? settings : {};
  const name = reservedConcurrency === undefined ? 'provisionedConcurrency' : 'reservedConcurrency';
  const wanted = reservedConcurrency ?? provisionedConcurrency ?? 0;
  const shared = sumOf(Object.values(shareConcurrency(set)));
  const needed = quota - free + UNRESERVED + wanted + shared;
  const ofQuota = `Lambda's quota in ${region} is ${quota}`;
  const request = (value: number) =>
    `aws service-quotas request-service-quota-increase --service-code lambda --quota-code ${QUOTA_CODE} --desired-value ${value} --region ${region}`;
  if (wanted + shared > 0 && needed > quota) {
    const claims = Object.entries({ [name]: wanted, operationsConcurrency: shared }).filter(([, count]) => count > 0);
    const parts = claims.map(([setting, count]) => `${setting} is ${count}`).join(' and ');
    return {
      faults: [
        `${parts}, but ${ofQuota}, of which ${quota - free} are reserved and ${UNRESERVED} must stay unreserved. Lower it, or request a higher quota: ${request(Math.max(DEFAULT_QUOTA, needed))}`,
      ],
    };
  }
  const room = Math.min(free - UNRESERVED - wanted, quota * OPERATIONS_SHARE, MAX_OPERATIONS_CONCURRENCY);
  const total = set ?? (room < MIN_OPERATIONS_CONCURRENCY ? 0 : Math.floor(room));
  const context = { operationsConcurrency: String(total) };
  // Zero on purpose is no surprise, if the quota is not that of a new account.
  if (total > 0 || (set === 0 && quota >= UNRESERVED)) return { context };
  return {
    context,
    warnings: [
      `${ofQuota}, of which ${quota - free + wanted} are reserved, so nothing is reserved for the admin API, and requests of the gateway can keep administrators out. Request a higher quota: ${request(Math.max(DEFAULT_QUOTA, needed + MAX_OPERATIONS_CONCURRENCY))}`,
    ],
  };
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}
