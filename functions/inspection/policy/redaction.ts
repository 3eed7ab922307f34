import { createHmac } from 'node:crypto';
import type { TextEdit } from '../../kernel/json/index.ts';
import type { Finding } from '../matching/index.ts';

/** A placeholder without its end. */
const OPEN_PLACEHOLDER = /\[[A-Z]*(?:_[A-Z]*)*\d*$/;
/** A placeholder with a number, or a final one. */
export const PLACEHOLDER = /\[[A-Z]+(?:_[A-Z]+)*_(?:\d+|[A-Z]+)\]/g;
/** Replaces a file that cannot be rewritten. */
export const REDACTED_FILE = '[REDACTED_FILE]';
const NUMBER = /_\d+\]$/;
const MAX_PLACEHOLDER_CHARS = 48;
/** Between the words of a placeholder that is written in another way. */
const SEPARATOR = '[^a-z\\d]{1,6}';

/** Placeholders have five digits, so that two values of a request rarely collide. */
const FIRST_NUMBER = 10_000;
const NUMBERS = 90_000;
/** A value that collides this often gets a number with more digits, of which no request can use up all. */
const MEETINGS = 8;
const FIRST_LONG_NUMBER = 1_000_000_000;
const LONG_NUMBERS = 3_000_000_000;

/**
 * The placeholders of one request. Personal data in the request is restored: the provider receives `[EMAIL_48213]`, and the caller's response
 * contains the address. Other redactions are final. The number is derived from the value, so that a value has the same placeholder in
 * every request of its scope, and the provider's prompt cache still works for a growing conversation.
 */
export class Redaction {
  private readonly scope: string;
  private readonly placeholders = new Map<string, string>();
  private readonly originals = new Map<string, string>();
  /** Placeholders without a number, which are not restored. */
  private readonly final = new Set<string>();
  /** Starts of the placeholders up to the number: `[EMAIL`. */
  private readonly labels = new Set<string>();
  /** Patterns of the labels by the number behind them, as models write them otherwise: `email-48213`. */
  private readonly respelled = new Map<string, RegExp>();

  /** `scope`: where numbers are equal. It must be secret, since numbers would otherwise allow guessing values. */
  constructor(scope: string) {
    this.scope = scope;
  }

  /** Returns the placeholder for `original` in the request. */
  hideInput({ rule }: Finding, original: string): string {
    const known = this.placeholders.get(original);
    if (known !== undefined) return known;
    const placeholder = this.freePlaceholder(toLabel(rule.category), original);
    this.placeholders.set(original, placeholder);
    this.originals.set(placeholder, original);
    const label = placeholder.replace(NUMBER, '');
    this.labels.add(label);
    const number = placeholder.slice(label.length + 1, -1);
    this.respelled.set(number, new RegExp(`${label.slice(1).replaceAll('_', SEPARATOR)}${SEPARATOR}$`, 'i'));
    return placeholder;
  }

  /** The start of a placeholder that is written in another way and ends with the number at an offset; undefined if there is none. */
  respelledFrom(text: string, number: string, at: number): number | undefined {
    const from = Math.max(0, at - MAX_PLACEHOLDER_CHARS);
    const label = this.respelled.get(number)?.exec(text.slice(from, at));
    return label ? from + label.index : undefined;
  }

  /** Returns the placeholder for a value that is removed for good. */
  removeInput(finding: Finding): string {
    const placeholder = redacted(finding);
    this.final.add(placeholder);
    return placeholder;
  }

  /** Whether a value with this placeholder was removed for good. */
  isFinal(placeholder: string): boolean {
    return this.final.has(placeholder);
  }

  /** Whether it has the form of the placeholders in this request, and is none of them. */
  isLikeHidden(placeholder: string): boolean {
    const label = placeholder.replace(NUMBER, '');
    return label !== placeholder && this.labels.has(label) && !this.originals.has(placeholder);
  }

  private freePlaceholder(label: string, original: string): string {
    const digest = createHmac('sha256', this.scope).update(original).digest();
    let number = digest.readUInt32BE() % NUMBERS;
    for (let meetings = 0; meetings < MEETINGS; meetings += 1) {
      const placeholder = `[${label}_${FIRST_NUMBER + number}]`;
      if (!this.originals.has(placeholder)) return placeholder;
      number = (number + 1) % NUMBERS;
    }
    let long = digest.readUInt32BE(4) % LONG_NUMBERS;
    while (this.originals.has(`[${label}_${FIRST_LONG_NUMBER + long}]`)) long = (long + 1) % LONG_NUMBERS;
    return `[${label}_${FIRST_LONG_NUMBER + long}]`;
  }

  get isEmpty(): boolean {
    return this.originals.size === 0;
  }

  /** The edits that restore the originals of placeholders in a text that starts at `offset`. */
  restorations(text: string, offset: number): TextEdit[] {
    const edits: TextEdit[] = [];
    for (const match of text.matchAll(PLACEHOLDER)) {
      const original = this.originals.get(match[0]);
      const start = offset + match.index;
      if (original !== undefined) edits.push({ start, end: start + match[0].length, text: original });
    }
    return edits;
  }

  /** The offset in `text` from which a placeholder may still be open; its length if there is none. */
  openFrom(text: string): number {
    const tail = Math.max(0, text.length - MAX_PLACEHOLDER_CHARS);
    const open = OPEN_PLACEHOLDER.exec(text.slice(tail));
    return open ? tail + open.index : text.length;
  }
}

/** Returns the placeholder of a finding that is not restored. */
export function redacted(finding: Finding): string {
  return `[REDACTED_${toLabel(finding.rule.category)}]`;
}

function toLabel(category: string): string {
  return (
    category
      .toUpperCase()
      .replace(/[^A-Z]+/g, '_')
      .replace(/^_|_$/g, '')
      .slice(0, 32) || 'DATA'
  );
}
