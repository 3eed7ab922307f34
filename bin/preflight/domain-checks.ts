import { ACMClient, DescribeCertificateCommand } from '@aws-sdk/client-acm';
import { CloudFormationClient, DescribeStackResourcesCommand } from '@aws-sdk/client-cloudformation';
import { CloudFrontClient, type DistributionSummary, paginateListDistributions } from '@aws-sdk/client-cloudfront';
import { GetHostedZoneCommand, ListResourceRecordSetsCommand, Route53Client } from '@aws-sdk/client-route-53';
import { restApiOf, zoneOf } from '../../lib/settings/settings.ts';
import { stackNamesOf } from '../../lib/settings/stack-names.ts';
import { EDGE_REGION } from '../../lib/stacks/edge-stack.ts';
import { isMissingStack, isNewStage } from './account-checks.ts';
import { type Check, type Deadline, findUnless, type Target } from './check.ts';

/** Checks of the custom domains: certificates, zones, records and aliases. */
export function domainChecks(target: Target): readonly Check[] {
  const { domain } = target.settings;
  return [
    ...domainsOf(target).flatMap((named) => [
      ...(named.certificateArn === undefined ? [] : [certificateCheck(target, named, named.certificateArn)]),
      ...(zoneOf(named) === undefined ? [] : [zoneCheck(target, named), recordCheck(target, named)]),
    ]),
    ...(domain === undefined ? [] : [aliasCheck(target, domain.name)]),
    ...balancerChecks(target),
  ];
}

/** The load balancer of containers has a certificate, but its name is created elsewhere. */
function balancerChecks(target: Target): readonly Check[] {
  const { settings, region } = target;
  const arn = settings.compute === 'fargate' ? settings.fargate?.certificateArn : undefined;
  return arn === undefined ? [] : [certificateCheck(target, { path: 'fargate', region }, arn)];
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
export function domainsOf({ settings, region }: Target): readonly NamedDomain[] {
  const { domain } = settings;
  const api = restApiOf(settings)?.domain;
  return [
    ...(domain === undefined ? [] : [{ ...domain, path: 'domain', region: EDGE_REGION }]),
    ...(api === undefined ? [] : [{ ...api, path: 'restApi.domain', region }]),
  ];
}

function certificateCheck(
  { clientIn }: Target,
  { path, name, region }: Pick<NamedDomain, 'path' | 'region'> & { readonly name?: string },
  arn: string,
): Check {
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
      if (name === undefined) return {};
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

/** A new stage creates the records of its domain, and Route 53 refuses those that exist. */
function recordCheck(target: Target, { path, name, hostedZoneId }: NamedDomain): Check {
  return {
    what: `the records of ${path}.name`,
    action: 'route53:ListResourceRecordSets',
    run: async (deadline) => {
      // The records of an existing stage may be its own.
      if (!(await isNewStage(target, deadline))) return {};
      const route53 = new Route53Client(target.clientIn(EDGE_REGION));
      const command = new ListResourceRecordSetsCommand({ HostedZoneId: hostedZoneId, StartRecordName: name });
      const { ResourceRecordSets = [] } = await route53.send(command, deadline);
      const found = ResourceRecordSets.find(
        ({ Name, Type = '' }) => Name === `${name}.` && ['A', 'AAAA', 'CNAME'].includes(Type),
      );
      if (found === undefined) return {};
      return {
        faults: [
          `${path}.name, ${name}, has a record of the type ${found.Type} in ${hostedZoneId} already. Delete it, or remove hostedZoneId and zoneName: aws route53 list-resource-record-sets --hosted-zone-id ${hostedZoneId} --start-record-name ${name}`,
        ],
      };
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
  const command = new DescribeStackResourcesCommand({ StackName: stackNamesOf(settings, region).gateway });
  try {
    const { StackResources = [] } = await cloudFormation.send(command, deadline);
    return StackResources.some(({ PhysicalResourceId }) => PhysicalResourceId === Id);
  } catch (error) {
    if (isMissingStack(error)) return false;
    throw error;
  }
}
