import { type JsonEdit, type JsonPath, renderEdits } from '../../kernel/json/index.ts';
import {
  type ModerationResult,
  plantedText,
  type RequestText,
  type RequestTexts,
  type Skipped,
} from '../../kernel/model/index.ts';
import { isInspectedAsName } from '../across-texts/index.ts';
import { lacksReader } from '../files/index.ts';
import type { Evidence } from '../fusion/index.ts';
import { moderationResult } from '../moderation/index.ts';
import { contextOf, createMarker, type ResponseContext } from '../output/index.ts';
import type { AskingRequest, OutsideDetectors, OutsideResult } from '../outside/index.ts';
import { decidingSurface, type Policy } from '../policy/index.ts';
import { awaitOutside, type InspectionProgress, withholdsUninspected } from '../report/index.ts';
import { originalRanges } from '../views/index.ts';
import type { InputVerdict } from './input-verdict.ts';

/** Changes to a request by outside detectors. */
export interface OutsideInput {
  /** They added redactions. */
  readonly redacts: boolean;
  /** A verdict is missing, and the policy blocks then. */
  readonly withheld: boolean;
}

/** An inspected request: the decisions on its findings, and what follows from them. */
export class InspectedInput {
  readonly texts: readonly RequestText[];
  /** The parts that could not be read. */
  readonly skipped: readonly Skipped[];
  readonly evidence: readonly Evidence[];
  /** The texts that were not inspected in full within the CPU budget, if the policy blocks then. */
  private readonly unfinishedAt: readonly JsonPath[];
  private readonly verdict: InputVerdict;
  private readonly policy: Policy;

  constructor(
    { texts, skipped }: RequestTexts,
    evidence: readonly Evidence[],
    verdict: InputVerdict,
    policy: Policy,
    unfinishedAt: readonly JsonPath[] = [],
  ) {
    this.texts = texts;
    this.skipped = skipped;
    this.evidence = evidence;
    this.unfinishedAt = unfinishedAt;
    this.verdict = verdict;
    this.policy = policy;
  }

  /** Whether a document was left unread, since there was no reader. */
  get lacksReader(): boolean {
    return lacksReader(this);
  }

  /** The field of the first finding that blocks; undefined if none does. */
  get blockedBy(): string | undefined {
    return this.verdict.blockedBy;
  }

  /** Whether the CPU budget was used up before the end of inspection, and the policy blocks then. */
  get unfinished(): boolean {
    return this.unfinishedAt.length > 0;
  }

  /** Everything that the policy blocks, or that was not inspected in full if it blocks then. A place may occur more than once. */
  get withheldAt(): readonly JsonPath[] {
    return [...this.verdict.blockedAt, ...this.unfinishedAt];
  }

  /** Redactions to apply to the body. */
  get edits(): JsonEdit[] {
    return this.verdict.edits;
  }

  /** Edits that permanently remove redacted and private data from the body. */
  get hidingEdits(): JsonEdit[] {
    return this.verdict.hidingEdits;
  }

  /** What its response is compared with. */
  get context(): ResponseContext {
    return contextOf(this.texts);
  }

  /**
   * Plants a canary if the policy asks for one.
   * @param plant the edit that adds a text to the request's prompt; undefined if it has none
   * @param marker what it contains; by default a random one
   */
  plantCanary(
    plant: (text: string) => JsonEdit | undefined,
    marker = createMarker(),
  ): {
    readonly planted: readonly JsonEdit[];
    readonly context: ResponseContext;
  } {
    const edit = this.policy.canary ? plant(plantedText(marker)) : undefined;
    if (edit === undefined) return { planted: [], context: this.context };
    return { planted: [edit], context: contextOf(this.texts, marker) };
  }

  /** Scores by category of these findings, as a moderation reports them. */
  moderate(evidence: readonly Evidence[]): ModerationResult {
    const found = evidence.map(({ finding }) => finding);
    const acting = found.filter((finding) => this.policy.decide(finding, 'user') !== 'allow');
    return moderationResult(found, acting);
  }

  /**
   * Starts the outside detectors, if the request passed the built-in rules; undefined if none is configured or called. They receive the
   * request as the provider does, with redactions. `isLeftOut`: texts that no detector receives; what is blocked is among them.
   */
  ask(
    request: AskingRequest,
    outside: OutsideDetectors | undefined,
    isLeftOut?: (text: RequestText) => boolean,
  ): Promise<OutsideResult> | undefined {
    if (outside === undefined) return undefined;
    if (isLeftOut === undefined && (this.unfinished || this.blockedBy !== undefined)) return undefined;
    const texts = this.verdict.texts.map(({ text, redactions, score, attackScore }) => ({
      // Outside detectors do not inspect names or stop sequences.
      text: isInspectedAsName(text) || text.isUnread || isLeftOut?.(text) ? '' : renderEdits(text.text, 0, redactions),
      surface: decidingSurface(text),
      score,
      attackScore,
    }));
    return outside.ask(texts, request);
  }

  /** Waits for the outside detectors, if they were called, and adds their findings. */
  async addOutside(
    { inspection, times }: InspectionProgress,
    asked: Promise<OutsideResult> | undefined,
  ): Promise<OutsideInput> {
    if (asked === undefined) return { redacts: false, withheld: false };
    const result = await awaitOutside(times, asked);
    let redacts = false;
    for (const [at, { text, redactions }] of this.verdict.texts.entries()) {
      const toOriginal = originalRanges(redactions);
      const original = (result.findings[at] ?? []).map((finding) => ({ ...finding, ...toOriginal(finding) }));
      if (this.verdict.add(text, original)) redacts = true;
    }
    return { redacts, withheld: withholdsUninspected(inspection, result.failures, this.policy) };
  }
}
