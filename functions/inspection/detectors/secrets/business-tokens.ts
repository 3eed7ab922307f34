import type { Rule, RuleExamples } from '../../matching/index.ts';
import { type TokenTemplates, vendorExamples } from './example-tokens.ts';
import { type VendorToken, vendorRule } from './secret-rule.ts';

/** Keys of payment, shops, messaging, mail and social networks. */
const BUSINESS_TOKENS: readonly VendorToken[] = [
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
  {
    thing: 'stripe-webhook-secret',
    vendor: 'Stripe webhook secret',
    patterns: ['\\bwhsec_[A-Za-z0-9+/]{32,}={0,2}'],
    // The specification of Standard Webhooks.
    documented: /\bwhsec_MfKQ9r8GKYqrTwj[A-Za-z0-9]{17}\b/g,
  },
  {
    thing: 'square-token',
    vendor: 'Square token',
    patterns: ['\\bsq0(?:atp|csp)-[A-Za-z0-9_^/-]{22,43}', '\\bEAAA[A-Za-z0-9_-]{60}\\b'],
  },
  {
    thing: 'plaid-token',
    vendor: 'Plaid token',
    patterns: [
      '\\baccess-(?:sandbox|development|production)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\\b',
    ],
  },
  {
    thing: 'flutterwave-key',
    vendor: 'Flutterwave key',
    patterns: ['\\bFLW(?:PUB|SEC)K(?:_TEST)?-[0-9a-h]{32}-X\\b', '\\bFLWSECK_TEST-[0-9a-h]{12}\\b'],
    minEntropy: 2.6,
  },
  {
    thing: 'teams-webhook',
    vendor: 'Microsoft Teams webhook address',
    patterns: ['office\\.com/webhook(?:b2)?/[0-9a-f-]{36}@[0-9a-f-]{36}/IncomingWebhook/[0-9a-f]{32}/[0-9a-f-]{36}'],
  },
  {
    // Paddle, Braintree, ClickUp, HubSpot, MailerSend, Dropbox, Login with Amazon.
    thing: 'business-service-key',
    vendor: 'key of a business service',
    patterns: [
      '\\bpdl_(?:live|sdbx)_apikey_[a-z0-9]{26}_[A-Za-z0-9]{22}',
      '\\baccess_token\\$(?:production|sandbox)\\$[a-z0-9]{16}\\$[0-9a-f]{32}\\b',
      '\\bpk_[0-9]{6,9}_[A-Z0-9]{32}\\b',
      '\\bpat-(?:na|eu|ap)[12]-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\\b',
      '\\bmlsn\\.[0-9a-f]{64}\\b',
      '\\bsl\\.(?:u\\.)?[A-Za-z0-9_-]{120,}',
      '\\bamzn\\.mws\\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\\b',
      '\\bamzn1\\.oa2-cs\\.v1\\.[0-9a-f]{64}\\b',
    ],
  },
  { thing: 'easypost-key', vendor: 'EasyPost key', patterns: ['\\bEZ[AT]K[A-Za-z0-9]{54}\\b'] },
  { thing: 'duffel-token', vendor: 'Duffel token', patterns: ['\\bduffel_(?:test|live)_[A-Za-z0-9_=-]{43}'] },
  { thing: 'shippo-token', vendor: 'Shippo token', patterns: ['\\bshippo_(?:live|test)_[0-9a-fA-F]{40}\\b'] },
  { thing: 'shopify-token', vendor: 'Shopify token', patterns: ['\\bshp(?:at|ca|pa|ss)_[A-Za-z0-9]{32,38}\\b'] },
  { thing: 'airtable-token', vendor: 'Airtable token', patterns: ['\\bpat[A-Za-z0-9]{14}\\.[0-9a-f]{64}\\b'] },
  { thing: 'adobe-secret', vendor: 'Adobe client secret', patterns: ['\\bp8e-[A-Za-z0-9]{32}\\b'] },
  { thing: 'frameio-token', vendor: 'Frame.io token', patterns: ['\\bfio-u-[A-Za-z0-9=_-]{64}'] },
  { thing: 'maxmind-key', vendor: 'MaxMind key', patterns: ['\\b[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk\\b'] },
  { thing: 'intra42-secret', vendor: '42 intranet secret', patterns: ['\\bs-s4t2(?:ud|af)-[0-9a-f]{64}\\b'] },
  {
    thing: 'settlemint-token',
    vendor: 'SettleMint token',
    patterns: ['\\bsm_(?:pat|aat|sat)_[A-Za-z0-9]{16}\\b'],
  },
  { thing: 'typeform-token', vendor: 'Typeform token', patterns: ['\\btfp_[A-Za-z0-9_=.-]{59}'] },
  {
    thing: 'mapbox-token',
    vendor: 'Mapbox token',
    patterns: ['\\b[ps]k\\.[A-Za-z0-9_-]{60,}\\.[A-Za-z0-9_-]{22}\\b'],
    score: 0.8,
    severity: 'medium',
  },
  {
    thing: 'slack-token',
    vendor: 'Slack token',
    patterns: [
      '\\bxox[abceoprs]-[0-9]{1,13}-(?:[0-9]{5,13}-){0,3}[0-9A-Za-z]{0,60}[A-Za-z][0-9][0-9A-Za-z]{5,}',
      '\\bxoxd-[A-Za-z0-9%/+=]{40,}',
      '\\bxox[abpr]-[0-9A-Za-z]{2,30}[A-Za-z][0-9][0-9A-Za-z]{5,30}\\b',
      '\\bxoxe(?:\\.xox[bp])?-[0-9]-[0-9A-Z]{140,}',
      '\\bxapp-[0-9]-[A-Z0-9]{8,}-[0-9]{8,}-[0-9a-z]{32,}',
    ],
    minEntropy: 2.6,
  },
  {
    thing: 'slack-webhook',
    vendor: 'Slack webhook address',
    patterns: [
      'hooks\\.slack\\.com/(?:services|workflows|triggers)/[A-Z0-9]{8,12}/[A-Z0-9]{8,14}/[A-Za-z0-9]{20,}',
      'hooks\\.slack\\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/]{43,56}',
    ],
  },
  {
    thing: 'discord-webhook',
    vendor: 'Discord webhook address',
    patterns: ['discord(?:app)?\\.com/api/webhooks/[0-9]{17,20}/[A-Za-z0-9_-]{60,}'],
  },
  {
    thing: 'discord-token',
    vendor: 'Discord bot token',
    patterns: ['\\b[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,38}\\b'],
    minEntropy: 4.2,
  },
  {
    thing: 'telegram-token',
    vendor: 'Telegram bot token',
    patterns: ['(?:\\b|bot)[0-9]{8,10}:AA[A-Za-z0-9_-]{32,33}\\b'],
    minEntropy: 3.8,
  },
  { thing: 'twilio-key', vendor: 'Twilio key', patterns: ['\\bSK[0-9a-f]{32}\\b'], score: 0.85 },
  { thing: 'sendgrid-key', vendor: 'SendGrid key', patterns: ['\\bSG\\.[A-Za-z0-9_=.-]{66}'] },
  { thing: 'mailchimp-key', vendor: 'Mailchimp key', patterns: ['\\b[0-9a-f]{32}-us[0-9]{1,2}\\b'], score: 0.8 },
  {
    thing: 'mailgun-key',
    vendor: 'Mailgun key',
    patterns: ['\\b(?:pub)?key-[0-9a-f]{32}\\b', '\\b[0-9a-h]{32}-[0-9a-h]{8}-[0-9a-h]{8}\\b'],
    score: 0.8,
  },
  { thing: 'brevo-key', vendor: 'Brevo key', patterns: ['\\bx(?:key|smtp)sib-[0-9a-f]{64}-[A-Za-z0-9]{16}\\b'] },
  { thing: 'resend-key', vendor: 'Resend key', patterns: ['\\bre_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}\\b'], minEntropy: 3.6 },
  {
    thing: 'facebook-token',
    vendor: 'Facebook token',
    patterns: [
      '\\bEAA[A-Z][A-Za-z0-9]{95,}',
      '\\bIG(?:QV|AA)[A-Za-z0-9_-]{80,}',
      '\\b[0-9]{15,16}\\|[A-Za-z0-9_-]{27,40}',
    ],
    minEntropy: 3.6,
  },
];

export const BUSINESS_TOKEN_RULES: readonly Rule[] = BUSINESS_TOKENS.map(vendorRule);

/** The forms of each vendor's tokens. */
export const BUSINESS_TOKEN_TEMPLATES: TokenTemplates = {
  'stripe-live-key': ['sk_live_{w24}'],
  'stripe-test-key': ['sk_test_{w24}'],
  'stripe-webhook-secret': ['whsec_{w32}'],
  'square-token': ['sq0atp-{w22}'],
  'plaid-token': ['access-production-{h8}-{h4}-{h4}-{h4}-{h12}'],
  'flutterwave-key': ['FLWSECK_TEST-{h32}-X'],
  'teams-webhook': [
    'https://acme.webhook.office.com/webhookb2/{h8}-{h4}-{h4}-{h4}-{h12}@{h8}-{h4}-{h4}-{h4}-{h12}/IncomingWebhook/{h32}/{h8}-{h4}-{h4}-{h4}-{h12}',
  ],
  'business-service-key': [
    'pdl_live_apikey_{l26}_{w22}',
    'access_token$production$x{l15}$a{h31}',
    'pk_{d7}_{u32}',
    'pat-na1-{h8}-{h4}-{h4}-{h4}-{h12}',
    'mlsn.{h64}',
    'sl.{s130}',
    'amzn.mws.{h8}-{h4}-{h4}-{h4}-{h12}',
    'amzn1.oa2-cs.v1.{h64}',
  ],
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
  'telegram-token': ['{d10}:AA{w33}', 'https://api.telegram.org/bot{d10}:AA{w33}/getMe'],
  'twilio-key': ['SK{h32}'],
  'sendgrid-key': ['SG.{w22}.{w43}'],
  'mailchimp-key': ['{h32}-us12'],
  'mailgun-key': ['key-{h32}'],
  'brevo-key': ['xkeysib-{h64}-{w16}', 'xsmtpsib-{h64}-{w16}'],
  'resend-key': ['re_{w8}_{w24}'],
  'facebook-token': ['EAAB{w150}', 'IGQV{s150}', '{d15}|{w27}'],
};

export const BUSINESS_TOKEN_EXAMPLES: Readonly<Record<string, RuleExamples>> =
  /* @__PURE__ */ vendorExamples(BUSINESS_TOKEN_TEMPLATES);
