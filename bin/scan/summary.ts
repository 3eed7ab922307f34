import { ACTIONS, type Action, strongerAction, type ThreatType } from '../../functions/kernel/model/index.ts';
import { shown } from '../file-errors.ts';
import { ruleName } from '../rule-name.ts';
import { type Place, placesOf } from './place.ts';
import type { Scanned } from './scanner.ts';

const MAX_WORST = 10;
const STRONGEST_FIRST = ACTIONS.toReversed();

interface Worst {
  readonly action: Action;
  readonly score: number;
  readonly where: string;
  readonly rule: string;
  /** Of a conversation. */
  readonly field: string | undefined;
}

/** What a scan leaves out or cannot read. */
export interface Omitted {
  readonly errors: number;
  readonly skippedBinary: number;
}

/** Counts of a scan, in constant memory. */
export class Summary {
  texts = 0;
  private readonly files = new Set<string>();
  private readonly byAction = new Map<Action, number>();
  private readonly byType = new Map<ThreatType, number>();
  private examples = 0;
  private skippedParts = 0;
  private skippedCalls = 0;
  private strongest: Action = 'allow';
  private worst: Worst[] = [];

  add(scanned: Scanned): void {
    const { action, threats, item, skippedParts, skipsCalls } = scanned;
    this.texts += 1;
    this.files.add(item.position.file);
    this.skippedParts += skippedParts;
    if (skipsCalls) this.skippedCalls += 1;
    this.strongest = strongerAction(this.strongest, action);
    this.byAction.set(action, (this.byAction.get(action) ?? 0) + 1);
    for (const { type, example, action: acted } of threats) {
      if (example) this.examples += 1;
      else if (acted !== 'allow') this.byType.set(type, (this.byType.get(type) ?? 0) + 1);
    }
    if (action !== 'allow') this.addWorst(scanned);
  }

  /** Whether a text has this action or a stronger one. */
  reaches(action: Action): boolean {
    return this.texts > 0 && strongerAction(action, this.strongest) === this.strongest;
  }

  lines(seconds: number, { errors, skippedBinary }: Omitted): string[] {
    const rate = seconds > 0 ? Math.round(this.texts / seconds) : 0;
    const lines = [
      `${count(this.texts, 'text')} in ${count(this.files.size, 'input')}, ${seconds.toFixed(1)} s, ${rate.toLocaleString('en')} texts/s`,
      `actions: ${listed(STRONGEST_FIRST.map((action) => [action, this.byAction.get(action) ?? 0]))}`,
      `findings: ${listed([...this.byType].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)))}`,
    ];
    if (this.examples > 0) lines.push(`documented examples: ${this.examples.toLocaleString('en')}, score 0`);
    const omitted = [
      [errors, 'error'] as const,
      [skippedBinary, 'binary file'] as const,
      [this.skippedParts, 'part of conversations without text'] as const,
      [this.skippedCalls, 'conversation whose calls lack earlier turns'] as const,
    ].filter(([number]) => number > 0);
    if (omitted.length > 0)
      lines.push(`not scanned: ${omitted.map(([number, thing]) => count(number, thing)).join(', ')}`);
    if (this.worst.length > 0) lines.push('worst texts:', ...this.worst.map(worstLine));
    return lines;
  }

  private addWorst({ action, threatScore, threats, item }: Scanned): void {
    const acting = threats.filter((threat) => threat.action === action);
    const [lead] = acting.sort((a, b) => b.score - a.score);
    const score = lead?.score ?? threatScore;
    const last = this.worst.at(-1);
    if (this.worst.length === MAX_WORST && last !== undefined && compareWorst({ action, score }, last) >= 0) return;
    const place: Place =
      lead === undefined ? { startLine: item.position.line ?? 1, startColumn: 1 } : placesOf(item)(lead);
    const { file, isVerbatim } = item.position;
    const where = `${file}:${place.startLine}${isVerbatim ? `:${place.startColumn}` : ''}`;
    const field = item.subject.kind === 'conversation' ? lead?.location.field : undefined;
    this.worst.push({ action, score, where, rule: lead === undefined ? '-' : ruleName(lead), field });
    this.worst = this.worst.sort(compareWorst).slice(0, MAX_WORST);
  }
}

/** Worse texts first; equal ones stay in their order. */
function compareWorst(a: Pick<Worst, 'action' | 'score'>, b: Pick<Worst, 'action' | 'score'>): number {
  return ACTIONS.indexOf(b.action) - ACTIONS.indexOf(a.action) || b.score - a.score;
}

function worstLine({ action, score, where, rule, field }: Worst): string {
  const line = `  ${action.padEnd(6)} ${score.toFixed(2)}  ${shown(where)}  ${rule}`;
  return field === undefined ? line : `${line}  ${shown(field)}`;
}

function listed(counts: readonly (readonly [name: string, number: number])[]): string {
  const parts = counts
    .filter(([, number]) => number > 0)
    .map(([name, number]) => `${number.toLocaleString('en')} ${name}`);
  return parts.join(', ') || 'none';
}

function count(number: number, thing: string): string {
  const plural = thing.includes(' ') && !thing.endsWith('file') ? thing.replace(' ', 's ') : `${thing}s`;
  return `${number.toLocaleString('en')} ${number === 1 ? thing : plural}`;
}
