/** A token format with a prefix of its own, so that the pattern alone says whose it is. */
export interface VendorToken {
  /** The rule's id without its family. */
  readonly thing: string;
  readonly vendor: string;
  readonly patterns: readonly string[];
  /** Bits a character that a real one has at least; by default what random hexadecimal digits have. */
  readonly minEntropy?: number;
  readonly score?: number;
  readonly severity?: 'medium' | 'high' | 'critical';
}

/** Formats as the vendors document them, or as secret scanners (gitleaks, secretlint) agree on them. */
export const VENDOR_TOKENS: readonly VendorToken[] = [
  {
    thing: 'aws-access-key',
    vendor: 'AWS access key id',
    patterns: ['\\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\\b'],
    severity: 'critical',
  },
  {
    thing: 'github-fine-grained-token',
    vendor: 'GitHub fine-grained token',
    patterns: ['\\bgithub_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}\\b'],
    severity: 'critical',
  },
  {
    thing: 'gitlab-token',
    vendor: 'GitLab token',
    patterns: ['\\bgl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|oas)-[A-Za-z0-9_-]{20,}'],
  },
  {
    thing: 'openai-key',
    vendor: 'OpenAI key',
    patterns: [
      '\\bsk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{40,}',
      '\\bsk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}\\b',
      '\\bsk-[A-Za-z0-9]{48}\\b',
    ],
    minEntropy: 3.8,
    severity: 'critical',
  },
  {
    thing: 'anthropic-key',
    vendor: 'Anthropic key',
    patterns: ['\\bsk-ant-(?:api|admin|oat|ort|sid)[0-9]{2}-[A-Za-z0-9_-]{60,}'],
    minEntropy: 3.8,
    severity: 'critical',
  },
  { thing: 'openrouter-key', vendor: 'OpenRouter key', patterns: ['\\bsk-or-v1-[0-9a-f]{64}\\b'] },
  {
    thing: 'slack-token',
    vendor: 'Slack token',
    patterns: [
      '\\bxox[abeoprs]-[0-9A-Za-z]{1,12}-?[0-9A-Za-z-]{16,}',
      '\\bxapp-[0-9]-[A-Z0-9]{8,}-[0-9]{8,}-[0-9a-f]{32,}',
    ],
    minEntropy: 2.8,
  },
  {
    thing: 'slack-webhook',
    vendor: 'Slack webhook address',
    patterns: ['hooks\\.slack\\.com/(?:services|workflows|triggers)/[A-Z0-9]{8,12}/[A-Z0-9]{8,14}/[A-Za-z0-9]{20,}'],
  },
  {
    thing: 'discord-webhook',
    vendor: 'Discord webhook address',
    patterns: ['discord(?:app)?\\.com/api/webhooks/[0-9]{17,20}/[A-Za-z0-9_-]{60,}'],
  },
  {
    thing: 'stripe-live-key',
    vendor: 'Stripe live key',
    patterns: ['\\b(?:sk|rk)_(?:live|prod)_[A-Za-z0-9]{16,}'],
    severity: 'critical',
  },
  {
    thing: 'stripe-test-key',
    vendor: 'Stripe test key',
    patterns: ['\\b(?:sk|rk)_test_[A-Za-z0-9]{16,}'],
    score: 0.7,
    severity: 'medium',
  },
  { thing: 'stripe-webhook-secret', vendor: 'Stripe webhook secret', patterns: ['\\bwhsec_[A-Za-z0-9+/]{32,}={0,2}'] },
  { thing: 'google-api-key', vendor: 'Google API key', patterns: ['\\bAIza[A-Za-z0-9_-]{35}'], minEntropy: 3.5 },
  { thing: 'google-oauth-secret', vendor: 'Google OAuth client secret', patterns: ['\\bGOCSPX-[A-Za-z0-9_-]{28}'] },
  { thing: 'google-oauth-token', vendor: 'Google OAuth token', patterns: ['\\bya29\\.[A-Za-z0-9_-]{40,}'] },
  {
    thing: 'pypi-token',
    vendor: 'PyPI token',
    patterns: ['\\bpypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{50,}', '\\bpypi-AgENdGVzdC5weXBpLm9yZw[A-Za-z0-9_-]{50,}'],
  },
  { thing: 'rubygems-key', vendor: 'RubyGems key', patterns: ['\\brubygems_[0-9a-f]{48}\\b'] },
  { thing: 'docker-token', vendor: 'Docker token', patterns: ['\\bdckr_(?:pat|oat)_[A-Za-z0-9_-]{27,32}'] },
  { thing: 'sendgrid-key', vendor: 'SendGrid key', patterns: ['\\bSG\\.[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{43}'] },
  { thing: 'mailchimp-key', vendor: 'Mailchimp key', patterns: ['\\b[0-9a-f]{32}-us[0-9]{1,2}\\b'], score: 0.8 },
  { thing: 'mailgun-key', vendor: 'Mailgun key', patterns: ['\\bkey-[0-9a-f]{32}\\b'], score: 0.8 },
  { thing: 'twilio-key', vendor: 'Twilio key', patterns: ['\\bSK[0-9a-f]{32}\\b'], score: 0.85 },
  {
    thing: 'huggingface-token',
    vendor: 'Hugging Face token',
    patterns: ['\\b(?:hf|api_org)_[A-Za-z]{34}\\b'],
    minEntropy: 3.5,
  },
  { thing: 'digitalocean-token', vendor: 'DigitalOcean token', patterns: ['\\bdo[opr]_v1_[0-9a-f]{64}\\b'] },
  { thing: 'shopify-token', vendor: 'Shopify token', patterns: ['\\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}\\b'] },
  { thing: 'databricks-token', vendor: 'Databricks token', patterns: ['\\bdapi[0-9a-f]{32}(?:-[0-9])?\\b'] },
  {
    thing: 'telegram-token',
    vendor: 'Telegram bot token',
    patterns: ['\\b[0-9]{8,10}:AA[A-Za-z0-9_-]{32,33}\\b'],
    minEntropy: 3.8,
  },
  {
    thing: 'azure-storage-key',
    vendor: 'Azure storage key',
    patterns: ['AccountKey=[A-Za-z0-9+/]{86}=='],
    minEntropy: 4,
    severity: 'critical',
  },
  {
    thing: 'atlassian-token',
    vendor: 'Atlassian token',
    patterns: ['\\bATATT3[A-Za-z0-9_=-]{100,}', '\\bATCTT3[A-Za-z0-9_=-]{100,}'],
  },
  { thing: 'linear-key', vendor: 'Linear key', patterns: ['\\blin_(?:api|oauth)_[A-Za-z0-9]{40,}'] },
  { thing: 'notion-token', vendor: 'Notion token', patterns: ['\\bntn_[0-9]{11}[A-Za-z0-9]{35}\\b'] },
  { thing: 'groq-key', vendor: 'Groq key', patterns: ['\\bgsk_[A-Za-z0-9]{52}\\b'] },
  { thing: 'xai-key', vendor: 'xAI key', patterns: ['\\bxai-[A-Za-z0-9]{70,}'] },
  { thing: 'perplexity-key', vendor: 'Perplexity key', patterns: ['\\bpplx-[A-Za-z0-9]{40,}'] },
  { thing: 'replicate-token', vendor: 'Replicate token', patterns: ['\\br8_[A-Za-z0-9]{37}\\b'] },
  { thing: 'vault-token', vendor: 'HashiCorp Vault token', patterns: ['\\bhv[sbr]\\.[A-Za-z0-9_-]{24,}'] },
  {
    thing: 'terraform-token',
    vendor: 'Terraform Cloud token',
    patterns: ['\\b[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_=-]{60,70}'],
  },
  {
    thing: 'doppler-token',
    vendor: 'Doppler token',
    patterns: ['\\bdp\\.(?:pt|st|ct|sa|scim|audit)\\.[A-Za-z0-9]{40,}'],
  },
  { thing: 'grafana-token', vendor: 'Grafana token', patterns: ['\\bgl(?:sa|c)_[A-Za-z0-9+/_]{32,}={0,2}'] },
  { thing: 'newrelic-key', vendor: 'New Relic key', patterns: ['\\bNRAK-[A-Z0-9]{27}\\b', '\\bNRII-[A-Za-z0-9-]{32}'] },
  { thing: 'postman-key', vendor: 'Postman key', patterns: ['\\bPMAK-[0-9a-f]{24}-[0-9a-f]{34}\\b'] },
  { thing: 'sentry-token', vendor: 'Sentry token', patterns: ['\\bsntry[su]_[A-Za-z0-9+/_=]{60,}'] },
  {
    thing: 'supabase-key',
    vendor: 'Supabase key',
    patterns: ['\\bsbp_[0-9a-f]{40}\\b', '\\bsb_secret_[A-Za-z0-9_-]{30,}'],
  },
  {
    thing: 'square-token',
    vendor: 'Square token',
    patterns: ['\\bsq0(?:atp|csp)-[A-Za-z0-9_-]{22,43}', '\\bEAAA[A-Za-z0-9_-]{60}\\b'],
  },
  { thing: 'airtable-token', vendor: 'Airtable token', patterns: ['\\bpat[A-Za-z0-9]{14}\\.[0-9a-f]{64}\\b'] },
  {
    thing: 'planetscale-token',
    vendor: 'PlanetScale token',
    patterns: ['\\bpscale_(?:tkn|pw|oauth)_[A-Za-z0-9=._-]{32,}'],
  },
  { thing: 'dynatrace-token', vendor: 'Dynatrace token', patterns: ['\\bdt0c01\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}'] },
  {
    thing: 'age-secret-key',
    vendor: 'age secret key',
    patterns: ['AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}'],
  },
];
