import type { Rule, RuleExamples } from '../../matching/index.ts';
import { type TokenTemplates, vendorExamples } from './example-tokens.ts';
import { type VendorToken, vendorRule } from './secret-rule.ts';

/** Tokens of code hosts, package registries, builds, monitoring and design tools. */
const DEVELOPMENT_TOKENS: readonly VendorToken[] = [
  {
    thing: 'github-fine-grained-token',
    vendor: 'GitHub fine-grained token',
    patterns: ['\\bgithub_pat_[A-Za-z0-9_]{82}\\b'],
    severity: 'critical',
  },
  {
    thing: 'gitlab-token',
    vendor: 'GitLab token',
    patterns: [
      '\\bgl(?:pat|dt|rt|rtr|cbt|ptt|ft|ffct|imt|soat|agent|oas|wt)-[A-Za-z0-9_.-]{20,}',
      '\\bGR1348941[A-Za-z0-9_-]{20}',
      '\\b_gitlab_session=[0-9a-z]{32}\\b',
    ],
  },
  {
    thing: 'atlassian-token',
    vendor: 'Atlassian token',
    patterns: ['\\bAT[AC]TT3[A-Za-z0-9_=-]{100,}', '\\bATBB[A-Za-z0-9]{28,32}\\b', '\\bBBDC-[A-Za-z0-9+/]{40,50}'],
  },
  {
    thing: 'pypi-token',
    vendor: 'PyPI token',
    patterns: ['\\bpypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{50,}', '\\bpypi-AgENdGVzdC5weXBpLm9yZw[A-Za-z0-9_-]{50,}'],
  },
  { thing: 'rubygems-key', vendor: 'RubyGems key', patterns: ['\\brubygems_[0-9a-f]{48}\\b'] },
  { thing: 'nuget-key', vendor: 'NuGet key', patterns: ['\\boy2[a-z0-9]{43}\\b'], minEntropy: 3.5 },
  { thing: 'clojars-token', vendor: 'Clojars token', patterns: ['\\bCLOJARS_[a-z0-9]{60}\\b'] },
  { thing: 'docker-token', vendor: 'Docker token', patterns: ['\\bdckr_(?:pat|oat)_[A-Za-z0-9_-]{27,32}'] },
  {
    thing: 'artifactory-key',
    vendor: 'Artifactory key',
    patterns: ['\\bAKCp[A-Za-z0-9]{69}\\b', '\\bcmVmd[A-Za-z0-9]{59}\\b'],
    minEntropy: 4,
  },
  {
    thing: 'octopus-key',
    vendor: 'Octopus Deploy key',
    patterns: ['\\bAPI-[A-Z0-9]{26}\\b'],
    minEntropy: 3.3,
    score: 0.85,
  },
  { thing: 'buildkite-token', vendor: 'Buildkite token', patterns: ['\\bbk(?:ua|at)_[0-9a-f]{40}\\b'] },
  { thing: 'circleci-token', vendor: 'CircleCI token', patterns: ['\\bCCIP(?:AT|RJ)_[A-Za-z0-9]{22}_[0-9a-f]{40}\\b'] },
  {
    thing: 'harness-token',
    vendor: 'Harness token',
    patterns: ['\\b[ps]at\\.[A-Za-z0-9_-]{22}\\.[A-Za-z0-9]{24}\\.[A-Za-z0-9]{20}\\b'],
  },
  { thing: 'prefect-token', vendor: 'Prefect token', patterns: ['\\bpnu_[A-Za-z0-9]{36}\\b'] },
  { thing: 'infracost-token', vendor: 'Infracost token', patterns: ['\\bico-[A-Za-z0-9]{32}\\b'] },
  { thing: 'readme-token', vendor: 'ReadMe token', patterns: ['\\brdme_[a-z0-9]{70}\\b'] },
  {
    thing: 'sourcegraph-token',
    vendor: 'Sourcegraph token',
    patterns: ['\\bsgp_(?:[0-9a-fA-F]{16}_|local_)?[0-9a-fA-F]{40}\\b'],
  },
  { thing: 'sonar-token', vendor: 'Sonar token', patterns: ['\\bsq[aup]_[0-9a-f]{40}\\b'] },
  { thing: 'postman-key', vendor: 'Postman key', patterns: ['\\bPMAK-[0-9a-f]{24}-[0-9a-f]{34}\\b'] },
  {
    thing: 'sentry-token',
    vendor: 'Sentry token',
    patterns: ['\\bsntryu_[0-9a-f]{64}\\b', '\\bsntrys_eyJ[A-Za-z0-9+/]{60,}={0,2}_[A-Za-z0-9+/]{43}'],
  },
  {
    thing: 'grafana-token',
    vendor: 'Grafana token',
    patterns: ['\\bgl(?:sa|c)_[A-Za-z0-9+/_]{32,}={0,2}', '\\beyJrIjoi[A-Za-z0-9+/]{70,}={0,3}'],
  },
  {
    thing: 'newrelic-key',
    vendor: 'New Relic key',
    patterns: ['\\bNR(?:AK|AA|RA)-[A-Za-z0-9]{27,42}\\b', '\\bNRI[IQ]-[A-Za-z0-9_-]{32}', '\\bNRJS-[0-9a-f]{19}\\b'],
  },
  {
    thing: 'dynatrace-token',
    vendor: 'Dynatrace token',
    patterns: ['\\bdt0[a-z]\\d\\d\\.[A-Za-z0-9]{24}\\.[A-Za-z0-9]{64}'],
  },
  { thing: 'posthog-key', vendor: 'PostHog key', patterns: ['\\bph[xs]_[A-Za-z0-9]{40,50}\\b'] },
  { thing: 'figma-token', vendor: 'Figma token', patterns: ['\\bfig[dou]r?_[A-Za-z0-9_-]{38,60}'], minEntropy: 3.5 },
  { thing: 'linear-key', vendor: 'Linear key', patterns: ['\\blin_(?:api|oauth)_[A-Za-z0-9]{40,}'] },
  {
    thing: 'notion-token',
    vendor: 'Notion token',
    patterns: ['\\bntn_[0-9]{11}[A-Za-z0-9]{35}\\b', '\\bsecret_[A-Za-z0-9]{43}\\b'],
    minEntropy: 3.8,
  },
  { thing: 'snyk-token', vendor: 'Snyk token', patterns: ['\\bsnyk_[us]at\\.[0-9a-f]{8}\\.[A-Za-z0-9_-]{40,}'] },
  {
    // LaunchDarkly, Inngest, WakaTime, Adafruit, Ory, Zuplo, Rootly, Render.
    thing: 'developer-service-key',
    vendor: 'key of a service for developers',
    patterns: [
      '\\b(?:sdk|mob|waka)[-_][0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\\b',
      '\\bsignkey-(?:prod|test|branch)-[0-9a-f]{64}\\b',
      '\\baio_[A-Za-z0-9]{28}\\b',
      '\\bory_(?:pat|st|at)_[A-Za-z0-9]{32}\\b',
      '\\bzpka_[0-9a-f]{32}_[0-9a-f]{8}\\b',
      '\\brootly_[0-9a-f]{64}\\b',
      '\\brnd_[A-Za-z0-9]{28,32}\\b',
    ],
  },
  { thing: 'contentful-token', vendor: 'Contentful token', patterns: ['\\bCFPAT-[A-Za-z0-9_-]{43}'] },
];

export const DEVELOPMENT_TOKEN_RULES: readonly Rule[] = DEVELOPMENT_TOKENS.map(vendorRule);

/** The forms of each vendor's tokens. */
export const DEVELOPMENT_TOKEN_TEMPLATES: TokenTemplates = {
  'github-fine-grained-token': ['github_pat_{w22}_{w59}'],
  'gitlab-token': ['glpat-{w20}', 'glrt-{w20}'],
  'atlassian-token': ['ATATT3{w180}', 'ATBB{w32}', 'BBDC-{w44}'],
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
  'newrelic-key': ['NRAK-{u27}', 'NRRA-{h42}', 'NRIQ-{w32}'],
  'dynatrace-token': ['dt0c01.{u24}.{u64}'],
  'posthog-key': ['phx_{w43}'],
  'figma-token': ['figd_{s40}'],
  'linear-key': ['lin_api_{w40}'],
  'notion-token': ['ntn_{d11}{w35}'],
  'snyk-token': ['snyk_uat.{h8}.{s80}'],
  'developer-service-key': [
    'sdk-{h8}-{h4}-4{h3}-{h4}-{h12}',
    'signkey-prod-{h64}',
    'aio_{w28}',
    'ory_pat_{w32}',
    'zpka_{h32}_{h8}',
    'rnd_{w28}',
  ],
  'contentful-token': ['CFPAT-{s43}'],
};

export const DEVELOPMENT_TOKEN_EXAMPLES: Readonly<Record<string, RuleExamples>> =
  /* @__PURE__ */ vendorExamples(DEVELOPMENT_TOKEN_TEMPLATES);
