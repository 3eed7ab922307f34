import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { isInRange, type ScoreRange, type Surface } from '../../kernel/model/index.ts';
import type { Clock } from '../../kernel/tasks/index.ts';
import { type Finding, findingKey } from '../matching/index.ts';
import type {
  AskingRequest,
  OutsideDetector,
  OutsideFailureReason,
  OutsideFinding,
  OutsideText,
  OutsideVerdict,
  ScoredText,
} from './outside-detector.ts';

/** Which texts are worth a call: all, or those whose own score is in the range. */
export type AskWhen = 'always' | ScoreRange;

export interface OutsideOptions {
  readonly detectors: readonly OutsideDetector[];
  /** Longest wait for all verdicts of one request or response, milliseconds. */
  readonly deadlineMs: number;
  readonly when: AskWhen;
  readonly clock: Clock;
}

/** Texts without a verdict. */
export interface OutsideFailure {
  readonly detector: string;
  readonly reason: OutsideFailureReason;
  /** For an operator's log. */
  readonly detail: string | null;
  /** Whether the policy has no say in it. */
  readonly isOptional: boolean;
}

export interface OutsideResult {
  /** For each text, in the order of the argument. */
  readonly findings: readonly (readonly Finding[])[];
  /** Each detector and reason once, for any number of texts. */
  readonly failures: readonly OutsideFailure[];
}

/** Parts of texts that a detector inspects in one call; the rest is `too_large`. */
const MAX_PARTS = 64;

interface SentText extends ScoredText {
  /** Index of the text in the argument. */
  readonly of: number;
}

interface Batch {
  readonly texts: readonly SentText[];
  /** Number of texts in the argument, including those that are not sent. */
  readonly given: number;
  readonly request: AskingRequest;
}

interface Part extends OutsideText {
  /** Index of the text in the argument. */
  readonly of: number;
  /** Its offset in the text. */
  readonly offset: number;
}

/** Sends texts to every outside detector at the same time, and waits no longer than the deadline. */
export class OutsideDetectors {
  private readonly options: OutsideOptions;
  private readonly known: KnownVerdicts;

  constructor(options: OutsideOptions) {
    this.options = options;
    this.known = new KnownVerdicts(() => options.clock.monotonic());
  }

  /** Returns the verdicts; undefined if no text is worth a call. Calls have started when it returns. Never rejects. */
  ask(texts: readonly ScoredText[], request: AskingRequest): Promise<OutsideResult> | undefined {
    const { detectors } = this.options;
    const sent = texts
      .map((text, of) => ({ ...text, of }))
      .filter((text) => detectors.some((detector) => this.needsVerdict(text, detector)));
    return sent.length === 0 ? undefined : this.inspectAll({ texts: sent, given: texts.length, request });
  }

  /** The operator's text is not sent: it is only ever flagged, and it is confidential. */
  private needsVerdict(text: ScoredText, detector: OutsideDetector): boolean {
    const { when } = this.options;
    if (text.surface === 'system' || text.text.trim() === '') return false;
    return detector.needs?.(text) ?? (when === 'always' || isInRange(when, text.score));
  }

  private async inspectAll(batch: Batch): Promise<OutsideResult> {
    const gathered = new GatheredResults(batch.given);
    const deadline = new Deadline(this.options.deadlineMs, batch.request.signal);
    await Promise.all(this.options.detectors.map((detector) => this.inspectWith(detector, batch, deadline, gathered)));
    deadline.end();
    return gathered.result;
  }

  private async inspectWith(
    detector: OutsideDetector,
    { texts, request }: Batch,
    deadline: Deadline,
    gathered: GatheredResults,
  ): Promise<void> {
    const needed = texts.filter((text) => this.needsVerdict(text, detector));
    const { parts, isWhole } = partsOf(needed, detector.maxChars);
    if (!isWhole) gathered.fail(detector, { failure: 'too_large' });
    const pending: { readonly part: Part; readonly key: string }[] = [];
    for (const part of parts) {
      const key = verdictKey([request.sender, detector.name, part.surface, part.text]);
      const findings = this.known.get(key);
      if (findings === undefined) pending.push({ part, key });
      else gathered.add(part, findings);
    }
    if (pending.length === 0) return;
    const calls = detector.inspect(
      pending.map(({ part: { text, surface } }) => ({ text, surface })),
      deadline.signal,
      request,
    );
    const verdicts = await Promise.all(calls.map((verdict) => deadline.bound(verdict)));
    for (const [at, { part, key }] of pending.entries()) {
      const verdict = verdicts[at] ?? { failure: 'failed' };
      if ('findings' in verdict) {
        this.known.set(key, verdict.findings);
        gathered.add(part, verdict.findings);
      } else gathered.fail(detector, verdict);
    }
  }
}

/** Newest texts first: if there are too many, old ones are left out. */
function partsOf(texts: readonly SentText[], maxChars: number): { parts: Part[]; isWhole: boolean } {
  const parts: Part[] = [];
  for (const { text, surface, of } of texts.toReversed()) {
    const room = MAX_PARTS - parts.length;
    const own = splitText(text, maxChars);
    parts.push(...own.slice(0, room).map((part) => ({ ...part, surface, of })));
    if (own.length > room) return { parts, isWhole: false };
  }
  return { parts, isWhole: true };
}

/** The results so far. */
class GatheredResults {
  private readonly byText: Map<string, Finding>[];
  private readonly failures = new Map<string, OutsideFailure>();

  constructor(texts: number) {
    this.byText = Array.from({ length: texts }, () => new Map());
  }

  /** Adds findings; those in the overlap of two parts count once. */
  add({ of, offset }: Part, findings: Extract<OutsideVerdict, { findings: unknown }>['findings']): void {
    for (const { rule, score, start, end } of findings) {
      const finding: Finding = { rule, score, start: offset + start, end: offset + end, decodedFrom: [] };
      this.byText[of]?.set(findingKey(finding), finding);
    }
  }

  fail(
    { name, isOptional = false }: OutsideDetector,
    verdict: Extract<OutsideVerdict, { failure: OutsideFailureReason }>,
  ): void {
    const { failure: reason, detail } = verdict;
    this.failures.set(`${name} ${reason} ${detail}`, { detector: name, reason, detail: detail ?? null, isOptional });
  }

  get result(): OutsideResult {
    return { findings: this.byText.map((findings) => [...findings.values()]), failures: [...this.failures.values()] };
  }
}

/** A part of a text, with its offset. */
interface TextPart {
  readonly text: string;
  readonly offset: number;
}

/** Length of the overlap of two parts, so that one of them contains each sentence as a whole. */
const OVERLAP_CHARS = 200;
/** How far before the length limit a part may end, so that it ends at a space. */
const REACH_CHARS = 100;

/** Splits a text into overlapping parts of at most `maxChars` (more than twice the overlap), without splitting a character. */
export function splitText(text: string, maxChars: number): TextPart[] {
  const parts: TextPart[] = [];
  let offset = 0;
  while (text.length - offset > maxChars) {
    const end = partEnd(text, offset + maxChars);
    parts.push({ text: text.slice(offset, end), offset });
    offset = wholeCharacter(text, end - OVERLAP_CHARS);
  }
  parts.push({ text: text.slice(offset), offset });
  return parts;
}

function partEnd(text: string, longest: number): number {
  const space = text.lastIndexOf(' ', longest - 1);
  return space >= longest - REACH_CHARS ? space : wholeCharacter(text, longest);
}

/** The offset, or the one before if it would split a surrogate pair. */
function wholeCharacter(text: string, offset: number): number {
  const unit = text.charCodeAt(offset);
  return unit >= 0xdc00 && unit <= 0xdfff ? offset - 1 : offset;
}

/** Ends calls after a time limit, or when the caller disconnects. */
class Deadline {
  private readonly abort = new AbortController();
  private readonly timer: ReturnType<typeof setTimeout>;
  private readonly over: Promise<OutsideVerdict>;
  private readonly outer: AbortSignal;
  private readonly stop = () => this.abort.abort();

  constructor(milliseconds: number, outer: AbortSignal) {
    this.outer = outer;
    this.timer = setTimeout(this.stop, milliseconds);
    this.over = new Promise((resolve) => {
      this.signal.addEventListener('abort', () => resolve({ failure: 'timeout' }), { once: true });
    });
    if (outer.aborted) this.stop();
    else outer.addEventListener('abort', this.stop, { once: true });
  }

  /** Aborted when the time is over. */
  get signal(): AbortSignal {
    return this.abort.signal;
  }

  /** The verdict, `timeout` when the time is over, or `failed` if it rejects. */
  bound(verdict: Promise<OutsideVerdict>): Promise<OutsideVerdict> {
    return Promise.race([verdict.catch(() => ({ failure: 'failed' }) as const), this.over]);
  }

  /** Releases the timer and the listener; call it once all results are in. */
  end(): void {
    clearTimeout(this.timer);
    this.outer.removeEventListener('abort', this.stop);
  }
}

interface Known {
  readonly findings: readonly OutsideFinding[];
  readonly until: number;
}

const MAX_KNOWN = 4_096;
/** Cached verdicts expire after this time, so that a changed guardrail applies. */
const FRESH_MS = 10 * 60_000;

/**
 * Recent verdicts of outside detectors by text digest: a conversation is sent again with every turn, and only its new messages are worth a
 * call. Contains no text.
 */
class KnownVerdicts {
  private readonly known = new LRUCache<string, Known>({ maxSize: MAX_KNOWN, sizeCalculation: () => 1 });
  private readonly monotonic: () => number;

  constructor(monotonic: () => number) {
    this.monotonic = monotonic;
  }

  get(key: string): readonly OutsideFinding[] | undefined {
    const found = this.known.get(key);
    return found === undefined || found.until < this.monotonic() ? undefined : found.findings;
  }

  set(key: string, findings: readonly OutsideFinding[]): void {
    this.known.set(key, { findings, until: this.monotonic() + FRESH_MS });
  }
}

function verdictKey(parts: readonly [sender: string, detector: string, surface: Surface, text: string]): string {
  return hash('sha256', parts.join(' '), 'base64');
}
