import {
  createInspector,
  InspectionReport,
  inspectInputNow,
  inspectResponse,
  type Policy,
  policyOf,
  Redaction,
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
import { checkGuardRequest, textsOf } from '../../functions/pipeline/index.ts';
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
    const report = new InspectionReport();
    const { findings } = report;
    const startedAt = performance.now();
    const { inspected, skippedParts } = this.inspect(item.subject, report);
    const threats = withExamples(findings.threats, inspected, this.inspector, this.policy);
    const micros = Math.round((performance.now() - startedAt) * 1000);
    const { threatScore, action, scores } = findings;
    return { item, threatScore, action, scores, threats, micros, skippedParts };
  }

  private inspect(subject: Subject, report: InspectionReport) {
    const { policy, inspector, surface } = this;
    const settings = { policy, redaction: new Redaction('scan') };
    if (subject.kind === 'conversation') {
      const { texts, skipped } = inspectInputNow({ ...readConversation(subject), ...settings }, inspector, report);
      return { inspected: texts, skippedParts: skipped.length };
    }
    const { text } = subject;
    if (surface === 'output') {
      finish(inspectResponse({ text, field: 'text' }, policy, inspector, report));
      return { inspected: { output: text, field: 'text' }, skippedParts: 0 };
    }
    const texts = [outsideMessages(['text'], text, NAMED_AUTHORS[surface])];
    inspectInputNow({ own: { texts, skipped: [] }, ...settings }, inspector, report);
    return { inspected: texts, skippedParts: 0 };
  }
}

/** @throws GatewayError for a wrong form */
function readConversation({ messages, tools }: Extract<Subject, { kind: 'conversation' }>) {
  const document = readJsonDocument(toJson({ messages, tools }));
  return { document, own: finish(textsOf(checkGuardRequest(document))) };
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
