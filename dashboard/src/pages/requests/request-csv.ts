import type { RequestRecord } from '../../api/client.ts';

type Cell = string | number | boolean | null | undefined;

type Names = ReadonlyMap<string, string>;

const COLUMNS: readonly (readonly [name: string, read: (record: RequestRecord, names: Names) => Cell])[] = [
  ['id', ({ id }) => id],
  ['time', ({ time }) => time],
  ['keyId', ({ keyId }) => keyId],
  ['keyName', ({ keyId }, names) => names.get(keyId)],
  ['environment', ({ environment }) => environment],
  ['sessionId', ({ sessionId }) => sessionId],
  ['endUserId', ({ endUserId }) => endUserId],
  ['appVersion', ({ appVersion }) => appVersion],
  ['route', ({ route }) => route],
  ['provider', ({ provider }) => provider],
  ['model', ({ model }) => model],
  ['attempts', ({ attempts }) => attempts],
  ['stream', ({ stream }) => stream],
  ['state', ({ state }) => state],
  ['status', ({ status }) => status],
  ['errorCode', ({ errorCode }) => errorCode],
  ['action', ({ action }) => action],
  ['threatScore', ({ threatScore }) => threatScore],
  ['findings', ({ threats }) => Object.values(threats).reduce((sum, count) => sum + count, 0)],
  ['threats', ({ threats }) => Object.keys(threats).join(' ')],
  ['policyRules', ({ findings }) => [...new Set(findings.flatMap(({ policyRule }) => policyRule ?? []))].join(' ')],
  ['inputTokens', ({ tokens }) => tokens.input],
  ['outputTokens', ({ tokens }) => tokens.output],
  ['costUsd', ({ costUsd }) => costUsd],
  ['unknownCharges', ({ unknownCharges = [] }) => unknownCharges.join(' ')],
  ['latencyMs', ({ latencyMs }) => latencyMs],
  ['timeToFirstTokenMs', ({ timeToFirstTokenMs }) => timeToFirstTokenMs],
  ['processingMs', ({ processingMs }) => processingMs],
  ['alias', ({ alias }) => alias],
  ['variant', ({ variant }) => variant],
  ['credentialId', ({ credentialId }) => credentialId],
  ['upstreamRequestId', ({ upstreamRequestId }) => upstreamRequestId],
  ['traceId', ({ traceId }) => traceId],
  ['tags', ({ tags }) => pairsOf(tags)],
  ['requestTags', ({ requestTags }) => pairsOf(requestTags)],
  ['teamId', ({ teamId }) => teamId],
  ['identityIssuer', ({ identity }) => identity?.issuer],
  ['identitySubject', ({ identity }) => identity?.subject],
  ['cache', ({ cache }) => cache],
  ['savedUsd', ({ savedUsd }) => savedUsd],
];

function pairsOf(tags: RequestRecord['tags'] = {}): string {
  return Object.entries(tags)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}

export function csvHead(): string {
  return COLUMNS.map(([name]) => name).join(',');
}

/** A request as a line of CSV (RFC 4180); `names` are those of keys, by id. */
export function toCsvLine(record: RequestRecord, names: Names): string {
  return COLUMNS.map(([, read]) => csvCell(read(record, names))).join(',');
}

/** Callers choose names of end users and sessions: a cell that a spreadsheet would run as a formula begins with an apostrophe. */
export function csvCell(value: Cell): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
