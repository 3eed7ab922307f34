/**
 * AWS's list prices in us-east-1, without free tiers and discounts, in dollars: those of DynamoDB since its change of November
 * 2024, the latest that we knew of on 2026-11-21. The pages fill their figures in by script, so that nothing checks these; look
 * them up before you count on them:
 * https://aws.amazon.com/dynamodb/pricing/on-demand/, https://aws.amazon.com/lambda/pricing/,
 * https://aws.amazon.com/cloudwatch/pricing/, https://aws.amazon.com/sqs/pricing/, https://aws.amazon.com/s3/pricing/,
 * https://aws.amazon.com/secrets-manager/pricing/, https://aws.amazon.com/kms/pricing/, https://aws.amazon.com/cloudfront/pricing/,
 * https://aws.amazon.com/api-gateway/pricing/, https://aws.amazon.com/waf/pricing/, https://aws.amazon.com/fargate/pricing/,
 * https://aws.amazon.com/elasticloadbalancing/pricing/, https://aws.amazon.com/vpc/pricing/, https://aws.amazon.com/privatelink/pricing/,
 * https://aws.amazon.com/rds/postgresql/pricing/, https://aws.amazon.com/elasticache/pricing/
 */
export const LIST_PRICES = {
  region: 'us-east-1',
  knownOn: '2026-11-21',
  /** DynamoDB on demand, standard table class. Lambda reads streams without charge. */
  writeUnit: 0.625e-6,
  readUnit: 0.125e-6,
  tableGbMonth: 0.25,
  pointInTimeRecoveryGbMonth: 0.2,
  /** Of what changed; 10 MB an export at least. */
  exportGb: 0.1,
  /** Lambda on arm64. */
  lambdaRequest: 0.2e-6,
  lambdaGbSecond: 13.3334e-6,
  logGb: 0.5,
  sqsRequest: 0.4e-6,
  s3GbMonth: 0.023,
  /** CloudWatch; an alarm for each metric that it looks at. */
  alarmMonth: 0.1,
  compositeAlarmMonth: 0.5,
  metricMonth: 0.3,
  dashboardMonth: 3,
  /** Contributor Insights: a rule of logs or of a DynamoDB table. */
  insightRuleMonth: 0.5,
  insightLogEvent: 0.02e-6,
  insightTableEvent: 0.03e-6,
  /** Logs Insights: of the log data that a query reads. */
  logQueryGb: 0.005,
  /** A run of a CloudWatch Synthetics canary. */
  canaryRun: 0.0012,
  secretMonth: 0.4,
  secretCall: 5e-6,
  /** A customer managed KMS key. */
  kmsKeyMonth: 1,
  /** CloudFront, United States and Europe. */
  distributionRequest: 1e-6,
  distributionGb: 0.085,
  restApiRequest: 3.5e-6,
  /** WAF: a list of rules, each of them, each request. */
  webAclMonth: 5,
  webAclRuleMonth: 1,
  webAclRequest: 0.6e-6,
  /** Fargate, Linux on ARM. */
  fargateCpuHour: 0.03238,
  fargateGbHour: 0.00356,
  /** An Application Load Balancer, and its capacity units. */
  balancerHour: 0.0225,
  balancerUnitHour: 0.008,
  publicAddressHour: 0.005,
  /** An interface endpoint in one zone, and what passes it. */
  interfaceEndpointHour: 0.01,
  interfaceEndpointGb: 0.01,
  /** RDS for PostgreSQL in one zone, and ElastiCache for Redis OSS: m7g, for each pair of vCPUs with 8 GB. */
  databasePairHour: 0.168,
  databaseGbMonth: 0.115,
  redisPairHour: 0.158,
} as const;

/** A gigabyte as AWS bills it. */
export const GB = 2 ** 30;

/** The note under a table of dollars. */
export const PRICES_NOTE = `List prices of ${LIST_PRICES.region} as known on ${LIST_PRICES.knownOn} (sources in \`bench/lib/list-prices.ts\`).`;
