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
    reason: "CloudFront's own domain has no choice of TLS versions; a domain has TLSv1.2_2021 or newer",
  },
  { check: 'CKV_AWS_258', reason: 'the functions check the key themselves: OpenAI clients cannot sign for IAM' },
];
