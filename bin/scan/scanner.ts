import {
  createInspector,
  filesOf,
  inspectRequest,
  type Policy,
  policyOf,
  type ReadText,
  Redaction,
  readTextFiles,
  SecurityReport,
  type TextInspector,
  underPolicy,
  withExamples,
} from '../../functions/inspection/index.ts';
import { GatewayError } from '../../functions/kernel/errors/index.ts';
import { readJsonDocument } from '../../functions/kernel/json/index.ts';
import {
  type Action,
  NAMED_AUTHORS,
  outsideMessages,
  type PolicySettings,
  type ShownThreat,
  type Surface,
  type ThreatType,
} from '../../functions/kernel/model/index.ts';
import { finish } from '../../functions/kernel/tasks/index.ts';
import { checkGuardRequest, readTexts, textsOf } from '../../functions/pipeline/index.ts';
import type { Item, Subject } from './read-texts.ts';

/** The result of one text or conversation, without any of the text. */
export interface Scanned {
  readonly item: Item;
  readonly threatScore: number;
  readonly action: Action;
  readonly scores: Readonly<Record<ThreatType, number>>;
  /** Findings, then documented examples. */
  readonly threats: readonly ShownThreat[];
  /** Time of the inspection alone. */
  readonly micros: number;
  /** Parts of a conversation that hold no text, such as images. */
  readonly skippedParts: number;
}

/** Inspects as the gateway does, with a policy and for one author. */
export class Scanner {
  private readonly policy: Policy;
  private readonly inspector: TextInspector;
  private readonly surface: Surface;

  constructor(settings: PolicySettings, surface: Surface) {
    this.policy = policyOf(settings);
    const inspector = createInspector();
    inspector.warmUp();
    this.inspector = underPolicy(inspector, this.policy, undefined);
    this.surface = surface;
  }

  /** @throws GatewayError for a conversation in a wrong form; its message names the field */
  scan(item: Item): Scanned {
    const report = new SecurityReport();
    const startedAt = performance.now();
    const { texts, skipped } = this.inspect(item.subject, report);
    const threats = withExamples(report.threats, texts, this.inspector, this.policy);
    const micros = Math.round((performance.now() - startedAt) * 1000);
    const { threatScore, action, scores } = report;
    return { item, threatScore, action, scores, threats, micros, skippedParts: skipped };
  }

  private inspect(subject: Subject, report: SecurityReport): { texts: readonly ReadText[]; skipped: number } {
    if (subject.kind === 'conversation') return this.inspectConversation(subject, report);
    const { text } = subject;
    if (this.surface === 'output') {
      this.inspectOutput(text, report);
      return {
        texts: [{ text, surface: 'output', part: 'output', message: null, field: 'text' }],
        skipped: 0,
      };
    }
    const texts = [outsideMessages(['text'], text, NAMED_AUTHORS[this.surface])];
    inspectRequest(texts, this.inspector, this.policy, new Redaction('scan'), report);
    return { texts: readTexts(texts), skipped: 0 };
  }

  private inspectOutput(text: string, report: SecurityReport): void {
    for (const finding of this.inspector.inspect(text, 'output')) {
      const { start, end } = finding;
      const location = { part: 'output', message: null, field: 'text', start, end } as const;
      report.add(finding, this.policy.decide(finding, 'output'), location);
    }
  }

  private inspectConversation(
    { messages, tools }: Extract<Subject, { kind: 'conversation' }>,
    report: SecurityReport,
  ): { texts: readonly ReadText[]; skipped: number } {
    const document = readJsonDocument(toJson({ messages, tools }));
    const own = finish(textsOf(checkGuardRequest(document)));
    const { texts, skipped } = readTextFiles(document.value, own, filesOf(document));
    const verdict = inspectRequest(texts, this.inspector, this.policy, new Redaction('scan'), report);
    verdict.addUnread(skipped);
    return { texts: readTexts(texts), skipped: skipped.length };
  }
}

/** @throws GatewayError for values nested too deeply to be written */
function toJson(value: object): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) throw new GatewayError('invalid_json', 'The JSON is nested too deeply.');
    throw error;
  }
}

/** The reason why a conversation cannot be scanned; throws anything else again. */
export function faultOf(item: Item, error: unknown): string {
  if (!(error instanceof GatewayError)) throw error;
  const { file, line } = item.position;
  return `${file}${line === undefined ? '' : `:${line}`}: ${error.message}`;
}
