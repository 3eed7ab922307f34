import type { Action, Severity, ThreatType } from '../../api/client.ts';
import { threatName } from '../../components/labels.ts';
import type { MarkedRange } from '../../components/text-box.tsx';
import { textAt } from '../../components/text-ranges.ts';

/** A finding as the caller of the gateway is told it. */
export interface ToldFinding {
  readonly type: ThreatType;
  readonly category: string;
  readonly score: number;
  readonly severity: Severity;
  readonly action: Action;
  readonly rule: string;
  readonly message: string;
  readonly reasons?: readonly string[];
  readonly location: {
    readonly part: 'input' | 'output';
    readonly message: number | null;
    readonly field: string;
    readonly start: number;
    readonly end: number;
  };
  readonly owasp: string | null;
  readonly atlas: string | null;
}

/** The field `svc` of an answer. */
export interface Svc {
  readonly threat_score: number;
  readonly action: Action;
  readonly detected_threats: readonly ToldFinding[];
  readonly processing_time_ms: number;
  readonly request_id: string;
  readonly coverage: { readonly skipped: readonly string[] };
}

export interface FoundText {
  readonly field: string;
  readonly text: string;
  readonly ranges: readonly MarkedRange[];
}

/** The texts in which something was found, each with its places; of the answer, `answers` has the text by channel. */
export function foundTexts(svc: Svc, body: unknown, answers: Readonly<Record<string, string>> = {}): FoundText[] {
  const byField = new Map<string, { readonly text: string; readonly ranges: MarkedRange[] }>();
  for (const { location, type, rule, score } of svc.detected_threats) {
    const { part, field, start, end } = location;
    const text = part === 'output' && field in answers ? answers[field] : textAt(body, field);
    if (text === undefined) continue;
    const known = byField.get(field) ?? { text, ranges: [] };
    known.ranges.push({ start, end, title: `${threatName(type)}, ${score.toFixed(2)}: ${rule}` });
    byField.set(field, known);
  }
  return [...byField].map(([field, found]) => ({ field, ...found }));
}
