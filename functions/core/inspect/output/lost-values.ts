import type { RuleHit } from '../finding.ts';
import { PLACEHOLDER, type Redaction } from '../redaction.ts';
import type { Rule } from '../rule.ts';
import type { ResponseDetector, ResponseReader } from '../text-inspector.ts';
import { REDACTED_KEY } from './key-filter.ts';

export const LOST_VALUE_RULE: Rule = {
  id: 'redaction/lost-value',
  type: 'secret',
  category: 'lost_value',
  severity: 'low',
  // It shows a limit of redaction, and no attack.
  score: 0,
  view: 'raw',
  patterns: [],
  surfaces: ['output'],
  message: 'A tool call contains a placeholder whose value was removed from the conversation.',
  owasp: 'LLM02:2025',
  atlas: null,
  forcedAction: 'block',
};

/** Texts of a request in which a placeholder may occur. */
export interface PlaceholderSources {
  /** By the operator, the user and tools, and earlier calls: a placeholder there is their text. */
  readonly own: readonly string[];
  /** Text of earlier responses: a placeholder there is of a redaction. */
  readonly answered: readonly string[];
}

/** Finds placeholders of redactions in a tool call that lead to no value: a client would run the call with them. */
export class LostValues implements ResponseDetector {
  private readonly redaction: Redaction;
  private readonly sources: PlaceholderSources;

  constructor(redaction: Redaction, sources: PlaceholderSources = { own: [], answered: [] }) {
    this.redaction = redaction;
    this.sources = sources;
  }

  open(): ResponseReader {
    return new LostValueReader(this.redaction, (placeholder) => this.isLost(placeholder));
  }

  private isLost(placeholder: string): boolean {
    if (placeholder === REDACTED_KEY || this.redaction.isFinal(placeholder)) return true;
    const { own, answered } = this.sources;
    const isIn = (texts: readonly string[]) => texts.some((text) => text.includes(placeholder));
    return !isIn(own) && (this.redaction.isLikeHidden(placeholder) || isIn(answered));
  }
}

class LostValueReader implements ResponseReader {
  private readonly redaction: Redaction;
  private readonly isLost: (placeholder: string) => boolean;
  private open = '';
  private end = 0;

  constructor(redaction: Redaction, isLost: (placeholder: string) => boolean) {
    this.redaction = redaction;
    this.isLost = isLost;
  }

  read(piece: string, last: boolean): RuleHit[] {
    const text = this.open + piece;
    this.end += piece.length;
    const from = this.end - text.length;
    this.open = last ? '' : text.slice(this.redaction.openFrom(text));
    const lost = [...text.matchAll(PLACEHOLDER)].filter(([placeholder]) => this.isLost(placeholder));
    return lost.map(({ index, 0: { length } }) => ({
      rule: LOST_VALUE_RULE,
      score: LOST_VALUE_RULE.score,
      start: from + index,
      end: from + index + length,
    }));
  }

  get settled(): number {
    return this.seen;
  }

  get seen(): number {
    return this.end - this.open.length;
  }
}
