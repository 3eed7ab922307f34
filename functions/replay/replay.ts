import {
  CallInspector,
  decideRecorded,
  InspectionReport,
  inspectInputNow,
  inspectResponse,
  type Policy,
  policyOf,
  Redaction,
  type ruleOf,
  type TextInspector,
  underPolicy,
} from '../inspection/index.ts';
import { HeaderList } from '../kernel/http/index.ts';
import { type JsonDocument, readJsonDocument } from '../kernel/json/index.ts';
import {
  type Action,
  type Capture,
  type ChatRequest,
  type PolicySettings,
  type RecordedFinding,
  type RequestRecord,
  type RequestTexts,
  strongerAction,
  type ThreatType,
} from '../kernel/model/index.ts';
import { finish, neverPausing } from '../kernel/tasks/index.ts';
import { loadApi, readCommonMembers } from '../translation/index.ts';

/** The engine that replays use. */
export interface ReplayEngine {
  readonly ruleOf: typeof ruleOf;
  readonly inspector: TextInspector;
}

/** A recorded or new finding, and its action before and under the policy. */
export interface ReplayedFinding {
  readonly type: ThreatType;
  readonly rule: string;
  /** The rule of the policy that a tool call violates. */
  readonly policyRule?: string;
  /** Its place: of a tool call, the argument. */
  readonly field: string;
  readonly live: Action;
  readonly replayed: Action;
}

/** What a policy would have done with a request. */
export interface ReplayedRequest {
  readonly action: Action;
  readonly findings: readonly ReplayedFinding[];
}

type PastRequest = Pick<RequestRecord, 'route' | 'findings'>;

/** Decides past requests under a policy. */
export class Replay {
  private readonly policy: Policy;
  private readonly engine: ReplayEngine;

  constructor(settings: PolicySettings, engine: ReplayEngine) {
    this.policy = policyOf(settings);
    this.engine = engine;
  }

  /** Decides by the findings in the request's record. */
  byFindings({ findings }: PastRequest): ReplayedRequest {
    const replayed = findings.map((past) => ({
      ...recordedPart(past),
      replayed: decideRecorded(past, this.policy, this.engine.ruleOf),
    }));
    return { action: strongest(replayed), findings: replayed };
  }

  /**
   * Decides by the captured text, inspected again; undefined for a text that is truncated, redacted or of another
   * route.
   */
  async byText({ route, findings }: PastRequest, capture: Capture): Promise<ReplayedRequest | undefined> {
    const report = await inspectAgain(route, capture, this.policy, this.engine.inspector);
    if (report === undefined) return undefined;
    const live = Map.groupBy(findings, placeOf);
    const found = report.threats.map((threat): ReplayedFinding => {
      const past = live.get(placeOf(threat))?.shift();
      return { ...recordedPart(threat), live: past?.action ?? 'allow', replayed: threat.action };
    });
    const lost = [...live.values()].flat().map((past): ReplayedFinding => {
      const isKnown = isInText(past, capture);
      return {
        ...recordedPart(past),
        replayed: isKnown ? 'allow' : decideRecorded(past, this.policy, this.engine.ruleOf),
      };
    });
    return { action: strongerAction(report.action, strongest(lost)), findings: [...found, ...lost] };
  }
}

function recordedPart({
  type,
  rule,
  policyRule,
  action,
  location,
}: RecordedFinding): Omit<ReplayedFinding, 'replayed'> {
  return { type, rule, ...(policyRule !== undefined && { policyRule }), field: location.field, live: action };
}

/** Whether an inspection of the text repeats a finding: not those about tool definitions, earlier calls, and calls that the capture has not. */
function isInText({ rule, location: { part, message } }: RecordedFinding, { calls }: Capture): boolean {
  if (!rule.startsWith('tool-misuse/')) return true;
  if (DEFINITION_RULES.has(rule)) return false;
  return part === 'input' ? message === null : calls !== undefined;
}

const DEFINITION_RULES = new Set(['tool-misuse/tool-changed', 'tool-misuse/tool-shadowed']);

function strongest(findings: readonly ReplayedFinding[]): Action {
  return findings.reduce<Action>((action, { replayed }) => strongerAction(action, replayed), 'allow');
}

/** Identifies the same finding in a new inspection. Records have `*` for some names in the field of a call. */
function placeOf({
  rule,
  policyRule,
  location: { part, message, field, start, end },
}: Pick<RecordedFinding, 'rule' | 'policyRule' | 'location'>): string {
  const call = rule.startsWith('tool-misuse/') ? [policyRule, ...(field.match(/\[\d+\]/g) ?? [])] : [];
  return JSON.stringify([rule, part, message, start, end, ...call]);
}

/** A request whose path and headers select nothing. */
const PLAIN = {
  request: { url: 'http://gateway/', headers: new HeaderList([]) },
  params: { call: 'any:generateContent' },
};

const OPERATIONS = [
  ['/chat/completions', 'openai-chat'],
  ['/responses', 'openai-responses'],
  ['/messages', 'anthropic-messages'],
  ['/completions', 'openai-completions'],
  ['/embeddings', 'openai-embeddings'],
  ['/images/generations', 'openai-images'],
  ['/images/edits', 'openai-image-edits'],
  ['/audio/transcriptions', 'openai-transcriptions'],
  ['/audio/translations', 'openai-translations'],
  ['/audio/speech', 'openai-speech'],
  ['/models/{call}', 'gemini'],
] as const;

/** How requests of a route are parsed, by the end of its path. */
const READERS = await Promise.all(
  OPERATIONS.map(async ([pathEnd, operation]) => [pathEnd, (await loadApi(operation))(PLAIN)] as const),
);

/**
 * Inspects a past exchange under a policy: the input, and unless that is blocked the texts and tool calls of the response.
 * undefined where they are not complete, of another route, or with a PDF or an office document.
 */
async function inspectAgain(
  route: string,
  { mode, truncated, request, answer, calls = [] }: Capture,
  policy: Policy,
  inspector: TextInspector,
): Promise<InspectionReport['findings'] | undefined> {
  const read = mode === 'full' && !truncated ? readRequest(route, request) : undefined;
  if (read === undefined) return undefined;
  const report = new InspectionReport();
  const under = underPolicy(inspector, policy, undefined);
  // No placeholder is shown, so it need not be secret.
  const input = inspectInputNow({ ...read, policy, redaction: new Redaction('replay') }, under, report);
  if (input.lacksReader) return undefined;
  if (report.findings.action === 'block') return report.findings;
  const { context } = input;
  const texts = answer.map(({ channel: field, text, isReadOnly }) => ({ text, field, isReadOnly }));
  finish(inspectResponse({ texts, context }, policy, under, report));
  CallInspector.unlistedTools(policy, readCommonMembers(read.document.value).hostedTools(), report);
  const deps = { sender: undefined, policy, report, scheduler: neverPausing(), inspector };
  const made = calls.map(({ tool: name, ...call }) => ({ id: null, name, ...call }));
  await new CallInspector(read.asked, read.isComplete, deps).inspectAllReceived(made);
  return report.findings;
}

interface ReadRequest {
  readonly document: JsonDocument;
  readonly own: RequestTexts;
  readonly asked: ChatRequest;
  /** Whether all that the model reads is in the request. */
  readonly isComplete: boolean;
}

function readRequest(route: string, request: string): ReadRequest | undefined {
  const reader = READERS.find(([pathEnd]) => route.endsWith(pathEnd))?.[1];
  if (reader === undefined) return undefined;
  try {
    const document = readJsonDocument(request);
    const body = reader.check(document);
    const named = finish(reader.namedIds(document.value));
    const isComplete = named.every(({ isCompared }) => isCompared === true);
    return { document, own: finish(reader.texts(body)), asked: reader.read(body), isComplete };
  } catch {
    // Today's parser refuses the request: its record is used instead.
    return undefined;
  }
}
