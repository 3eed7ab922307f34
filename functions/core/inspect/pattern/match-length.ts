import type { PatternNode } from './parse-pattern.ts';

/** How many characters a match has: `longest` is Infinity for an open repeat. */
export interface MatchLength {
  readonly shortest: number;
  readonly longest: number;
}

export function matchLength(node: PatternNode): MatchLength {
  switch (node.kind) {
    case 'chars':
      return { shortest: 1, longest: 1 };
    case 'assertion':
      return { shortest: 0, longest: 0 };
    case 'sequence': {
      const parts = node.parts.map(matchLength);
      return { shortest: sum(parts.map((part) => part.shortest)), longest: sum(parts.map((part) => part.longest)) };
    }
    case 'choice': {
      const options = node.options.map(matchLength);
      return {
        shortest: Math.min(...options.map((option) => option.shortest)),
        longest: Math.max(...options.map((option) => option.longest)),
      };
    }
    case 'repeat': {
      const body = matchLength(node.body);
      // None of nothing, however often: 0 * Infinity is no number.
      const longest = body.longest === 0 || node.max === 0 ? 0 : body.longest * node.max;
      return { shortest: body.shortest * node.min, longest };
    }
  }
}

function sum(lengths: readonly number[]): number {
  return lengths.reduce((total, length) => total + length, 0);
}
