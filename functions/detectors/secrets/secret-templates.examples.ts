const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LOWER = UPPER.toLowerCase();
const DIGITS = '0123456789';

/** What `{w40}` in a template draws from: its letter. */
const ALPHABETS: Readonly<Record<string, string>> = {
  w: DIGITS + UPPER + LOWER,
  s: `${DIGITS}${UPPER}${LOWER}_-`,
  a: UPPER + LOWER,
  l: DIGITS + LOWER,
  u: DIGITS + UPPER,
  d: DIGITS,
  h: `${DIGITS}abcdef`,
  b: `${UPPER}234567`,
  q: 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L',
};

/** A repeatable source of numbers from 0 up to 1. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** The template with each `{letter count}` replaced by that many drawn characters: `{h32}` is 32 hexadecimal digits. */
export function fill(template: string, random: () => number): string {
  return template.replace(/\{([a-z])(\d+)\}/g, (_, letter: string, count: string) => {
    const alphabet = ALPHABETS[letter] ?? '';
    return Array.from({ length: Number(count) }, () => alphabet.charAt(Math.floor(random() * alphabet.length))).join(
      '',
    );
  });
}

/** Each vendor rule with the form of its tokens; a secret is made when it runs, so that no scanner finds one here. */
export const VENDOR_TEMPLATES: Readonly<Record<string, readonly string[]>> = {
  'openai-key': ['sk-proj-{w74}', 'sk-{w20}T3BlbkFJ{w20}'],
  'anthropic-key': ['sk-ant-api03-{s93}AA'],
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
  'elevenlabs-key': ['sk_{h48}'],
  'aws-access-key': ['AKIA{b16}', 'ASIA{b16}'],
  'aws-bedrock-key': ['ABSK{w128}='],
  'azure-storage-key': ['AccountKey={w86}=='],
  'azure-client-secret': ['{w3}8Q~{w34}'],
  'google-api-key': ['AIzaSy{w33}'],
  'google-oauth-secret': ['GOCSPX-{s28}'],
  'google-oauth-token': ['ya29.{s60}'],
  'alibaba-key': ['LTAI5t{w18}'],
  'tencent-key': ['AKID{w32}'],
  'yandex-token': ['AQVN{w36}', 'YC{w38}'],
  'cloudflare-origin-key': ['v1.0-{h24}-{h146}'],
  'digitalocean-token': ['dop_v1_{h64}'],
  'heroku-key': ['HRKU-AA{w58}'],
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
  'doppler-token': ['dp.pt.{w43}'],
  'onepassword-token': ['A3-{u6}-{u11}-{u5}-{u5}-{u5}', 'ops_eyJ{w260}'],
  'tailscale-key': ['tskey-auth-{w12}-{w32}'],
  'defined-token': ['dnkey-{l26}-{l52}'],
  'age-secret-key': ['AGE-SECRET-KEY-1{q58}'],
  'github-fine-grained-token': ['github_pat_{w22}_{w59}'],
  'gitlab-token': ['glpat-{w20}', 'glrt-{w20}'],
  'atlassian-token': ['ATATT3{w180}', 'ATBB{w32}'],
  'pypi-token': ['pypi-AgEIcHlwaS5vcmc{w60}'],
  'rubygems-key': ['rubygems_{h48}'],
  'nuget-key': ['oy2{l43}'],
  'clojars-token': ['CLOJARS_{l60}'],
  'docker-token': ['dckr_pat_{w27}'],
  'artifactory-key': ['AKCp{w69}', 'cmVmd{w59}'],
  'octopus-key': ['API-{u26}'],
  'buildkite-token': ['bkua_{h40}'],
  'circleci-token': ['CCIPAT_{w22}_{h40}'],
  'harness-token': ['pat.{w22}.{w24}.{w20}'],
  'prefect-token': ['pnu_{w36}'],
  'infracost-token': ['ico-{w32}'],
  'readme-token': ['rdme_{l70}'],
  'sourcegraph-token': ['sgp_{h16}_{h40}'],
  'sonar-token': ['squ_{h40}'],
  'postman-key': ['PMAK-{h24}-{h34}'],
  'sentry-token': ['sntryu_{h64}'],
  'grafana-token': ['glsa_{w32}_{h8}'],
  'newrelic-key': ['NRAK-{u27}'],
  'dynatrace-token': ['dt0c01.{u24}.{u64}'],
  'posthog-key': ['phx_{w43}'],
  'figma-token': ['figd_{s40}'],
  'linear-key': ['lin_api_{w40}'],
  'notion-token': ['ntn_{d11}{w35}'],
  'contentful-token': ['CFPAT-{s43}'],
  'stripe-live-key': ['sk_live_{w24}'],
  'stripe-test-key': ['sk_test_{w24}'],
  'stripe-webhook-secret': ['whsec_{w32}'],
  'square-token': ['sq0atp-{w22}'],
  'plaid-token': ['access-production-{h8}-{h4}-{h4}-{h4}-{h12}'],
  'flutterwave-key': ['FLWSECK_TEST-{h32}-X'],
  'easypost-key': ['EZAK{w54}'],
  'duffel-token': ['duffel_live_{s43}'],
  'shippo-token': ['shippo_live_{h40}'],
  'shopify-token': ['shpat_{h32}'],
  'airtable-token': ['pat{w14}.{h64}'],
  'adobe-secret': ['p8e-{w32}'],
  'frameio-token': ['fio-u-{s64}'],
  'maxmind-key': ['{w6}_{w29}_mmk'],
  'intra42-secret': ['s-s4t2ud-{h64}'],
  'settlemint-token': ['sm_pat_{w16}'],
  'typeform-token': ['tfp_{w59}'],
  'mapbox-token': ['pk.{w70}.{w22}'],
  'slack-token': ['xoxb-{d12}-{d13}-{w24}', 'xapp-1-A{u10}-{d13}-{h64}'],
  'slack-webhook': ['https://hooks.slack.com/services/T{u8}/B{u10}/{w24}'],
  'discord-webhook': ['https://discord.com/api/webhooks/{d18}/{w68}'],
  'discord-token': ['M{w25}.{w6}.{w38}'],
  'telegram-token': ['{d10}:AA{w33}'],
  'twilio-key': ['SK{h32}'],
  'sendgrid-key': ['SG.{w22}.{w43}'],
  'mailchimp-key': ['{h32}-us12'],
  'mailgun-key': ['key-{h32}'],
  'brevo-key': ['xkeysib-{h64}-{w16}'],
  'resend-key': ['re_{w8}_{w24}'],
  'facebook-token': ['EAAB{w150}', '{d15}|{w27}'],
};
