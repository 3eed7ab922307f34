import type { Rule } from '../../core/inspect/rule.ts';
import { entropy, isKnownPublic, isMadeUp, isSequence } from './randomness.ts';

/** What all rules of this family have in common. */
export const SHARED = {
  type: 'secret',
  severity: 'high',
  view: 'exact',
  surfaces: ['system', 'user', 'tool', 'output'],
  owasp: 'LLM02:2025',
  atlas: 'AML.T0057',
} as const;

/** A token format with a prefix or shape of its own, so that the pattern alone says whose it is. */
export interface VendorToken {
  /** The rule's id without its family. */
  readonly thing: string;
  readonly vendor: string;
  readonly patterns: readonly string[];
  /** Characters that make what follows them a part of something longer. */
  readonly notAfter?: string;
  /** Bits a character that a real one has at least; by default what random hexadecimal digits have. */
  readonly minEntropy?: number;
  readonly score?: number;
  readonly severity?: 'medium' | 'high' | 'critical';
}

const HEX_ENTROPY = 3;

/** A right prefix and length around typed characters: most often documentation, so told but never acted on by default. */
const TYPED_SCORE = 0.5;

export function vendorRule({
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
