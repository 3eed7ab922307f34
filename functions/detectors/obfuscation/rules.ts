import { readVariationSelectors, readZeroWidth } from '../../core/inspect/decoding/encodings.ts';
import type { Rule } from '../../core/inspect/rule.ts';

const SHARED = { type: 'obfuscation', owasp: 'LLM01:2025', atlas: 'AML.T0051' } as const;
const INPUT = ['user', 'tool', 'system'] as const;

const BLACK_FLAG = '\u{1f3f4}';

const TAG_CHARACTERS: Rule = {
  ...SHARED,
  id: 'obfuscation/tag-characters',
  category: 'tag_characters',
  severity: 'high',
  score: 0.95,
  view: 'raw',
  patterns: ['(?:\\uDB40[\\uDC20-\\uDC7E]){2,}'],
  surfaces: [...INPUT, 'output'],
  // Flags of regions, such as Scotland's, are spelled in tag characters after a black flag.
  check: (match, { before }) =>
    before.endsWith(BLACK_FLAG) && match.length <= 12 ? undefined : match.length >= 8 ? 0.95 : 0.7,
  message: 'Text carries letters in tag characters, which nobody sees and models read.',
};

const INVISIBLE_RUN: Rule = {
  ...SHARED,
  id: 'obfuscation/invisible-run',
  category: 'invisible_characters',
  severity: 'medium',
  score: 0.75,
  view: 'raw',
  patterns: [
    '[\\u200B-\\u200D\\u2060-\\u2064\\uFEFF\\u180E]{12,}',
    '(?:\\uDB40[\\uDD00-\\uDDEF]){3,}',
    '[\\uFE00-\\uFE0F]{4,}',
  ],
  surfaces: [...INPUT, 'output'],
  // Hidden text that can be read is judged by what it says.
  check: (match) => ((readVariationSelectors(match) ?? readZeroWidth(match)) === undefined ? 0.75 : 0.45),
  message: 'A long run of invisible characters may carry hidden data.',
};

const BIDI_OVERRIDE: Rule = {
  ...SHARED,
  id: 'obfuscation/bidi-override',
  category: 'bidi_control',
  severity: 'low',
  score: 0.55,
  view: 'raw',
  patterns: ['\\u202E[^\\u202C\\n]{2,200}'],
  surfaces: INPUT,
  check: (match) => (/[a-z]{2}/i.test(match) ? 0.55 : undefined),
  message: 'Latin text is turned round by a bidirectional override, so that people and models read different things.',
};

const DECODE_AND_OBEY: Rule = {
  ...SHARED,
  id: 'obfuscation/decode-and-obey',
  category: 'encoded_instructions',
  severity: 'high',
  score: 0.75,
  view: 'folded',
  patterns: [
    '\\b(?:decode|decrypt|decipher|unscramble|de-?obfuscate|reverse)\\b[^.\\n]*\\b(?:and|then)\\s+(?:\\w+\\s+){0,2}(?:follow|execute|obey|comply with|carry out|act (?:up)?on|do (?:what|as) it says|perform|respond to)\\b(?:\\s+(?:it|them|that|this|the|its|what|whatever|any|all|those|instructions?|commands?))',
  ],
  surfaces: INPUT,
  message: 'Text asks the model to decode something and then do what it says.',
};

const SPELLED_OUT: Rule = {
  ...SHARED,
  id: 'obfuscation/spelled-out',
  category: 'spelled_out_instructions',
  severity: 'high',
  score: 0.88,
  view: 'raw',
  patterns: [],
  signal: 'respelled',
  surfaces: INPUT,
  message: 'The words of an attack are spaced out, cut up, reversed or otherwise spelled so that they are not seen.',
};

const INVISIBLE_CHARACTERS: Rule = {
  ...SHARED,
  id: 'obfuscation/invisible-characters',
  category: 'invisible_characters',
  severity: 'high',
  score: 0.9,
  view: 'raw',
  patterns: [],
  signal: 'invisible',
  surfaces: INPUT,
  message: 'Invisible characters break up the words of an attack.',
};

const MIXED_SCRIPT: Rule = {
  ...SHARED,
  id: 'obfuscation/mixed-script',
  category: 'homoglyphs',
  severity: 'high',
  score: 0.9,
  view: 'raw',
  patterns: [],
  signal: 'lookalike',
  surfaces: INPUT,
  message: 'An attack is written with letters that only look Latin.',
};

const ENCODED_INSTRUCTIONS: Rule = {
  ...SHARED,
  id: 'obfuscation/encoded-instructions',
  category: 'encoded_instructions',
  severity: 'high',
  score: 0.88,
  view: 'raw',
  patterns: [],
  signal: 'encoded',
  surfaces: INPUT,
  message: 'An attack is hidden in encoded text.',
};

export const OBFUSCATION_RULES: readonly Rule[] = [
  TAG_CHARACTERS,
  INVISIBLE_RUN,
  BIDI_OVERRIDE,
  DECODE_AND_OBEY,
  SPELLED_OUT,
  INVISIBLE_CHARACTERS,
  MIXED_SCRIPT,
  ENCODED_INSTRUCTIONS,
];
