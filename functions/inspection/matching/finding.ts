import type { Rule } from './rule.ts';

/** A rule's match in one text. Contains no matched text except `evidence`. */
export interface Finding {
  readonly rule: Rule;
  /** 0..1, after the rule's check. Decides the action. */
  readonly score: number;
  /**
   * The score for `threat_score`, if it is higher: a rule or classifier that is alone in third-party text is as likely right as it says, but
   * acts as its lower `score` says.
   */
  readonly likelihood?: number;
  /** Half-open range in UTF-16 code units of the text as sent. For a decoded payload, the range of its encoded form. */
  readonly start: number;
  readonly end: number;
  /** Where a block cuts a streamed response, if not at `start`: after the text that the rule inspected. */
  readonly cutsAt?: number;
  /** Decoded encodings, outermost first; empty for plain text. */
  readonly decodedFrom: readonly string[];
  /** A masked excerpt for the caller, if the policy asks for it: never for logs, records and events. */
  readonly evidence?: string;
}

/** A match that its rule's check has confirmed, in offsets of the raw text. */
export interface RuleHit {
  readonly rule: Rule;
  readonly score: number;
  readonly start: number;
  readonly end: number;
  /** As in Finding. */
  readonly cutsAt?: number;
}

/** Orders findings by start, end, rule, encoding and score, the highest first. */
export function compareFindings(a: Finding, b: Finding): number {
  return (
    a.start - b.start ||
    a.end - b.end ||
    compareText(a.rule.id, b.rule.id) ||
    compareText(a.decodedFrom.join(' '), b.decodedFrom.join(' ')) ||
    b.score - a.score
  );
}

/** Findings with the same key are duplicates. */
export function findingKey(finding: Finding): string {
  return `${finding.rule.id} ${finding.start} ${finding.end} ${finding.decodedFrom.join(' ')}`;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
