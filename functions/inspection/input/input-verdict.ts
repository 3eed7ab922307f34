import { toParam } from '../../kernel/errors/index.ts';
import {
  type JsonEdit,
  type JsonPath,
  JsonStrings,
  mergeEdits,
  renderEdits,
  type TextEdit,
  unescaped,
} from '../../kernel/json/index.ts';
import {
  type Action,
  isAttackType,
  isPrivate,
  type Reason,
  type RequestText,
  type Skipped,
} from '../../kernel/model/index.ts';
import { finish, type Steps } from '../../kernel/tasks/index.ts';
import { isInspectedAsName } from '../across-texts/index.ts';
import type { TextRange } from '../fusion/index.ts';
import type { Finding } from '../matching/index.ts';
import {
  decidingSurface,
  isUnreadable,
  type Policy,
  REDACTED_FILE,
  type Redaction,
  redacted,
  unreadableRule,
} from '../policy/index.ts';
import type { SecurityReport } from '../report/index.ts';

/** Redactions that take about a millisecond to make. */
const STEP_REDACTIONS = 200;

/** A text with its findings so far. */
export interface InspectedText {
  readonly text: RequestText;
  /** The highest score of its findings, 0 if there are none. */
  readonly score: number;
  /** The same of attacks only. */
  readonly attackScore: number;
  /** Redactions to apply, in order and without overlap. */
  readonly redactions: readonly TextEdit[];
}

interface Found {
  score: number;
  attackScore: number;
  readonly redacted: Mark[];
  readonly hidden: Mark[];
  redactions?: readonly TextEdit[] | undefined;
}

/** A range of a text that a finding covers completely or in part. */
interface Mark {
  readonly finding: Finding;
  readonly start: number;
  readonly end: number;
  /** The finding's ranges in later texts. */
  readonly rest: readonly TextRange[];
  /** Whether the finding starts in an earlier text, which contains its placeholder. */
  readonly isRest: boolean;
}

/** Replaces a text that would become empty: providers reject empty ones. */
const EMPTIED = '[...]';

/** The decisions about a request's texts; each detector adds its findings. */
export class InputVerdict {
  /** Where findings block, in the order of finding. */
  readonly blockedAt: JsonPath[] = [];
  private readonly all: readonly RequestText[];
  /** Most texts have no findings. */
  private readonly found = new Map<RequestText, Found>();
  private ordered: readonly [RequestText, Found][] = [];
  private readonly policy: Policy;
  private readonly redaction: Redaction;
  private readonly report: SecurityReport;

  constructor(texts: readonly RequestText[], policy: Policy, redaction: Redaction, report: SecurityReport) {
    this.all = texts;
    this.policy = policy;
    this.redaction = redaction;
    this.report = report;
  }

  /**
   * Adds findings that start in one of the texts to the report. `rest`: their ranges in later texts.
   * @returns whether they add a redaction
   */
  add(
    text: RequestText,
    findings: readonly Finding[],
    reasons: readonly Reason[] = [],
    rest: readonly TextRange[] = [],
  ): boolean {
    const found = this.foundIn(text);
    let redactsAny = false;
    for (const finding of findings) {
      found.score = Math.max(found.score, finding.score);
      if (isAttackType(finding.rule.type)) found.attackScore = Math.max(found.attackScore, finding.score);
      const redacts = this.decide(text, finding, reasons, rest) === 'redact';
      const hides = redacts || isPrivate(finding.rule.type);
      redactsAny ||= redacts;
      for (const { text: covered, ...mark } of marksOf(text, finding, rest)) {
        const marked = this.foundIn(covered);
        if (redacts) {
          marked.redacted.push(mark);
          marked.redactions = undefined;
        }
        if (hides) marked.hidden.push(mark);
      }
    }
    return redactsAny;
  }

  /** Reports the parts of the request that could not be read, and applies the policy to them. */
  addUnread(skipped: readonly Skipped[]): void {
    const action = this.policy.unreadable;
    if (action === 'allow') return;
    const rule = unreadableRule(action);
    for (const { path } of skipped.filter(isUnreadable)) {
      const [list, at] = path;
      const message = list !== 'tools' && typeof at === 'number' ? at : null;
      const location = { part: 'input', message, field: toParam(path), start: 0, end: 0 } as const;
      this.report.add({ rule, score: rule.score, start: 0, end: 0, decodedFrom: [] }, action, location);
      if (action === 'block') this.blockedAt.push(path);
    }
  }

  /** The field of the first finding that blocks. */
  get blockedBy(): string | undefined {
    const [first] = this.blockedAt;
    return first && toParam(first);
  }

  get texts(): readonly InspectedText[] {
    finish(this.redactSteps());
    return this.all.map((text) => {
      const { score = 0, attackScore = 0, redactions = [] } = this.found.get(text) ?? {};
      return { text, score, attackScore, redactions };
    });
  }

  /** Makes the redactions, in steps: a placeholder takes some microseconds, and a request may need many. */
  *redactSteps(): Steps<void> {
    for (const [text, found] of this.inOrder) {
      if (found.redacted.length === 0 || found.redactions !== undefined) continue;
      found.redactions = yield* redactionsIn(text, found.redacted, this.redaction);
    }
  }

  /** Redactions to apply to the body. */
  get edits(): JsonEdit[] {
    finish(this.redactSteps());
    return this.inOrder.flatMap(([text, { redactions = [] }]) =>
      redactions.length > 0 ? [toEdit(text, redactions)] : [],
    );
  }

  /** Edits that permanently remove redacted and private data from the body. */
  get hidingEdits(): JsonEdit[] {
    const edits = this.inOrder
      .filter(([, { hidden }]) => hidden.length > 0)
      .map(([text, { hidden }]) =>
        toEdit(
          text,
          mergeEdits(
            hidden.map(({ finding, start, end, isRest }) => ({ start, end, text: isRest ? '' : redacted(finding) })),
          ),
        ),
      );
    // A string may be inspected both as a string and as the file in it: one edit removes both.
    return [...new Map(edits.map((edit) => [JSON.stringify(edit.path), edit])).values()];
  }

  /**
   * The action that a text permits: a name cannot be changed, reasoning always passes, and a file that cannot be rewritten is blocked instead of
   * redacted.
   */
  private possible(action: Action, text: RequestText): Action {
    const { name, isReadOnly, file } = text;
    const isName = name === 'member' || isInspectedAsName(text);
    if (action === 'redact' && file !== undefined && file.rewrite === undefined) return 'block';
    const cannot = (action === 'redact' && (isName || isReadOnly)) || (action === 'block' && isReadOnly);
    return cannot ? 'flag' : action;
  }

  /** The texts with findings, in the request's order. */
  private get inOrder(): readonly [RequestText, Found][] {
    if (this.ordered.length !== this.found.size) {
      this.ordered = this.all.flatMap((text): [RequestText, Found][] => {
        const found = this.found.get(text);
        return found === undefined ? [] : [[text, found]];
      });
    }
    return this.ordered;
  }

  private foundIn(text: RequestText): Found {
    const found = this.found.get(text) ?? { score: 0, attackScore: 0, redacted: [], hidden: [] };
    this.found.set(text, found);
    return found;
  }

  private decide(text: RequestText, finding: Finding, reasons: readonly Reason[], rest: readonly TextRange[]): Action {
    const surface = decidingSurface(text);
    const { start, end } = finding;
    const field = toParam(text.path);
    const location = { part: 'input', message: text.message, field, start, end } as const;
    if (this.policy.notes(finding, surface)) this.report.note(finding, location);
    const decided = this.policy.decide(finding, surface);
    const action = rest.reduce((possible, range) => this.possible(possible, range.text), this.possible(decided, text));
    this.report.add(finding, action, location, { reasons });
    if (action === 'block') this.blockedAt.push(text.path, ...rest.map((range) => range.text.path));
    return action;
  }
}

function toEdit({ path, text, file }: RequestText, edits: readonly TextEdit[]): JsonEdit {
  const changed = renderEdits(text, 0, edits);
  const written = file === undefined ? changed : (file.rewrite?.(changed) ?? REDACTED_FILE);
  return { kind: 'replace', path, json: JSON.stringify(written) };
}

function marksOf(text: RequestText, finding: Finding, rest: readonly TextRange[]): (Mark & TextRange)[] {
  const { start, end } = finding;
  return [
    { text, finding, start, end, rest, isRest: false },
    ...rest.map((range) => ({ ...range, finding, rest: [], isRest: true })),
  ];
}

/**
 * The placeholders for findings in a text. Findings that overlap share one, which restores all that they cover. A finding that starts in an
 * earlier text is removed.
 */
function* redactionsIn({ text, isJson }: RequestText, marks: readonly Mark[], redaction: Redaction): Steps<TextEdit[]> {
  const strings = isJson ? new JsonStrings() : undefined;
  strings?.push(text);
  const coveredBy = inRanges(marks);
  const edits: TextEdit[] = [];
  for (const range of mergeEdits(marks.map(({ start, end }) => ({ start, end, text: '' })))) {
    edits.push(replacementFor(range, coveredBy(range)));
    if (edits.length % STEP_REDACTIONS === 0) yield;
  }
  const isEmptied = text.trim() !== '' && renderEdits(text, 0, edits).trim() === '';
  return isEmptied ? edits.with(0, { ...(edits[0] as TextEdit), text: EMPTIED }) : edits;

  function replacementFor(range: TextEdit, marked: readonly Mark[]): TextEdit {
    const covered = marked.filter(({ isRest }) => !isRest);
    const [first] = covered;
    if (first === undefined) return range;
    const lost = covered.find(({ finding }) => finding.rule.type !== 'pii');
    if (lost !== undefined) return place(range, redaction.removeInput(lost.finding));
    const { start, end } = strings?.align(range) ?? range;
    const original = text.slice(start, end);
    const whole = isJson ? unescaped(original) : original + longestRest(covered);
    return place(range, redaction.hideInput(first.finding, whole));
  }

  function place({ start, end }: TextEdit, placeholder: string): TextEdit {
    const edit = { start, end, text: placeholder };
    return strings?.align(edit) ?? edit;
  }
}

/** The longest rest of these findings in later texts, as one text. */
function longestRest(marks: readonly Mark[]): string {
  const rests = marks.map(({ rest }) => rest.map(({ text, start, end }) => text.text.slice(start, end)).join(''));
  return rests.reduce((longest, rest) => (rest.length > longest.length ? rest : longest), '');
}

/** Returns a function for the marks in each merged range, in the order of finding; call it with ranges in order. */
function inRanges(marks: readonly Mark[]): (range: TextEdit) => readonly Mark[] {
  const ahead = marks.map((mark, at) => ({ mark, at })).sort((a, b) => a.mark.start - b.mark.start);
  let next = 0;
  return ({ start, end }) => {
    const from = next;
    while (next < ahead.length && isIn((ahead[next] as (typeof ahead)[number]).mark, start, end)) next += 1;
    const covered = ahead.slice(from, next).sort((a, b) => a.at - b.at);
    return covered.map(({ mark }) => mark);
  };
}

function isIn(mark: Mark, start: number, end: number): boolean {
  return mark.start >= start && mark.end <= end;
}
