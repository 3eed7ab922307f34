import type { Rule } from '../../core/inspect/rule.ts';

const SHARED = {
  type: 'denial_of_wallet',
  severity: 'medium',
  view: 'folded',
  surfaces: ['user', 'tool'],
  owasp: 'LLM10:2025',
  atlas: 'AML.T0034',
} as const;

const MANY = '(?:\\d{4,}|\\d{1,3}(?:[,. ]\\d{3})+|(?:a |one |ten |hundred |several )*(?:thousand|million|billion)s?)';

export const DENIAL_OF_WALLET_RULES: readonly Rule[] = [
  {
    ...SHARED,
    id: 'denial-of-wallet/endless-repetition',
    category: 'endless_output',
    score: 0.8,
    patterns: [
      '\\b(?:repeat|say|write|print|output|type|echo|generate)\\b[^.\\n]*\\b(?:forever|infinitely|endlessly|indefinitely|without (?:ever )?stopping|without end|and never stop|until you run out of tokens|until (?:the )?(?:token|context|output) limit)\\b',
      `\\b(?:repeat|say|write|print|output|type|echo)\\b[^.\\n]*\\b${MANY}\\s+times\\b`,
    ],
    message: 'Text asks for output without end.',
  },
  {
    ...SHARED,
    id: 'denial-of-wallet/huge-output',
    category: 'huge_output',
    score: 0.6,
    patterns: [
      '\\b(?:write|generate|produce|output|give me|create|print|list|count)\\b[^.\\n]*\\b(?:\\d{5,}|\\d{2,3}[,. ]\\d{3}|(?:a |one |ten |hundred |fifty )+thousand|(?:a |one |ten )?million)[ -](?:words?|tokens|characters|pages|paragraphs|numbers|digits|lines|poems|stories|essays)\\b',
      '\\b(?:count|list (?:all|every)(?: the)? (?:numbers?|integers?|primes?))\\b[^.\\n]*\\bto (?:(?:a |one )?(?:million|billion|trillion|infinity)|\\d{6,}|\\d{1,3}(?:,\\d{3}){2,})\\b',
    ],
    message: 'Text asks for an answer of very great length.',
  },
];
