import { DescribeKeyCommand, GetKeyPolicyCommand, KMSClient } from '@aws-sdk/client-kms';
import { GetBucketOwnershipControlsCommand, S3Client } from '@aws-sdk/client-s3';
import { GetWebIdentityTokenCommand, STSClient } from '@aws-sdk/client-sts';
import * as z from 'zod';
import { servicesOf } from '../../lib/constructs/encryption.ts';
import { distributionOf, READ_TIMEOUT_SECONDS, readTimeoutOf } from '../../lib/settings/settings.ts';
import { type Check, findUnless, type Target } from './check.ts';
import { domainsOf } from './domain-checks.ts';

/** Checks of the key and the bucket that the settings name, and of what federation needs. */
export function resourceChecks(target: Target): readonly Check[] {
  const { encryptionKeyArn, federationAudiences: [audience] = [] } = target.settings;
  const bucket = distributionOf(target.settings)?.logBucket;
  return [
    ...(encryptionKeyArn === undefined
      ? []
      : [keyCheck(target, encryptionKeyArn), keyPolicyCheck(target, encryptionKeyArn)]),
    ...(bucket === undefined ? [] : [bucketCheck(target, bucket)]),
    ...(audience === undefined ? [] : [federationCheck(target, audience)]),
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
    ['fargate.certificateArn', settings.fargate?.certificateArn, region, true],
    ['alarmTopicArn', settings.alarmTopicArn, region, false],
    ['alarmTicketTopicArn', settings.alarmTicketTopicArn, region, false],
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

/** Settings that need a raised quota, which no call here reads. */
export function quotaWarnings({ settings }: Target): readonly string[] {
  const seconds = readTimeoutOf(settings) ?? 0;
  if (seconds <= READ_TIMEOUT_SECONDS) return [];
  const need = `CloudFront takes more than ${READ_TIMEOUT_SECONDS} only with a raised quota ("Response timeout per origin").`;
  return [`distribution.readTimeoutSeconds is ${seconds}: ${need} Not checked: whether it is raised.`];
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

/** AWS's services that use the key themselves do so by its policy, which the deployment cannot change. */
function keyPolicyCheck({ clientIn, region, settings }: Target, arn: string): Check {
  return {
    what: 'the policy of encryptionKeyArn',
    action: 'kms:GetKeyPolicy',
    run: async (deadline) => {
      const kms = new KMSClient(clientIn(region));
      // keyCheck reports a missing key.
      const policy = await findUnless('NotFoundException', async () => {
        const { Policy = '{}' } = await kms.send(new GetKeyPolicyCommand({ KeyId: arn }), deadline);
        return keyPolicySchema.parse(JSON.parse(Policy));
      });
      if (policy === undefined) return {};
      const missing = Object.entries(servicesOf(settings, region)).filter(([service]) => !allows(policy, service));
      if (missing.length === 0) return {};
      const named = missing.map(([service, what]) => `${service} (${what})`).join(', ');
      return {
        faults: [
          `The policy of encryptionKeyArn does not allow kms:Decrypt and kms:GenerateDataKey* to ${named}: add the statements of docs/security.md#a-kms-key-of-yours.`,
        ],
      };
    },
  };
}

const oneOrMore = z.union([z.string(), z.array(z.string())]).transform((value) => [value].flat());
const keyPolicySchema = z.object({
  Statement: z.array(
    z.object({
      Effect: z.string(),
      Principal: z.union([z.string(), z.object({ Service: oneOrMore.optional() })]).optional(),
      Action: oneOrMore.optional(),
    }),
  ),
});

/** Whether statements name the service with what each needs. Their conditions are not evaluated. */
function allows({ Statement }: z.output<typeof keyPolicySchema>, service: string): boolean {
  const actions = Statement.flatMap(({ Effect, Principal, Action = [] }) => {
    const services = typeof Principal === 'object' ? Principal.Service : undefined;
    return Effect === 'Allow' && services?.includes(service) ? Action : [];
  });
  return ['kms:Decrypt', 'kms:GenerateDataKey'].every((needed) =>
    actions.some((action) => needed === action || (action.endsWith('*') && needed.startsWith(action.slice(0, -1)))),
  );
}

/** CloudFront writes access logs by an ACL. */
function bucketCheck({ clientIn, region }: Target, bucket: string): Check {
  return {
    what: 'distribution.logBucket',
    action: 's3:GetBucketOwnershipControls',
    run: async (deadline) => {
      // The bucket may be in any region.
      const s3 = new S3Client({ ...clientIn(region), followRegionRedirects: true });
      const command = new GetBucketOwnershipControlsCommand({ Bucket: bucket });
      const missing = { faults: [`distribution.logBucket, ${bucket}, does not exist. List buckets: aws s3 ls`] };
      try {
        const { OwnershipControls } = await s3.send(command, deadline);
        if (OwnershipControls?.Rules?.[0]?.ObjectOwnership !== 'BucketOwnerEnforced') return {};
      } catch (error) {
        const { name } = error as Error;
        if (name === 'NoSuchBucket') return missing;
        // An older bucket, which has ACLs.
        if (name === 'OwnershipControlsNotFoundError') return {};
        throw error;
      }
      return {
        faults: [
          `distribution.logBucket has no ACLs, by which CloudFront writes. Enable them: aws s3api put-bucket-ownership-controls --bucket ${bucket} --ownership-controls 'Rules=[{ObjectOwnership=BucketOwnerPreferred}]'`,
        ],
      };
    },
  };
}

/** Whether the account has identity tokens, by one for the shortest time, which is dropped. Only regional endpoints have them. */
function federationCheck({ clientIn, region, account }: Target, audience: string): Check {
  return {
    what: 'whether outbound identity federation is enabled, for federationAudiences',
    action: 'sts:GetWebIdentityToken',
    run: async (deadline) => {
      const sts = new STSClient({ ...clientIn(region), useGlobalEndpoint: false });
      const command = new GetWebIdentityTokenCommand({
        Audience: [audience],
        SigningAlgorithm: 'RS256',
        DurationSeconds: 60,
      });
      const made = await findUnless('OutboundWebIdentityFederationDisabledException', () =>
        sts.send(command, deadline),
      );
      if (made !== undefined) return {};
      return {
        faults: [
          `federationAudiences needs outbound identity federation, which account ${account} has not enabled. Run once: aws iam enable-outbound-web-identity-federation`,
        ],
      };
    },
  };
}
