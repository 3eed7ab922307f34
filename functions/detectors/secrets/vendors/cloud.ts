import type { VendorToken } from '../vendor-token.ts';

/** Keys of clouds, hosts, databases and of what keeps secrets itself. */
export const CLOUD_TOKENS: readonly VendorToken[] = [
  {
    thing: 'aws-access-key',
    vendor: 'AWS access key id',
    patterns: ['\\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\\b'],
    severity: 'critical',
  },
  {
    thing: 'aws-bedrock-key',
    vendor: 'Amazon Bedrock key',
    patterns: ['\\bABSK[A-Za-z0-9+/]{109,}={0,2}', '\\bbedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t[A-Za-z0-9+/=]*'],
    severity: 'critical',
  },
  {
    thing: 'azure-storage-key',
    vendor: 'Azure storage key',
    patterns: ['AccountKey=[A-Za-z0-9+/]{86}=='],
    minEntropy: 4,
    severity: 'critical',
  },
  {
    thing: 'azure-client-secret',
    vendor: 'Azure client secret',
    // What stands before it is no part of the pattern: every space of an answer would wait for what follows it.
    patterns: ['(?:\\b[A-Za-z0-9_]|\\B[~.])[A-Za-z0-9_~.]{2}\\dQ~[A-Za-z0-9_~.-]{31,34}'],
    notAfter: '~.-',
    minEntropy: 4,
    severity: 'critical',
  },
  { thing: 'google-api-key', vendor: 'Google API key', patterns: ['\\bAIza[A-Za-z0-9_-]{35}'], minEntropy: 4 },
  { thing: 'google-oauth-secret', vendor: 'Google OAuth client secret', patterns: ['\\bGOCSPX-[A-Za-z0-9_-]{28}'] },
  { thing: 'google-oauth-token', vendor: 'Google OAuth token', patterns: ['\\bya29\\.[A-Za-z0-9_-]{40,}'] },
  { thing: 'alibaba-key', vendor: 'Alibaba Cloud key id', patterns: ['\\bLTAI[A-Za-z0-9]{17,21}\\b'], score: 0.85 },
  { thing: 'tencent-key', vendor: 'Tencent Cloud key id', patterns: ['\\bAKID[A-Za-z0-9]{32}\\b'], minEntropy: 3.5 },
  {
    thing: 'yandex-token',
    vendor: 'Yandex token',
    patterns: [
      '\\bAQVN[A-Za-z0-9_-]{35,38}',
      '\\bt1\\.[A-Za-z0-9_-]+={0,2}\\.[A-Za-z0-9_-]{86}={0,2}',
      '\\bYC[A-Za-z0-9_-]{38}\\b',
    ],
    minEntropy: 4.2,
  },
  {
    thing: 'cloudflare-origin-key',
    vendor: 'Cloudflare origin key',
    patterns: ['\\bv1\\.0-[0-9a-f]{24}-[0-9a-f]{146}\\b'],
  },
  { thing: 'digitalocean-token', vendor: 'DigitalOcean token', patterns: ['\\bdo[opr]_v1_[0-9a-f]{64}\\b'] },
  { thing: 'heroku-key', vendor: 'Heroku key', patterns: ['\\bHRKU-AA[A-Za-z0-9_-]{58}'] },
  {
    thing: 'fly-token',
    vendor: 'Fly.io token',
    patterns: ['\\bfo1_[A-Za-z0-9_-]{43}', '\\bfm[12][ar]?_[A-Za-z0-9+/]{100,}={0,3}'],
    minEntropy: 3.8,
  },
  { thing: 'netlify-token', vendor: 'Netlify token', patterns: ['\\bnf[pucboa]_[A-Za-z0-9]{36,40}\\b'] },
  { thing: 'scalingo-token', vendor: 'Scalingo token', patterns: ['\\btk-us-[A-Za-z0-9_-]{48}'] },
  { thing: 'databricks-token', vendor: 'Databricks token', patterns: ['\\bdapi[0-9a-fA-F]{32}(?:-[0-9])?\\b'] },
  { thing: 'clickhouse-key', vendor: 'ClickHouse Cloud key', patterns: ['\\b4b1d[A-Za-z0-9]{38}\\b'], minEntropy: 3.5 },
  {
    thing: 'planetscale-token',
    vendor: 'PlanetScale token',
    patterns: ['\\bpscale_(?:tkn|pw|oauth)_[A-Za-z0-9=._-]{32,}'],
  },
  {
    thing: 'supabase-key',
    vendor: 'Supabase key',
    patterns: ['\\bsbp_[0-9a-f]{40}\\b', '\\bsb_secret_[A-Za-z0-9_-]{30,}'],
  },
  { thing: 'vault-token', vendor: 'HashiCorp Vault token', patterns: ['\\bhv[sbr]\\.[A-Za-z0-9_-]{24,}'] },
  {
    thing: 'terraform-token',
    vendor: 'Terraform Cloud token',
    patterns: ['\\b[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_=-]{60,70}'],
  },
  { thing: 'pulumi-token', vendor: 'Pulumi token', patterns: ['\\bpul-[0-9a-f]{40}\\b'] },
  { thing: 'openshift-token', vendor: 'OpenShift token', patterns: ['\\bsha256~[A-Za-z0-9_-]{43}'], minEntropy: 3.8 },
  {
    thing: 'doppler-token',
    vendor: 'Doppler token',
    patterns: ['\\bdp\\.(?:pt|st|ct|sa|scim|audit)\\.[A-Za-z0-9]{40,}'],
  },
  {
    thing: 'onepassword-token',
    vendor: '1Password secret',
    patterns: [
      '\\bops_eyJ[A-Za-z0-9+/]{120,}={0,3}',
      '\\bA3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}\\b',
    ],
    minEntropy: 3.6,
    severity: 'critical',
  },
  {
    thing: 'tailscale-key',
    vendor: 'Tailscale key',
    patterns: ['\\btskey-(?:api|auth|client|scim|webhook)-[A-Za-z0-9]{8,20}-[A-Za-z0-9]{20,40}'],
    minEntropy: 2.4,
  },
  {
    thing: 'defined-token',
    vendor: 'Defined Networking token',
    patterns: ['\\bdnkey-[a-z0-9=_-]{26}-[a-z0-9=_-]{52}'],
  },
  {
    thing: 'age-secret-key',
    vendor: 'age secret key',
    patterns: ['AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}'],
  },
];
