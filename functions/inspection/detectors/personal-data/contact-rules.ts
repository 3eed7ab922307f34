import type { Rule, RuleExamples } from '../../matching/index.ts';
import { SHARED } from './number-checks.ts';
import { PHONE } from './phone.ts';

/** Reserved domains (RFC 2606, RFC 6761). */
const RESERVED_DOMAIN =
  /(?:^|[@.])example(?:\.(?:com|org|net|edu))?$|\.(?:test|invalid|example|localhost|local|internal)$/i;
const FILE_ENDING =
  /\.(?:png|jpe?g|gif|svg|webp|ico|css|js|mjs|ts|tsx|jsx|json|html?|py|java|kt|rs|go|rb|php|md|txt|service|socket|target|so|git|ya?ml|toml|lock|log|csv|sql|sh|conf|cfg|ini|jar|whl|t?gz|zip|swift|vue|svelte|timer|mount)$/i;
const SHARED_MAILBOX =
  /^(?:git|hg|svn|root|ubuntu|debian|centos|ec2-user|azureuser|vagrant|www-data|no-?reply|do-?not-?reply|postmaster|mailer-daemon)@/i;
/** Version or digest behind the name of a package, an image or an action: `next@15.0.0-canary.alpha`, `tool@v4.beta`. Not `163.com`, `v2.com`. */
const VERSION =
  /@(?:v?\d+\.(?:\d|x\b)|v?\d+(?:\.\d+)*[.-](?:alpha|beta|rc|canary|next|dev|pre|preview|snapshot|nightly|final|ga|release|stable|latest|lts)\b|sha(?:1|256|512)\b|(?:latest|next|canary|nightly)\.)/i;
/** Before the account of a server: an address with a scheme, or a command that connects. Each word fits one alternative, or time doubles with it. */
const BEFORE_ACCOUNT =
  /[a-z0-9]:\/\/[^\s/]*$|(?:^|[\s;&|$#>`('"])(?:ssh|scp|sftp|rsync|mosh|autossh|sshfs|ssh-copy-id|proxyjump)\s+(?:(?:-\S+|(?:[^\s;&|./=-][^\s;&|./=]*)?[./=][^\s;&|]*|\d+)\s+)*$/i;
const NOBODYS_DOMAIN = /@(?:[\w-]+\.)*no-?reply\./i;

const EMAIL: Rule = {
  ...SHARED,
  id: 'personal-data/email',
  category: 'email',
  severity: 'medium',
  score: 0.9,
  // With the start of a path: `deploy@host:srv/app` names an account and a file.
  patterns: ["\\b[A-Za-z0-9][A-Za-z0-9._%+'-]*@(?:[A-Za-z0-9-]+\\.)+[A-Za-z]{2,24}\\b(?::[A-Za-z0-9._-]{0,64}[/~])?"],
  check: (match, { before }) => {
    const at = match.indexOf('@');
    if (at > 64 || match.length > 254 || match.includes('..') || match.charAt(at - 1) === '.') return undefined;
    if (RESERVED_DOMAIN.test(match) || FILE_ENDING.test(match) || VERSION.test(match)) return undefined;
    if (SHARED_MAILBOX.test(match) || NOBODYS_DOMAIN.test(match)) return undefined;
    return match.includes(':') || BEFORE_ACCOUNT.test(before) ? undefined : 0.9;
  },
  message: 'Text contains an e-mail address.',
};

/** Addresses of no internet host, and well-known resolvers. */
const NOBODYS_IPV4 =
  /^(?:0|10|127|22[4-9]|2[3-5]\d)\.|^169\.254\.|^172\.(?:1[6-9]|2\d|3[01])\.|^192\.(?:168|0\.[02])\.|^198\.(?:1[89]|51\.100)\.|^203\.0\.113\.|^(?:8\.8\.[84]\.[84]|1\.[01]\.[01]\.1|9\.9\.9\.9)$|\.0$/;

const IPV4: Rule = {
  ...SHARED,
  id: 'personal-data/ipv4',
  category: 'ip_address',
  severity: 'low',
  score: 0.5,
  patterns: ['\\b\\d{1,3}(?:\\.\\d{1,3}){3}\\b'],
  check: (match, { before }) => {
    const valid = match.split('.').every((part) => Number(part) <= 255 && !/^0\d/.test(part));
    const versionLike =
      /(?:[\d.-]|v|version|release|build|firmware|§|section|sec\.?|chapter|table|figure|chrome\/|safari\/)\s?$/i.test(
        before,
      ) || match.length < 9;
    return valid && !versionLike && !NOBODYS_IPV4.test(match) ? 0.5 : undefined;
  },
  message: 'Text contains an IPv4 address.',
};

const IPV6: Rule = {
  ...SHARED,
  id: 'personal-data/ipv6',
  category: 'ip_address',
  severity: 'low',
  score: 0.5,
  ignoreCase: true,
  patterns: [
    '\\b[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){7}\\b',
    '\\b[23][0-9a-f]{3}(?::[0-9a-f]{1,4}){1,6}::(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,4})?',
    '\\b[23][0-9a-f]{3}::[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,5}\\b',
  ],
  // 2001:db8::/32 and 3fff::/20 are for documentation, fe80::/10 and fc00::/7 for one network; the last three are
  // well-known resolvers. Pairs only are no address.
  check: (match, { before }) =>
    /^(?:2001:0?db8|3fff|fe[89ab]|f[cd]|0{1,4}:0{1,4}:|2606:4700:4700:|2001:4860:4860:|2620:fe:)/i.test(match) ||
    !/[0-9a-f]{3}/i.test(match) ||
    /[:\w]$/.test(before)
      ? undefined
      : 0.5,
  message: 'Text contains an IPv6 address.',
};

/** Contact details of a person or their machine. */
export const CONTACT_RULES: readonly Rule[] = [EMAIL, PHONE, IPV4, IPV6];

export const CONTACT_EXAMPLES: Readonly<Record<string, RuleExamples>> = {
  'personal-data/email': {
    positives: [
      'Write to anna.kowalska@poczta.pl please.',
      "o'brien+news@mail.co.uk",
      'mailto:anna.kowalska@poczta.pl',
      'anna.kowalska@poczta.pl:hunter2',
      'For the ssh keys ask anna.kowalska@poczta.pl',
      'wang.wei@163.com',
      'anna@v2.com',
    ],
    negatives: [
      { text: 'Write to user@example.com.', reason: 'a reserved domain' },
      { text: 'git clone git@github.com:acme/app.git', reason: 'an account of a service' },
      { text: 'background: url(logo@2x.png)', reason: 'a file name' },
      { text: 'postgres://app:pass@db.acme.io/main', reason: 'a password before a host' },
      { text: 'https://0a1b2c3d@o450.ingest.sentry.io/2', reason: 'a key before a host' },
      { text: 'amqp://guest@rabbit.acme.io:5672', reason: 'an account before a host' },
      { text: 'git remote add origin deploy@git.acme.io:team/app.git', reason: 'an account and a path' },
      { text: 'deploy@web.acme.io:~/app', reason: 'an account and a path' },
      { text: 'scp build.tar.gz anna@web.acme.io:', reason: 'an account of a server' },
      { text: 'ssh -p 22 anna@web.acme.io', reason: 'an account of a server' },
      { text: 'uses: some-org/tool@v4.beta', reason: 'a version of an action' },
      { text: 'npm i next@15.0.0-canary.alpha', reason: 'a version of a package' },
      { text: 'pnpm add @acme/ui@2.0.0-beta.rc', reason: 'a version in a scope' },
      { text: 'docker pull acme/app@sha256.digest', reason: 'a digest of an image' },
      { text: 'run ssh anna@web.acme.io first', reason: 'an account of a server in a sentence' },
      { text: 'ssh -J admin@bastion.acme.io anna@web.acme.io', reason: 'accounts of two servers' },
      { text: 'ProxyJump anna@bastion.acme.io', reason: 'an account of a server' },
      { text: 'root@db1.acme.io', reason: 'an account of a system' },
      { text: 'Co-authored-by: Ann <12+ann@users.noreply.github.com>', reason: 'an address without a mailbox' },
    ],
  },
  'personal-data/ipv4': {
    positives: ['Login from 84.112.33.201 failed'],
    negatives: [
      { text: 'server at 192.168.1.20', reason: 'a private network' },
      { text: 'version 10.15.7.201', reason: 'a version' },
      { text: 'Chrome/120.109.216.122 Safari', reason: 'a browser' },
      { text: 'resolver 8.8.8.8', reason: 'everybody knows it' },
    ],
  },
  'personal-data/ipv6': {
    positives: [
      'from 2a02:8108:50bf:e2a4:9d1c:77ff:fe12:3456',
      'peer [2a00:1450:4001:82b::200e]:443 closed',
      'AAAA 2a01::7f3c',
      'prefix 2A02:8108:50BF::/48',
    ],
    negatives: [
      { text: '2001:db8:0:1:2:3:4:5', reason: 'for documentation' },
      { text: '2001:db8::8a2e:370:7334', reason: 'for documentation' },
      { text: 'fe80::1ff:fe23:4567:890a%eth0', reason: 'one network' },
      { text: 'listen on ::1 and [::]:8080', reason: 'this machine' },
      { text: 'resolver 2606:4700:4700::1111', reason: 'everybody knows it' },
      { text: 'std::vec::Vec and beef::cafe', reason: 'names of code' },
      { text: 'In Python 3000:: print is a function', reason: 'a number before colons' },
      { text: 'at 12:30:45', reason: 'a time' },
      { text: '00:1a:2b:3c:4d:5e:6f:70', reason: 'a hardware address' },
    ],
  },
};
