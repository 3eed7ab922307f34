import type { Rule } from '../../matching/index.ts';
import { matchesOf } from '../published-examples.ts';
import { entropy, isKnownPublic, isMadeUp, isSequence } from './randomness.ts';

/** Fields that all rules of this family share. */
export const SHARED = {
  type: 'secret',
  severity: 'high',
  view: 'exact',
  surfaces: ['system', 'user', 'tool', 'output'],
  owasp: 'LLM02:2025',
  atlas: 'AML.T0057',
} as const;

/** A token format with a distinct prefix or shape, so that the pattern alone identifies the vendor. */
export interface VendorToken {
  /** The rule's id without its family. */
  readonly thing: string;
  readonly vendor: string;
  readonly patterns: readonly string[];
  /** Characters that make the following text part of something longer. */
  readonly notAfter?: string;
  /** Minimum bits per character; by default those of random hexadecimal digits. */
  readonly minEntropy?: number;
  readonly score?: number;
  readonly severity?: 'medium' | 'high' | 'critical';
  /** Finds the values of `Rule.documented`. Global. */
  readonly documented?: RegExp;
}

const HEX_ENTROPY = 3;

/** A correct prefix and length around typed characters: mostly documentation, so it is reported but causes no action by default. */
export const TYPED_SCORE = 0.5;

export function vendorRule({
  thing,
  vendor,
  patterns,
  notAfter = '',
  minEntropy = HEX_ENTROPY,
  score = 0.95,
  severity = 'high',
  documented,
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
    ...(documented && { documented: matchesOf(documented) }),
    message: `Text contains what looks like a real ${vendor}.`,
  };
}
