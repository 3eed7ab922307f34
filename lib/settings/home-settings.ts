import * as z from 'zod';
import type { StageSetting } from '../../functions/adapters/env.ts';

/** An id of a resource in EC2, such as vpc-0a1b2c3d. */
export const idOf = (kind: string) =>
  z.string().regex(new RegExp(`^${kind}-[0-9a-f]{8,17}$`), `must be an id like ${kind}-0a1b2c3d`);
/** Of ACM. */
export const certificateArn = z
  .string()
  .regex(
    /^arn:aws(?:-[a-z]+)*:acm:[a-z0-9-]{1,20}:\d{12}:certificate\/[a-z0-9-]{1,64}$/,
    'must be the ARN of a certificate',
  );

export const hostName = z
  .string()
  .regex(
    /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/,
    'must be the name of a host, such as ai.example.com',
  );

/** https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-properties-lambda-webfunctionendpoint-throttleconfig.html */
const WEB_RATE_LIMITS = [
  0,
  ...Array.from({ length: 10 }, (_, at) => 100 * (at + 1)),
  ...Array.from({ length: 9 }, (_, at) => 1_000 * (at + 2)),
];

/** Settings of the homes of the gateway other than the function: Lambda Web Function and containers on Fargate. */
export const HOME_SETTINGS = {
  maxEnvironments: {
    inStage: () => z.int().min(2).max(100_000),
    path: 'webFunction.maxEnvironments',
    default: "the account's quota",
    example: 50,
    description: 'Most environments of the Web Function',
  },
  requestsPerEnvironment: {
    inStage: () => z.int().min(1).max(128),
    path: 'webFunction.requestsPerEnvironment',
    default: "Lambda's, 64",
    example: 64,
    description: 'Most requests that run at once in an environment',
  },
  webRateLimit: {
    inStage: () => z.literal(WEB_RATE_LIMITS, 'must be 0, a hundred up to 1,000, or a thousand up to 10,000'),
    path: 'webFunction.rateLimit',
    default: "the account's quota",
    unit: 'requests a second',
    example: 1_000,
    description: 'Most requests a second of the Web Function; 0 refuses all. Regions may offer fewer values',
  },
  keepRevisions: {
    inStage: () => z.boolean(),
    path: 'webFunction.keepRevisions',
    default: 'false',
    example: true,
    description:
      'Keeps earlier revisions of the Web Function, so that [traffic can go back to one](../reference/homes.md#many-requests-per-environment)',
  },
  earlierRevisionId: {
    inStage: () => z.string().regex(/^[\w-]{1,256}$/, 'must be the id of a revision'),
    path: 'webFunction.earlierRevision.id',
    isRequired: true,
    default: 'none',
    example: 'rev-0a1b2c3d',
    description: 'An earlier revision that gets a part of the traffic: the output `RevisionId` of its deployment',
  },
  earlierRevisionPercent: {
    inStage: () => z.int().min(1).max(100),
    path: 'webFunction.earlierRevision.percent',
    isRequired: true,
    unit: '%',
    example: 90,
    description: 'Its part; the new revision gets the rest',
  },
  taskCpu: {
    inStage: () => z.literal([1_024, 2_048, 4_096]),
    path: 'fargate.cpu',
    default: 1_024,
    unit: 'CPU units',
    example: 1_024,
    description:
      'Of a container; 1,024 are one vCPU. The gateway computes in one thread and inspects documents in a second one',
  },
  taskMemoryMb: {
    inStage: () => z.literal([2_048, 3_072, 4_096, 8_192]),
    path: 'fargate.memoryMb',
    default: 2_048,
    unit: 'MB',
    example: 2_048,
    description: 'Of a container. With 4,096 CPU units at least 8,192',
  },
  minTasks: {
    inStage: () => z.int().min(1).max(1_000),
    path: 'fargate.minTasks',
    default: 2,
    example: 2,
    description: 'Fewest containers. With 2 or more both zones have one',
  },
  maxTasks: {
    inStage: () => z.int().min(1).max(1_000),
    path: 'fargate.maxTasks',
    default: 10,
    example: 20,
    description: 'Most containers',
  },
  runningPerTask: {
    inStage: () => z.int().min(1).max(10_000),
    path: 'fargate.runningPerTask',
    default: 200,
    unit: 'requests',
    example: 200,
    description:
      'Running requests, streams included, of a container: above it containers are added, as above 60 % of CPU',
  },
  balancerCertificateArn: {
    inStage: () => certificateArn,
    path: 'fargate.certificateArn',
    default: 'none',
    example: 'arn:aws:acm:eu-central-1:123456789012:certificate/1234abcd-12ab',
    description:
      "A certificate of the stage's region for the load balancer. Needed without the distribution: clients then call the load balancer, by a name of yours",
  },
  balancerDomainName: {
    inStage: () => hostName,
    path: 'fargate.domainName',
    default: 'none',
    example: 'ai.example.com',
    description:
      'That name, which the certificate has to have. Its DNS record, which you create, has the output `LoadBalancerHost` as its target',
  },
  originPrefixListId: {
    inStage: () => idOf('pl'),
    path: 'fargate.originPrefixListId',
    default: 'none',
    example: 'pl-0a1b2c3d',
    description:
      "CloudFront's [managed prefix list](../reference/homes.md#containers-on-fargate) of the region: the only addresses that the internal load balancer then accepts",
  },
} as const satisfies Readonly<Record<string, StageSetting>>;
