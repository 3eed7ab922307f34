import { REDACTED_KEY } from '../../kernel/model/index.ts';
import type { ResponseDetector, ResponseReader, Rule, RuleHit } from '../matching/index.ts';
import { PLACEHOLDER, type Redaction } from '../policy/index.ts';

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

/** Numbers of placeholders. */
const NUMBERS = /(?<!\d)\d{5,10}(?!\d)/g;
/** Words and marks, and the digits behind them, at the end of a text. */
const OPEN = /[a-z][^\d]*\d{0,10}$/i;
const MAX_OPEN_CHARS = 64;

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
    return new LostValueReader(
      this.redaction,
      (placeholder) => this.isLost(placeholder),
      (text) => this.isOwn(text),
    );
  }

  private isLost(placeholder: string): boolean {
    if (placeholder === REDACTED_KEY || this.redaction.isFinal(placeholder)) return true;
    const isAnswered = () => this.sources.answered.some((text) => text.includes(placeholder));
    return !this.isOwn(placeholder) && (this.redaction.isLikeHidden(placeholder) || isAnswered());
  }

  private isOwn(placeholder: string): boolean {
    return this.sources.own.some((text) => text.includes(placeholder));
  }
}

class LostValueReader implements ResponseReader {
  private readonly redaction: Redaction;
  private readonly isLost: (placeholder: string) => boolean;
  private readonly isOwn: (text: string) => boolean;
  private open = '';
  private end = 0;
  /** A text that stays open is read again. */
  private reportedTo = 0;

  constructor(redaction: Redaction, isLost: (placeholder: string) => boolean, isOwn: (text: string) => boolean) {
    this.redaction = redaction;
    this.isLost = isLost;
    this.isOwn = isOwn;
  }

  read(piece: string, last: boolean): RuleHit[] {
    const text = this.open + piece;
    this.end += piece.length;
    const from = this.end - text.length;
    this.open = last ? '' : text.slice(Math.min(this.redaction.openFrom(text), this.respelledOpenFrom(text)));
    const known = this.reportedTo - from;
    const found = [...text.matchAll(PLACEHOLDER)].filter(({ index, 0: one }) => index >= known && this.isLost(one));
    const ranges = found.map(({ index, 0: { length } }) => ({ start: index, end: index + length }));
    this.reportedTo = from + (ranges.at(-1)?.end ?? known);
    return [...ranges, ...this.respelled(text.slice(0, text.length - this.open.length))].map(({ start, end }) => ({
      rule: LOST_VALUE_RULE,
      score: LOST_VALUE_RULE.score,
      start: from + start,
      end: from + end,
    }));
  }

  /** Placeholders that are written in another way: those of the request in their own form are restored before. */
  private respelled(text: string): { readonly start: number; readonly end: number }[] {
    return [...text.matchAll(NUMBERS)].flatMap(({ index, 0: number }) => {
      const start = this.redaction.respelledFrom(text, number, index);
      const end = index + number.length;
      return start === undefined || this.isOwn(text.slice(start, end)) ? [] : [{ start, end }];
    });
  }

  private respelledOpenFrom(text: string): number {
    if (this.redaction.isEmpty) return text.length;
    const tail = Math.max(0, text.length - MAX_OPEN_CHARS);
    return tail + (OPEN.exec(text.slice(tail))?.index ?? MAX_OPEN_CHARS);
  }

  get settled(): number {
    return this.seen;
  }

  get seen(): number {
    return this.end - this.open.length;
  }
}
