import type { RequestText } from '../../kernel/model/index.ts';
import { content } from '../across-texts/text.fixture.ts';
import type { Rule } from '../matching/index.ts';
import type { Evidence } from './evidence.ts';

export const A_RULE: Rule = {
  id: 'test/rule',
  type: 'prompt_injection',
  category: 'test',
  severity: 'high',
  score: 0.9,
  view: 'folded',
  patterns: ['x'],
  surfaces: ['user'],
  message: 'A test.',
  owasp: 'LLM01:2025',
  atlas: null,
};
/** A rule without patterns, like those of classifiers. */
export const A_CLASSIFIER_RULE: Rule = { ...A_RULE, id: 'classifier/test', patterns: [] };

interface Fields {
  readonly rule?: Rule;
  readonly text?: RequestText;
  readonly turnsAgo?: number;
  readonly reasons?: Evidence['reasons'];
}

/** Evidence that spans its whole text. */
export function evidenceOf(score: number, fields: Fields = {}): Evidence {
  const { rule = A_RULE, text = content('user', 'a text of its own'), turnsAgo = 0, reasons = [] } = fields;
  const range = { start: 0, end: text.text.length };
  return {
    finding: { rule, score, decodedFrom: [], ...range },
    text,
    passage: { text: text.text, ...range },
    turnsAgo,
    reasons,
  };
}
