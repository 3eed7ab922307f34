import {
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
  type PolicySettings,
  type RecordedFinding,
  type RequestRecord,
  type RequestTexts,
  strongerAction,
  type ThreatType,
} from '../kernel/model/index.ts';
import { finish } from '../kernel/tasks/index.ts';
import { loadApi } from '../translation/index.ts';

/** The engine that replays use. */
export interface ReplayEngine {
  readonly ruleOf: typeof ruleOf;
  readonly inspector: TextInspector;
}

/** A recorded or new finding, and its action before and under the policy. */
export interface ReplayedFinding {
  readonly type: ThreatType;
  readonly rule: string;
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
  byText({ route, findings }: PastRequest, capture: Capture): ReplayedRequest | undefined {
    const report = inspectAgain(route, capture, this.policy, this.engine.inspector);
    if (report === undefined) return undefined;
    const live = new Map(findings.map((past) => [placeOf(past), past]));
    const found = report.threats.map((threat): ReplayedFinding => {
      const place = placeOf(threat);
      const past = live.get(place);
      live.delete(place);
      return { type: threat.type, rule: threat.rule, live: past?.action ?? 'allow', replayed: threat.action };
    });
    const lost = [...live.values()].map((past): ReplayedFinding => ({ ...recordedPart(past), replayed: 'allow' }));
    return { action: report.action, findings: [...found, ...lost] };
  }
}

function recordedPart({ type, rule, action }: RecordedFinding): Pick<ReplayedFinding, 'type' | 'rule' | 'live'> {
  return { type, rule, live: action };
}

function strongest(findings: readonly ReplayedFinding[]): Action {
  return findings.reduce<Action>((action, { replayed }) => strongerAction(action, replayed), 'allow');
}

/** Identifies the same finding in a new inspection. */
function placeOf({
  rule,
  location: { part, message, start, end },
}: Pick<RecordedFinding, 'rule' | 'location'>): string {
  return JSON.stringify([rule, part, message, start, end]);
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
 * Inspects the texts of a past exchange under a policy: the input, and the response unless the input is blocked.
 * undefined where they are not complete, of another route, or with a PDF or an office document.
 */
export function inspectAgain(
  route: string,
  { mode, truncated, request, answer }: Capture,
  policy: Policy,
  inspector: TextInspector,
): InspectionReport['findings'] | undefined {
  const read = mode === 'full' && !truncated ? textsOf(route, request) : undefined;
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
  return report.findings;
}

function textsOf(route: string, request: string): { document: JsonDocument; own: RequestTexts } | undefined {
  const reader = READERS.find(([pathEnd]) => route.endsWith(pathEnd))?.[1];
  if (reader === undefined) return undefined;
  try {
    const document = readJsonDocument(request);
    return { document, own: finish(reader.texts(reader.check(document))) };
  } catch {
    // Today's parser refuses the request: its record is used instead.
    return undefined;
  }
}
