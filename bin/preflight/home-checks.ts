import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { fargateSize, type Settings } from '../../lib/settings/settings.ts';
import { stackNamesOf } from '../../lib/settings/stack-names.ts';
import { resourcesOf } from './account-checks.ts';
import { type Check, type Deadline, needing, type Target } from './check.ts';

/** A quota of the account in a region, by AWS's codes. */
interface Quota {
  readonly name: string;
  readonly service: string;
  readonly code: string;
}
const FARGATE_CPUS: Quota = {
  name: 'Fargate On-Demand vCPU resource count',
  service: 'fargate',
  code: 'L-3032A538',
};
const LOAD_BALANCERS: Quota = {
  name: 'Application Load Balancers per Region',
  service: 'elasticloadbalancing',
  code: 'L-53DA6B97',
};
/** Tasks of one service that AWS runs: https://docs.aws.amazon.com/AmazonECS/latest/developerguide/service-quotas.html */
const TASKS_OF_SERVICE = 5_000;
/** An environment of a Web Function: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const CPUS_OF_ENVIRONMENT = 2;
/** A service's new version starts beside the old one. */
const DURING_DEPLOYMENT = 2;

/** Checks of what the home of the gateway needs beside Lambda's quota. */
export function homeChecks(target: Target): readonly Check[] {
  const { compute } = target.settings;
  if (compute === 'fargate') return [dockerCheck(), cpuCheck(target), balancerCheck(target)];
  return compute === 'web-function' ? [webFunctionCheck(target)] : [];
}

/** The deployment builds the image of the containers and pushes it. */
function dockerCheck(): Check {
  return {
    what: 'Docker',
    action: 'docker buildx',
    run: async () => {
      const { status } = spawnSync('docker', ['buildx', 'version'], { stdio: 'ignore' });
      if (status === 0) return {};
      return { faults: ['compute fargate builds an image: start Docker with buildx on this machine, then retry.'] };
    },
  };
}

function cpuCheck({ settings, region }: Target): Check {
  return {
    what: `the Fargate quota of ${region}`,
    action: 'servicequotas:GetServiceQuota',
    run: async (deadline) => {
      const { cpus, minTasks, maxTasks } = fargateSize(settings);
      const quota = await readQuota(FARGATE_CPUS, region, deadline);
      const [least, most] = [minTasks * DURING_DEPLOYMENT * cpus, Math.min(maxTasks, TASKS_OF_SERVICE) * cpus];
      const ofQuota = `the quota of vCPUs on Fargate in ${region} is ${quota}, for all services of the account`;
      if (least > quota)
        return {
          faults: [
            `fargate.minTasks is ${minTasks}: a deployment runs twice as many, which needs ${least} vCPUs, but ${ofQuota}. Lower it, or request a higher quota: ${requestOf(FARGATE_CPUS, most, region)}`,
          ],
        };
      if (most <= quota) return {};
      return {
        warnings: [
          `fargate.maxTasks is ${maxTasks}, which needs ${most} vCPUs, but ${ofQuota}: fewer containers will run. Request a higher quota: ${requestOf(FARGATE_CPUS, most, region)}`,
        ],
      };
    },
  };
}

/** Whether the account may have one more load balancer. A stage that has its own needs none. */
function balancerCheck(target: Target): Check {
  const { settings, region } = target;
  return {
    what: `the quota of load balancers in ${region}`,
    action: 'servicequotas:GetServiceQuota',
    run: async (deadline) => {
      const { gateway } = stackNamesOf(settings, region);
      const type = 'AWS::ElasticLoadBalancingV2::LoadBalancer';
      const own = await resourcesOf(target, gateway, type, deadline).catch(
        needing('cloudformation:ListStackResources'),
      );
      if (own.length > 0) return {};
      const quota = await readQuota(LOAD_BALANCERS, region, deadline);
      const query = "length(LoadBalancers[?Type=='application'])";
      const used = await askAws(
        ['elbv2', 'describe-load-balancers', '--query', query],
        'elasticloadbalancing:DescribeLoadBalancers',
        { region, deadline },
      );
      if (Number(used) < quota) return {};
      return {
        faults: [
          `${region} has ${used} application load balancers, and the quota is ${quota}: delete one, or request a higher quota: ${requestOf(LOAD_BALANCERS, quota + 10, region)}`,
        ],
      };
    },
  };
}

/** Limits of the endpoint beyond the account's quotas, which Lambda applies too. */
function webFunctionCheck({ settings, region }: Target): Check {
  const action = 'lambda:GetWebAccountSettings';
  return {
    what: `the quotas of Web Functions in ${region}`,
    action,
    run: async (deadline) => {
      const read = await askAws(['lambda-web', 'get-web-account-settings'], action, { region, deadline });
      const { maxTotalArmVCpus: cpus, maxTotalRateLimit: rate } = quotasIn(read);
      if (cpus === undefined || rate === undefined) throw new Error('no quota was returned');
      if (cpus < CPUS_OF_ENVIRONMENT || rate === 0)
        return {
          faults: [
            `The account may run no Web Function in ${region}: its quotas are ${cpus} vCPUs and ${rate} requests a second.`,
          ],
        };
      return { warnings: webWarnings(settings, { region, cpus, rate }) };
    },
  };
}

function quotasIn(read: unknown): { readonly maxTotalArmVCpus?: number; readonly maxTotalRateLimit?: number } {
  return (read as { accountQuotas?: object }).accountQuotas ?? {};
}

function webWarnings(
  { webFunction = {} }: Settings,
  { region, cpus, rate }: { readonly region: string; readonly cpus: number; readonly rate: number },
): string[] {
  const { maxEnvironments = 0, rateLimit = 0 } = webFunction;
  const ofAll = `for all Web Functions of the account in ${region}. The quota limits it further.`;
  const environments = Math.floor(cpus / CPUS_OF_ENVIRONMENT);
  return [
    ...(maxEnvironments > environments
      ? [`webFunction.maxEnvironments is ${maxEnvironments}, but the quota is ${environments} (${cpus} vCPUs) ${ofAll}`]
      : []),
    ...(rateLimit > rate
      ? [`webFunction.rateLimit is ${rateLimit}, but the quota is ${rate} requests a second ${ofAll}`]
      : []),
  ];
}

async function readQuota({ service, code }: Quota, region: string, deadline: Deadline): Promise<number> {
  const quota = ['--service-code', service, '--quota-code', code];
  const read = await askAws(
    ['service-quotas', 'get-service-quota', ...quota, '--query', 'Quota.Value'],
    'servicequotas:GetServiceQuota',
    { region, deadline },
  );
  if (typeof read !== 'number') throw new Error('no quota was returned');
  return read;
}

function requestOf({ service, code }: Quota, value: number, region: string): string {
  return `aws service-quotas request-service-quota-increase --service-code ${service} --quota-code ${code} --desired-value ${value} --region ${region}`;
}

/**
 * What the AWS CLI returns, which docs/deploy.md asks for: it knows the services for which the SDK would be one package each. An error has
 * AWS's name of it, as the SDK's have.
 */
async function askAws(
  args: readonly string[],
  action: string,
  { region, deadline }: { readonly region: string; readonly deadline: Deadline },
): Promise<unknown> {
  const all = [...args, '--region', region, '--output', 'json', '--no-cli-pager'];
  try {
    const { stdout } = await promisify(execFile)('aws', all, { signal: deadline.abortSignal });
    return JSON.parse(stdout);
  } catch (error) {
    throw Object.assign(asSdkError(error as CliError), { action });
  }
}

interface CliError extends Error {
  readonly code?: string | number;
  readonly stderr?: string;
}

function asSdkError(error: CliError): Error {
  if (error.name === 'AbortError') return error;
  const [, name] = /An error occurred \((\w+)\)/.exec(error.stderr ?? '') ?? [];
  const reason = error.code === 'ENOENT' ? 'the AWS CLI is not installed' : 'the AWS CLI failed: is it up to date?';
  return Object.assign(new Error(reason), name !== undefined && { name });
}
