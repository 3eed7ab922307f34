import type { Rule } from '../../core/inspect/rule.ts';
import { endsWithChecksum } from '../../core/keys/api-key-format.ts';
import { isKnownPublic } from './known-public.ts';
import { entropy, isMadeUp, isSequence, looksRandom } from './randomness.ts';
import { SHARED } from './shared.ts';
import type { VendorToken } from './vendor-token.ts';
import { VENDOR_TOKENS } from './vendor-tokens.ts';

const HEX_ENTROPY = 3;
/** A right prefix and length around typed characters: most often documentation, so told but never acted on by default. */
const TYPED_SCORE = 0.5;

function vendorRule({
  thing,
  vendor,
  patterns,
  notAfter = '',
  minEntropy = HEX_ENTROPY,
  score = 0.95,
  severity = 'high',
}: VendorToken): Rule {
  return {
    ...SHARED,
    id: `secrets/${thing}`,
    category: thing.replaceAll('-', '_'),
    severity,
    score,
    patterns,
    check: (match, { before }) => {
      if (before !== '' && notAfter.includes(before.slice(-1))) return undefined;
      if (isMadeUp(match) || entropy(match) < minEntropy || isKnownPublic(match)) return undefined;
      return isSequence(match) ? TYPED_SCORE : score;
    },
    message: `Text holds what looks like a live ${vendor}.`,
  };
}

const GITHUB_TOKEN: Rule = {
  ...SHARED,
  id: 'secrets/github-token',
  category: 'github_token',
  severity: 'critical',
  score: 0.99,
  patterns: ['\\bgh[pousr]_[A-Za-z0-9]{36}\\b'],
  check: (match) => checkedTokenScore(match.slice(4)),
  message: 'Text holds a GitHub token.',
};

const NPM_TOKEN: Rule = {
  ...SHARED,
  id: 'secrets/npm-token',
  category: 'npm_token',
  severity: 'critical',
  score: 0.99,
  patterns: ['\\bnpm_[A-Za-z0-9]{36}\\b'],
  check: (match) => checkedTokenScore(match.slice(4)),
  message: 'Text holds an npm token.',
};

/** A right checksum proves it; without one it may be a token that was mistyped, or one made up. */
function checkedTokenScore(body: string): number | undefined {
  if (endsWithChecksum(body)) return 0.99;
  return looksRandom(body, 3.5) ? 0.75 : undefined;
}

const SVC_KEY: Rule = {
  ...SHARED,
  id: 'secrets/svc-key',
  category: 'svc_key',
  severity: 'critical',
  score: 0.99,
  patterns: ['\\bsvc_sk_[0-9A-Za-z]{38}\\b'],
  check: (match) => (endsWithChecksum(match.slice('svc_sk_'.length)) ? 0.99 : undefined),
  message: 'Text holds a key of this gateway.',
};

/** Tokens that their own format gives away. */
export const VENDOR_RULES: readonly Rule[] = [...VENDOR_TOKENS.map(vendorRule), GITHUB_TOKEN, NPM_TOKEN, SVC_KEY];
