import type { Rule, RuleExamples } from '../../matching/index.ts';
import { crossedOut, fill, seeded, type TokenTemplates, vendorExamples } from './example-tokens.ts';
import { type VendorToken, vendorRule } from './secret-rule.ts';

/** Keys of model providers and related tools. */
const AI_TOKENS: readonly VendorToken[] = [
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
    patterns: ['\\bsk-ant-(?:api|admin|oat|ort|sid)[0-9]{2}-[A-Za-z0-9_-]{78,}AA\\b'],
    minEntropy: 3.8,
    severity: 'critical',
  },
  { thing: 'openrouter-key', vendor: 'OpenRouter key', patterns: ['\\bsk-or-v1-[0-9a-f]{64}\\b'] },
  { thing: 'deepseek-key', vendor: 'DeepSeek key', patterns: ['\\bsk-[0-9a-f]{32}\\b'], score: 0.85 },
  {
    thing: 'huggingface-token',
    vendor: 'Hugging Face token',
    patterns: ['\\b(?:hf|api_org)_[A-Za-z]{34}\\b'],
    minEntropy: 3.5,
  },
  { thing: 'groq-key', vendor: 'Groq key', patterns: ['\\bgsk_[A-Za-z0-9]{52}\\b'] },
  { thing: 'xai-key', vendor: 'xAI key', patterns: ['\\bxai-[A-Za-z0-9]{70,}'] },
  { thing: 'perplexity-key', vendor: 'Perplexity key', patterns: ['\\bpplx-[A-Za-z0-9]{40,}'] },
  { thing: 'replicate-token', vendor: 'Replicate token', patterns: ['\\br8_[A-Za-z0-9]{37}\\b'] },
  { thing: 'nvidia-key', vendor: 'NVIDIA key', patterns: ['\\bnvapi-[A-Za-z0-9_-]{60,}'] },
  {
    thing: 'fireworks-key',
    vendor: 'Fireworks key',
    patterns: ['\\bfw_[A-Za-z0-9]{22,24}\\b'],
    minEntropy: 3.6,
    score: 0.8,
  },
  { thing: 'langsmith-key', vendor: 'LangSmith key', patterns: ['\\blsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}\\b'] },
  { thing: 'pinecone-key', vendor: 'Pinecone key', patterns: ['\\bpcsk_[A-Za-z0-9]{4,8}_[A-Za-z0-9]{50,}'] },
  {
    // Together, Cerebras, Tavily, Firecrawl, Langfuse, Weights & Biases, and sessions of OpenAI.
    thing: 'ai-service-key',
    vendor: 'key of an AI service',
    patterns: [
      '\\btgp_v1_[A-Za-z0-9_-]{40,}',
      '\\bcsk-[a-z0-9]{48}\\b',
      '\\btvly-(?:dev-|prod-)?[A-Za-z0-9]{30,}',
      '\\bfc-[0-9a-f]{32}\\b',
      '\\bsk-lf-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\\b',
      '\\bwandb_v1_[A-Za-z0-9_]{50,}',
      '\\bsess-[A-Za-z0-9]{40}\\b',
    ],
  },
  { thing: 'elevenlabs-key', vendor: 'ElevenLabs key', patterns: ['\\bsk_[0-9a-f]{48}\\b'] },
];

/** Keys of clouds, hosts, databases and secret stores. */
const CLOUD_TOKENS: readonly VendorToken[] = [
  {
    thing: 'aws-access-key',
    vendor: 'AWS access key id',
    patterns: ['\\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\\b'],
    severity: 'critical',
    // AWS's manuals.
    documented: /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{9}EXAMPLE\b/g,
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
    patterns: ['[Aa]cc(?:ount|ess)[Kk]ey=[A-Za-z0-9+/]{86}=='],
    minEntropy: 4,
    severity: 'critical',
  },
  {
    thing: 'azure-client-secret',
    vendor: 'Azure client secret',
    // The pattern excludes the text before it: otherwise every space of a response would wait for the next text.
    patterns: ['(?:\\b[A-Za-z0-9_]|\\B[~.])[A-Za-z0-9_~.]{2}\\dQ~[A-Za-z0-9_~.-]{31,34}'],
    notAfter: '~.-',
    minEntropy: 4,
    severity: 'critical',
  },
  { thing: 'google-api-key', vendor: 'Google API key', patterns: ['\\bAIza[A-Za-z0-9_-]{35}'], minEntropy: 4 },
  { thing: 'google-oauth-secret', vendor: 'Google OAuth client secret', patterns: ['\\bGOCSPX-[A-Za-z0-9_-]{28}'] },
  {
    thing: 'google-oauth-token',
    vendor: 'Google OAuth token',
    patterns: ['\\bya29\\.[A-Za-z0-9_-]{40,}', '\\b1//0[A-Za-z0-9_-]{40,}'],
  },
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
  {
    thing: 'heroku-key',
    vendor: 'Heroku key',
    patterns: ['\\bHRKU-AA[A-Za-z0-9_-]{58}', '\\bHRKU-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\\b'],
  },
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
    patterns: ['\\bdp\\.(?:pt|st|ct|sa|scim|audit)\\.(?:[a-z0-9_-]{2,35}\\.)?[A-Za-z0-9]{40,}'],
  },
  {
    thing: 'onepassword-token',
    vendor: '1Password secret',
    patterns: [
      '\\bops_eyJ[A-Za-z0-9+/]{250,}={0,3}',
      '\\bA3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}\\b',
    ],
    minEntropy: 3.6,
    severity: 'critical',
  },
  {
    thing: 'tailscale-key',
    vendor: 'Tailscale key',
    patterns: ['\\btskey-(?:[a-z]{3,9}-)?[A-Za-z0-9]{8,40}-[A-Za-z0-9]{10,40}'],
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

export const AI_AND_CLOUD_TOKEN_RULES: readonly Rule[] = [...AI_TOKENS, ...CLOUD_TOKENS].map(vendorRule);

/** The forms of each vendor's tokens. */
export const AI_AND_CLOUD_TOKEN_TEMPLATES: TokenTemplates = {
  'openai-key': ['sk-proj-{w74}', 'sk-{w20}T3BlbkFJ{w20}'],
  'anthropic-key': ['sk-ant-api03-{s93}AA', 'sk-ant-oat01-{s93}AA'],
  'openrouter-key': ['sk-or-v1-{h64}'],
  'deepseek-key': ['sk-{h32}'],
  'huggingface-token': ['hf_{a34}'],
  'groq-key': ['gsk_{w52}'],
  'xai-key': ['xai-{w80}'],
  'perplexity-key': ['pplx-{w48}'],
  'replicate-token': ['r8_{w37}'],
  'nvidia-key': ['nvapi-{w64}'],
  'fireworks-key': ['fw_{w24}'],
  'langsmith-key': ['lsv2_pt_{h32}_{h10}'],
  'pinecone-key': ['pcsk_{w6}_{w63}'],
  'ai-service-key': ['tgp_v1_{w43}', 'csk-{l48}', 'tvly-dev-{w32}', 'fc-{h32}', 'sk-lf-{h8}-{h4}-{h4}-{h4}-{h12}'],
  'elevenlabs-key': ['sk_{h48}'],
  'aws-access-key': ['AKIA{b16}', 'ASIA{b16}'],
  'aws-bedrock-key': ['ABSK{w128}='],
  'azure-storage-key': ['AccountKey={w86}==', 'accesskey={w86}=='],
  'azure-client-secret': ['{w3}8Q~{w34}'],
  'google-api-key': ['AIzaSy{w33}'],
  'google-oauth-secret': ['GOCSPX-{s28}'],
  'google-oauth-token': ['ya29.{s60}', '1//0{s60}'],
  'alibaba-key': ['LTAI5t{w18}'],
  'tencent-key': ['AKID{w32}'],
  'yandex-token': ['AQVN{w36}', 'YC{w38}'],
  'cloudflare-origin-key': ['v1.0-{h24}-{h146}'],
  'digitalocean-token': ['dop_v1_{h64}'],
  'heroku-key': ['HRKU-AA{w58}', 'HRKU-{h8}-{h4}-{h4}-{h4}-{h12}'],
  'fly-token': ['fo1_{w43}'],
  'netlify-token': ['nfp_{w36}'],
  'scalingo-token': ['tk-us-{w48}'],
  'databricks-token': ['dapi{h32}'],
  'clickhouse-key': ['4b1d{w38}'],
  'planetscale-token': ['pscale_tkn_{w43}'],
  'supabase-key': ['sbp_{h40}'],
  'vault-token': ['hvs.{w90}'],
  'terraform-token': ['{w14}.atlasv1.{w67}'],
  'pulumi-token': ['pul-{h40}'],
  'openshift-token': ['sha256~{w43}'],
  'doppler-token': ['dp.pt.{w43}', 'dp.st.prd.{w43}'],
  'onepassword-token': ['A3-{u6}-{u11}-{u5}-{u5}-{u5}', 'ops_eyJ{w260}'],
  'tailscale-key': ['tskey-auth-{w12}-{w32}', 'tskey-api-{w12}-{w18}'],
  'defined-token': ['dnkey-{l26}-{l52}'],
  'age-secret-key': ['AGE-SECRET-KEY-1{q58}'],
};

export const AI_AND_CLOUD_TOKEN_EXAMPLES: Readonly<Record<string, RuleExamples>> = /* @__PURE__ */ aiAndCloudExamples();

function aiAndCloudExamples(): Readonly<Record<string, RuleExamples>> {
  const azureSecret = fill('{w3}8Q~{w34}', seeded(13));
  return {
    ...vendorExamples(AI_AND_CLOUD_TOKEN_TEMPLATES),
    'secrets/azure-client-secret': {
      positives: [
        `use ${azureSecret} here`,
        `"${azureSecret}"`,
        azureSecret,
        `${azureSecret.replace(/^./, '~')} is it`,
      ],
      negatives: [
        { text: `use ${crossedOut(azureSecret)} here`, reason: 'a placeholder' },
        { text: `build-${azureSecret}`, reason: 'the end of something longer' },
        { text: `x${azureSecret}`, reason: 'four characters before the mark' },
      ],
    },
  };
}
