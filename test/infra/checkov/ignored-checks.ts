export interface IgnoredCheck {
  readonly check: string;
  readonly reason: string;
}

/** Findings of checkov that are no faults. One that no template has any more fails the run. */
export const IGNORED_CHECKS: readonly IgnoredCheck[] = [
  {
    check: 'CKV_AWS_18',
    reason: "buckets' access logs would need another bucket: CloudTrail records access where an operator enables it",
  },
  {
    check: 'CKV_AWS_21',
    reason: 'files of the dashboard come from a build, and exported records from tables: both can be written again',
  },
  {
    check: 'CKV_AWS_27',
    reason: 'the setting encryptionKeyArn; queues are encrypted under SQS-managed keys without it',
  },
  { check: 'CKV_AWS_68', reason: 'the setting waf, which is billed by the request' },
  { check: 'CKV_AWS_86', reason: 'the setting distribution.logBucket: access logs hold client addresses' },
  {
    check: 'CKV_AWS_115',
    reason: 'a reserved concurrency is also the most: docs/deploy.md says which functions have one',
  },
  {
    check: 'CKV_AWS_116',
    reason:
      'the functions are invoked synchronously, or by streams, queues and schedules with failure queues or alarms',
  },
  { check: 'CKV_AWS_117', reason: 'the setting vpc' },
  { check: 'CKV_AWS_149', reason: "the setting encryptionKeyArn; secrets are encrypted under AWS's key without it" },
  { check: 'CKV_AWS_158', reason: "the setting encryptionKeyArn; logs are encrypted under AWS's key without it" },
  {
    check: 'CKV_AWS_173',
    reason: "the setting encryptionKeyArn; variables hold names and ARNs, and are encrypted under AWS's key without it",
  },
  {
    check: 'CKV_AWS_174',
    reason: "CloudFront's own domain has no choice of TLS versions; a domain has TLS 1.2 at least",
  },
  { check: 'CKV_AWS_258', reason: 'the functions check the key themselves: OpenAI clients cannot sign for IAM' },
  { check: 'CKV_AWS_2', reason: 'the internal load balancer of containers: TLS ends at CloudFront' },
  {
    check: 'CKV_AWS_59',
    reason: 'the functions check keys; `restApi.allowedAddresses`, `vpcEndpointIds` and `waf` limit who connects',
  },
  { check: 'CKV_AWS_73', reason: 'the setting tracing: X-Ray is billed by the trace' },
  { check: 'CKV_AWS_76', reason: 'the setting restApi.accessLogs; the service records each request' },
  {
    check: 'CKV_AWS_91',
    reason: 'the service records each request; access logs of the load balancer would need a bucket',
  },
  { check: 'CKV_AWS_103', reason: 'the internal load balancer of containers: TLS ends at CloudFront' },
  { check: 'CKV_AWS_120', reason: 'responses of models may not be cached by API Gateway' },
  {
    check: 'CKV_AWS_260',
    reason: 'the load balancer is internal; the setting fargate.originPrefixListId limits it to CloudFront',
  },
];
