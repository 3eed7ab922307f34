import type { RecordPosition } from '../../control/analytics/index.ts';
import { type RequestRecord, STAGES } from '../../kernel/model/index.ts';

/**
 * A record as the attribute `record` of its item, in one of two forms:
 *
 *     whole     the JSON of the record, with the names of `GET /v1/analytics/requests`
 *     compact   JSON without what the item's keys have (id, time, key, end user) and without the most frequent values, with short names
 *
 * Both are read. Releases up to 0.3.0 read only the whole form.
 */
export type RecordForm = 'whole' | 'compact';

/** The attributes from which a record is read. */
export interface RecordAttributes {
  /** `<time>#<id>` */
  readonly sk?: string | undefined;
  /** `<shard>#<key>` */
  readonly keyPk?: string | undefined;
  /** `<shard>#<end user>` */
  readonly endUserPk?: string | undefined;
  readonly record?: string | undefined;
}

/** Names of the compact form. Stored records have them, so none may change. Other fields have their own names. */
const RECORD_NAMES: Names = {
  traceId: 't',
  environment: 'e',
  sessionId: 's',
  appVersion: 'v',
  route: 'o',
  provider: 'p',
  model: 'm',
  attempts: 'n',
  upstreamRequestId: 'u',
  stream: 'w',
  state: 'z',
  status: 'c',
  errorCode: 'x',
  action: 'a',
  threatScore: 'h',
  turnScore: 'r',
  findings: 'f',
  threats: 'd',
  tokens: 'k',
  costUsd: 'q',
  inputCostUsd: 'i',
  latencyMs: 'l',
  timeToFirstTokenMs: 'y',
  processingMs: 'j',
  stages: 'g',
  tags: 'b',
  requestTags: 'rb',
};
const TOKEN_NAMES: Names = { input: 'i', output: 'o', cachedInput: 'c', reasoning: 'r' };
const FINDING_NAMES: Names = { type: 't', rule: 'r', severity: 'v', score: 's', action: 'a', location: 'l' };

/** Values of fields that every record has; absent in the compact form. None may change. */
const USUAL = {
  environment: 'Production',
  sessionId: null,
  endUserId: null,
  appVersion: null,
  provider: null,
  model: null,
  attempts: 1,
  stream: false,
  state: 'completed',
  status: 200,
  errorCode: null,
  action: 'allow',
  threatScore: 0,
  turnScore: 0,
  findings: [],
  threats: {},
  costUsd: null,
  timeToFirstTokenMs: null,
  capture: 'none',
  shadow: null,
} as const satisfies Partial<RequestRecord>;

/** The attribute `record` of a record in the compact form. Its other attributes are RecordAttributes. */
export function compactRecord(record: RequestRecord): string {
  const { id: _, time: __, keyId: ___, endUserId: ____, findings, tokens, stages, ...rest } = record;
  const values = {
    ...rest,
    tokens: renamed(tokens, TOKEN_NAMES),
    findings: findings.map((finding) => renamed({ ...finding, location: placeOf(finding) }, FINDING_NAMES)),
    ...(stages !== undefined && { stages: timesOf(stages) }),
  };
  return JSON.stringify(renamed(Object.fromEntries(Object.entries(values).filter(isUnusual)), RECORD_NAMES));
}

/** The record of an item in either form. The first releases stored some fields not at all. @throws if it has another form */
export function readRecordItem(item: RecordAttributes): RequestRecord {
  const stored = JSON.parse(item.record ?? '') as Stored;
  if ('id' in stored) return { attempts: stored.provider === null ? 0 : 1, shadow: null, ...stored } as RequestRecord;
  const { findings, tokens, stages, ...rest } = original(stored, RECORD_NAMES);
  return {
    ...USUAL,
    ...toPosition(item.sk ?? ''),
    keyId: afterShard(item.keyPk) ?? '',
    ...rest,
    endUserId: afterShard(item.endUserPk) ?? null,
    tokens: original(tokens as Stored, TOKEN_NAMES),
    findings: ((findings ?? []) as Stored[]).map((finding) => {
      const { location, ...others } = original(finding, FINDING_NAMES);
      return { ...others, location: toLocation(location as Place) };
    }),
    ...(stages !== undefined && { stages: toStages(stages as number[]) }),
  } as unknown as RequestRecord;
}

/** Whether a text was captured, by a record's attribute in either form. */
export function hasCapture(record: string | undefined): boolean {
  return ((JSON.parse(record ?? '{}') as Stored).capture ?? USUAL.capture) !== 'none';
}

export function toSortKey({ time, id }: RecordPosition): string {
  return `${time}#${id}`;
}

export function toPosition(sortKey: string): RecordPosition {
  const at = sortKey.indexOf('#');
  return { time: sortKey.slice(0, at), id: sortKey.slice(at + 1) };
}

type Names = Readonly<Record<string, string>>;
type Stored = Readonly<Record<string, unknown>>;

function renamed(values: object, names: Names): Stored {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [names[name] ?? name, value]));
}

function original(stored: Stored, names: Names): Stored {
  const full = new Map(Object.entries(names).map(([name, short]) => [short, name]));
  return Object.fromEntries(Object.entries(stored).map(([name, value]) => [full.get(name) ?? name, value]));
}

function isUnusual([name, value]: [string, unknown]): boolean {
  return !Object.hasOwn(USUAL, name) || JSON.stringify(value) !== JSON.stringify(USUAL[name as keyof typeof USUAL]);
}

type Place = readonly [isOutput: 0 | 1, message: number | null, field: string, start: number, end: number];

function placeOf({ location }: RequestRecord['findings'][number]): Place {
  const { part, message, field, start, end } = location;
  return [part === 'output' ? 1 : 0, message, field, start, end];
}

function toLocation([isOutput, message, field, start, end]: Place): object {
  return { part: isOutput === 1 ? 'output' : 'input', message, field, start, end };
}

/** Begin and end of each stage in turn; -1 twice for a stage that was not reached. A new stage comes last. */
function timesOf(stages: NonNullable<RequestRecord['stages']>): number[] {
  const times = STAGES.flatMap((stage) => stages[stage] ?? [-1, -1]);
  return times.slice(0, times.findLastIndex((time) => time !== -1) + 1);
}

function toStages(times: readonly number[]): NonNullable<RequestRecord['stages']> {
  const known = STAGES.map((stage, at) => [stage, [times[2 * at] ?? -1, times[2 * at + 1] ?? -1]] as const);
  return Object.fromEntries(known.filter(([, [from]]) => from !== -1));
}

function afterShard(partitionKey: string | undefined): string | undefined {
  return partitionKey?.slice(partitionKey.indexOf('#') + 1);
}
