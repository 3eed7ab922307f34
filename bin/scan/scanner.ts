import {
  CallInspector,
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
import { HeaderList } from '../../functions/kernel/http/index.ts';
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
import { finish, neverPausing } from '../../functions/kernel/tasks/index.ts';
import { loadApi } from '../../functions/translation/index.ts';
import { type Conversation, nameIn } from './conversation.ts';
import type { Item, Subject } from './read-texts.ts';

/** Gemini's path names the model and the method. */
const ASKED = {
  request: { url: 'http://scan/', headers: new HeaderList([]) },
  params: { call: 'unknown:generateContent' },
};

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
  /** Whether its calls were not compared with what came before, since that is not known. */
  readonly skipsCalls: boolean;
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
  async scan(item: Item): Promise<Scanned> {
    const report = new InspectionReport();
    const { findings } = report;
    const startedAt = performance.now();
    const { inspected, nameOf, ...skipped } = await this.inspect(item.subject, report);
    const threats = withExamples(findings.threats, inspected, this.inspector, this.policy).map(
      (threat): ShownThreat => ({ ...threat, location: { ...threat.location, field: nameOf(threat.location.field) } }),
    );
    const micros = Math.round((performance.now() - startedAt) * 1000);
    const { threatScore, action, scores } = findings;
    return { item, threatScore, action, scores, threats, micros, ...skipped };
  }

  private async inspect(subject: Subject, report: InspectionReport) {
    const { policy, inspector, surface } = this;
    const settings = { policy, redaction: new Redaction('scan') };
    if (subject.kind === 'conversation') return this.inspectConversation(subject.conversation, report);
    const { text } = subject;
    const own = { nameOf: (field: string) => field, skippedParts: 0, skipsCalls: false };
    if (surface === 'output') {
      finish(inspectResponse({ texts: [{ text, field: 'text' }] }, policy, inspector, report));
      return { inspected: { output: text, field: 'text' }, ...own };
    }
    const texts = [outsideMessages(['text'], text, NAMED_AUTHORS[surface])];
    inspectInputNow({ own: { texts, skipped: [] }, ...settings }, inspector, report);
    return { inspected: texts, ...own };
  }

  /** Inspects the texts of a conversation, and each call beside what came before it. */
  private async inspectConversation(conversation: Conversation, report: InspectionReport) {
    const { policy, inspector } = this;
    const reader = (await loadApi(conversation.api))(ASKED);
    const document = readJsonDocument(toJson(conversation.body));
    const body = reader.check(document);
    const input = { document, own: finish(reader.texts(body)), policy, redaction: new Redaction('scan') };
    const { texts, skipped } = inspectInputNow(input, inspector, report);
    const request = reader.read(body);
    const isComplete = conversation.isComplete === true;
    const deps = { sender: undefined, policy, report, scheduler: neverPausing(), inspector };
    await new CallInspector(request, isComplete, deps).inspectAll();
    return {
      inspected: texts,
      nameOf: (field: string) => nameIn(conversation, field),
      skippedParts: skipped.length,
      skipsCalls: !isComplete && request.messages.some(({ toolCalls }) => toolCalls !== undefined),
    };
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
