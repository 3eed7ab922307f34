import { ACMClient, DescribeCertificateCommand } from '@aws-sdk/client-acm';
import { CloudFormationClient, DescribeStackResourcesCommand } from '@aws-sdk/client-cloudformation';
import { CloudFrontClient, type DistributionSummary, paginateListDistributions } from '@aws-sdk/client-cloudfront';
import { DescribeKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { GetHostedZoneCommand, Route53Client } from '@aws-sdk/client-route-53';
import { distributionOf, restApiOf, zoneOf } from '../../lib/settings/settings.ts';
import { EDGE_REGION } from '../../lib/stacks/edge-stack.ts';
import { isMissingStack, stackNamesOf } from './account-checks.ts';
import type { Check, Deadline, Target } from './check.ts';

/** Checks of the resources that the settings name. */
export function resourceChecks(target: Target): readonly Check[] {
  const { settings } = target;
  return [
    ...domainsOf(target).flatMap((domain) => [
      ...(domain.certificateArn === undefined ? [] : [certificateCheck(target, domain, domain.certificateArn)]),
      ...(zoneOf(domain) === undefined ? [] : [zoneCheck(target, domain)]),
    ]),
    ...(settings.encryptionKeyArn === undefined ? [] : [keyCheck(target, settings.encryptionKeyArn)]),
    ...(distributionOf(settings) === undefined || settings.domain === undefined
      ? []
      : [aliasCheck(target, settings.domain.name)]),
  ];
}

interface NamedDomain {
  /** The setting's path. */
  readonly path: string;
  readonly name: string;
  /** The region of its certificate. */
  readonly region: string;
  readonly certificateArn?: string | undefined;
  readonly hostedZoneId?: string | undefined;
  readonly zoneName?: string | undefined;
}

/** The custom domains of a stage. */
function domainsOf({ settings, region }: Target): readonly NamedDomain[] {
  const { domain } = settings;
  const api = restApiOf(settings)?.domain;
  return [
    ...(domain === undefined ? [] : [{ ...domain, path: 'domain', region: EDGE_REGION }]),
    ...(api === undefined ? [] : [{ ...api, path: 'restApi.domain', region }]),
  ];
}

/** Resources of another region or account, and a distribution where there can be none: these need no call. */
export function arnFaults(target: Target): readonly string[] {
  const { settings, account, region, partition } = target;
  const { findings } = settings;
  const stream = findings !== undefined && 'firehose' in findings ? findings.firehose.streamArn : undefined;
  // Alarms may go to a topic of another account.
  const named: readonly (readonly [path: string, arn: string | undefined, region: string, isOurs: boolean])[] = [
    ...domainsOf(target).map(
      (domain) => [`${domain.path}.certificateArn`, domain.certificateArn, domain.region, true] as const,
    ),
    ['encryptionKeyArn', settings.encryptionKeyArn, region, true],
    ['alarmTopicArn', settings.alarmTopicArn, region, false],
    ['findings.firehose.streamArn', stream, region, true],
  ];
  const faults = named.flatMap(([path, arn = '', place, isOurs]) => {
    const [, , , arnRegion, arnAccount] = arn.split(':');
    if (arnRegion !== undefined && arnRegion !== place)
      return [`${path} is in ${arnRegion}, but must be in ${place}: correct it in cdk.json.`];
    if (isOurs && arnAccount !== undefined && arnAccount !== account)
      return [`${path} is of account ${arnAccount}, but must be of ${account}: correct it in cdk.json.`];
    return [];
  });
  if (partition !== 'aws' && distributionOf(settings) !== undefined)
    faults.push(
      `The distribution is not supported in the partition ${partition}: set "distribution": false in cdk.json.`,
    );
  return faults;
}

function certificateCheck({ clientIn }: Target, { path, name, region }: NamedDomain, arn: string): Check {
  const show = `aws acm describe-certificate --certificate-arn ${arn} --region ${region}`;
  return {
    what: `${path}.certificateArn`,
    action: 'acm:DescribeCertificate',
    run: async (deadline) => {
      const acm = new ACMClient(clientIn(region));
      const certificate = await findUnless('ResourceNotFoundException', async () => {
        const { Certificate } = await acm.send(new DescribeCertificateCommand({ CertificateArn: arn }), deadline);
        return Certificate;
      });
      if (certificate === undefined)
        return {
          faults: [
            `${path}.certificateArn does not exist. List certificates: aws acm list-certificates --region ${region}`,
          ],
        };
      const { Status, DomainName = '', SubjectAlternativeNames = [] } = certificate;
      if (Status !== 'ISSUED') return { faults: [`${path}.certificateArn is ${Status}, not ISSUED. See why: ${show}`] };
      const isCovered = [DomainName, ...SubjectAlternativeNames].some((covered) => covers(covered, name));
      return isCovered ? {} : { faults: [`${path}.certificateArn is not valid for ${name}. List its names: ${show}`] };
    },
  };
}

/** `*` replaces one label. */
function covers(pattern: string, name: string): boolean {
  return pattern === name || (pattern.startsWith('*.') && name.slice(name.indexOf('.')) === pattern.slice(1));
}

function zoneCheck({ clientIn }: Target, { path, name, hostedZoneId, zoneName }: NamedDomain): Check {
  return {
    what: `${path}.hostedZoneId`,
    action: 'route53:GetHostedZone',
    run: async (deadline) => {
      const route53 = new Route53Client(clientIn(EDGE_REGION));
      const zone = await findUnless('NoSuchHostedZone', async () => {
        const { HostedZone } = await route53.send(new GetHostedZoneCommand({ Id: hostedZoneId }), deadline);
        return HostedZone;
      });
      const list = 'List zones: aws route53 list-hosted-zones';
      if (zone === undefined) return { faults: [`${path}.hostedZoneId, ${hostedZoneId}, does not exist. ${list}`] };
      if (zone.Name !== `${zoneName}.`)
        return { faults: [`${path}.hostedZoneId is the zone ${zone.Name}, not of zoneName, ${zoneName}. ${list}`] };
      if (zone.Config?.PrivateZone === true)
        return { faults: [`${path}.hostedZoneId is a private zone, which clients cannot read. ${list}`] };
      if (name !== zoneName && !name.endsWith(`.${zoneName}`))
        return { faults: [`${path}.name, ${name}, is not in the zone ${zoneName}. ${list}`] };
      return {};
    },
  };
}

function keyCheck({ clientIn, region }: Target, arn: string): Check {
  return {
    what: 'encryptionKeyArn',
    action: 'kms:DescribeKey',
    run: async (deadline) => {
      const kms = new KMSClient(clientIn(region));
      const key = await findUnless('NotFoundException', async () => {
        const { KeyMetadata } = await kms.send(new DescribeKeyCommand({ KeyId: arn }), deadline);
        return KeyMetadata;
      });
      if (key === undefined)
        return { faults: [`encryptionKeyArn does not exist. List keys: aws kms list-keys --region ${region}`] };
      if (key.KeyState === 'PendingDeletion')
        return {
          faults: [
            `encryptionKeyArn will be deleted. Keep it: aws kms cancel-key-deletion --key-id ${arn} --region ${region}`,
          ],
        };
      if (key.Enabled !== true)
        return {
          faults: [
            `encryptionKeyArn is ${key.KeyState}. Enable it: aws kms enable-key --key-id ${arn} --region ${region}`,
          ],
        };
      if (key.KeySpec !== 'SYMMETRIC_DEFAULT')
        return {
          faults: [`encryptionKeyArn is a key of the kind ${key.KeySpec}: name a symmetric key (docs/security.md).`],
        };
      return {};
    },
  };
}

/** CloudFront allows a domain name on one distribution. Those of other accounts are not visible. */
function aliasCheck(target: Target, name: string): Check {
  return {
    what: 'whether another distribution has domain.name',
    action: 'cloudfront:ListDistributions',
    run: async (deadline) => {
      const found = await findDistribution(target, name, deadline);
      if (found === undefined || (await isOwn(target, found, deadline))) return {};
      return {
        faults: [
          `domain.name, ${name}, is on the distribution ${found.Id} already. Remove it there, or choose another: aws cloudfront get-distribution --id ${found.Id}`,
        ],
      };
    },
  };
}

async function findDistribution(
  { clientIn }: Target,
  name: string,
  { abortSignal }: Deadline,
): Promise<DistributionSummary | undefined> {
  const client = new CloudFrontClient(clientIn(EDGE_REGION));
  for await (const { DistributionList } of paginateListDistributions({ client }, {}, { abortSignal })) {
    const found = DistributionList?.Items?.find(({ Aliases }) => Aliases?.Items?.includes(name));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether the distribution is the stage's. */
async function isOwn({ clientIn, region, settings }: Target, { Id }: DistributionSummary, deadline: Deadline) {
  const cloudFormation = new CloudFormationClient(clientIn(region));
  const command = new DescribeStackResourcesCommand({ StackName: stackNamesOf(settings.stage).gateway });
  try {
    const { StackResources = [] } = await cloudFormation.send(command, deadline);
    return StackResources.some(({ PhysicalResourceId }) => PhysicalResourceId === Id);
  } catch (error) {
    if (isMissingStack(error)) return false;
    throw error;
  }
}

/** The result; undefined if AWS reports that the resource does not exist. */
async function findUnless<Resource>(missing: string, find: () => Promise<Resource>): Promise<Resource | undefined> {
  try {
    return await find();
  } catch (error) {
    if ((error as Error).name === missing) return undefined;
    throw error;
  }
}
