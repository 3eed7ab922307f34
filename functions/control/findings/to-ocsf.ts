import type { Action, FindingsEvent, Severity } from '../../kernel/model/index.ts';

/** https://schema.ocsf.io/1.5.0/classes/detection_finding?profiles=security_control */
const OCSF_VERSION = '1.5.0';
const CATEGORY = {
  category_uid: 2,
  category_name: 'Findings',
  class_uid: 2004,
  class_name: 'Detection Finding',
} as const;
const CREATE = {
  activity_id: 1,
  activity_name: 'Create',
  type_uid: 200_401,
  type_name: 'Detection Finding: Create',
} as const;
const SEVERITIES = {
  low: { severity_id: 2, severity: 'Low' },
  medium: { severity_id: 3, severity: 'Medium' },
  high: { severity_id: 4, severity: 'High' },
  critical: { severity_id: 5, severity: 'Critical' },
} as const satisfies Record<Severity, unknown>;
/** The action and disposition for each of our actions. */
const OUTCOMES = {
  allow: { action_id: 3, action: 'Observed', disposition_id: 17, disposition: 'Logged' },
  flag: { action_id: 3, action: 'Observed', disposition_id: 15, disposition: 'Detected' },
  redact: { action_id: 4, action: 'Modified', disposition_id: 11, disposition: 'Corrected' },
  // The call was not made; `unmapped.action` says that it may be approved.
  ask: { action_id: 2, action: 'Denied', disposition_id: 2, disposition: 'Blocked' },
  block: { action_id: 2, action: 'Denied', disposition_id: 2, disposition: 'Blocked' },
} as const satisfies Record<Action, unknown>;
const HIGH_SEVERITY = SEVERITIES.high.severity_id;

/** A Detection Finding of OCSF, class 2004, as JSON without any inspected text. */
export type OcsfFinding = Readonly<Record<string, unknown>> & { readonly time: number };

/**
 * One OCSF finding for each finding of an event; if a request was blocked without one (a detector failed), one that reports that. Ids
 * are the same for each delivery of the event.
 */
export function toOcsf(event: FindingsEvent): OcsfFinding[] {
  const threats = event.data.detectedThreats ?? [];
  if (threats.length === 0) return [findingOf(event, `${event.id}_0`, blockedForNone(event))];
  return threats.map((threat, at) => findingOf(event, `${event.id}_${at}`, ofThreat(threat)));
}

interface Told {
  readonly info: object;
  readonly severity: (typeof SEVERITIES)[Severity];
  readonly outcome: (typeof OUTCOMES)[Action];
  readonly confidence: object;
  readonly attacks: readonly object[];
  readonly message: string;
  readonly unmapped: object;
}

function findingOf({ id, type, created, data }: FindingsEvent, uid: string, told: Told): OcsfFinding {
  const { requestId, keyId, teamId, identity, tags, requestTags } = data;
  const { environment, sessionId, endUserId, model, threatScore, action } = data;
  const time = Date.parse(created);
  const { severity, outcome, attacks } = told;
  const attacked = attacks.length > 0 ? { attacks } : {};
  return {
    ...CATEGORY,
    ...CREATE,
    time,
    message: told.message,
    ...severity,
    status_id: 1,
    status: 'New',
    is_alert: outcome.disposition_id === OUTCOMES.block.disposition_id || severity.severity_id >= HIGH_SEVERITY,
    ...outcome,
    ...told.confidence,
    ...attacked,
    finding_info: { uid, ...told.info, created_time: time, ...attacked },
    resources: [{ uid: keyId, type: 'API key' }, ...(model === undefined ? [] : [{ name: model, type: 'Model' }])],
    metadata: {
      version: OCSF_VERSION,
      profiles: ['security_control'],
      product: { name: 'svc', vendor_name: 'svc' },
      uid,
      correlation_uid: requestId,
      event_code: type,
      original_time: created,
    },
    unmapped: {
      eventId: id,
      requestId,
      keyId,
      ...(teamId !== undefined && { teamId }),
      ...(identity !== undefined && { identity }),
      ...(tags !== undefined && { tags }),
      ...(requestTags !== undefined && { requestTags }),
      environment,
      ...(sessionId !== undefined && { sessionId }),
      ...(endUserId !== undefined && { endUserId }),
      requestAction: action,
      threatScore,
      ...told.unmapped,
    },
  };
}

function ofThreat(threat: FindingsEvent['data']['detectedThreats'][number]): Told {
  const { type, category, rule, message, severity, score, action, owasp, atlas, location, origin, policyRule } = threat;
  return {
    info: { title: message, types: [type], analytic: { uid: rule, name: rule, category, ...kindOf(rule) } },
    severity: SEVERITIES[severity],
    outcome: OUTCOMES[action],
    confidence: confidenceOf(score),
    attacks: atlas === null ? [] : [attackOf(atlas)],
    message,
    unmapped: {
      action,
      score,
      owasp,
      ...(atlas !== null && { atlas }),
      location,
      ...(origin !== undefined && { origin }),
      ...(policyRule !== undefined && { policyRule }),
    },
  };
}

function blockedForNone({ data }: FindingsEvent): Told {
  const title = 'A request was blocked because it could not be inspected as its policy requires.';
  return {
    info: { title, types: ['request.blocked'] },
    severity: SEVERITIES.medium,
    outcome: OUTCOMES[data.action === 'block' || data.action === undefined ? 'block' : 'flag'],
    confidence: {},
    attacks: [],
    message: title,
    unmapped: {},
  };
}

/** Classifier findings have rule ids with this prefix (functions/inspection/detectors/classifier). */
function kindOf(rule: string): object {
  return rule.startsWith('classifier/') ? { type_id: 4, type: 'Learning (ML/DL)' } : { type_id: 1, type: 'Rule' };
}

/** The meaning of scores: docs/extend.md. */
function confidenceOf(score: number): object {
  const level = score >= 0.85 ? [3, 'High'] : score >= 0.5 ? [2, 'Medium'] : [1, 'Low'];
  return { confidence_id: level[0], confidence: level[1], confidence_score: Math.round(score * 100) };
}

/** A MITRE ATLAS technique by its id: `AML.T0054`, or `AML.T0051.000` for a sub-technique. */
function attackOf(atlas: string): object {
  const src_url = (id: string) => `https://atlas.mitre.org/techniques/${id}`;
  const technique = atlas.split('.').slice(0, 2).join('.');
  return {
    technique: { uid: technique, src_url: src_url(technique) },
    ...(technique !== atlas && { sub_technique: { uid: atlas, src_url: src_url(atlas) } }),
  };
}
