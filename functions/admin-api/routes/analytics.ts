import {
  type ListPosition,
  listRequests,
  listThreats,
  readThreatId,
  toThreats,
} from '../../core/analytics/list-requests.ts';
import { seriesOf, summarize } from '../../core/analytics/query-aggregates.ts';
import { findSessions, listSessions } from '../../core/analytics/sessions.ts';
import { audit, auditVoid, type Caller } from '../../core/audit/audit-change.ts';
import { GatewayError } from '../../core/base/errors.ts';
import { arrivalOf, isRequestId } from '../../core/base/request-id.ts';
import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';
import {
  type Mark,
  markThreatSchema,
  type RequestDetail,
  type Summary,
  type Threat,
  type ThreatDetail,
} from '../../core/model/analytics.ts';
import { eventIdOf } from '../../core/model/events.ts';
import { deliveryIdOf } from '../../core/webhooks/delivered-event.ts';
import { toDeliveryView } from '../../core/webhooks/delivery-store.ts';
import {
  type AdminDeps,
  type AnalyticsDeps,
  readChange,
  requireAdminOfRecords,
  requireAnalytics,
} from '../admin-deps.ts';
import type { DeliveryList, KeyNameList } from '../contract.ts';
import {
  intervalOf,
  keyNamesQuerySchema,
  listQuerySchema,
  listRange,
  readListCursor,
  readQuery,
  readSessionCursor,
  requestQuerySchema,
  requestsQuerySchema,
  sessionQuerySchema,
  summaryQuerySchema,
  threatsQuerySchema,
  timeseriesQuerySchema,
  toAggregateQuery,
  toListResponse,
  writeCursor,
} from './query.ts';

/** Groups with names: one lookup of the store, and readers look at the first ones. */
const MAX_NAMED = 100;

/** Routes for the permission `analytics`. */
export function analyticsRoutes(deps: AnalyticsDeps): Route[] {
  return [
    analyticsSummaryRoute(deps),
    analyticsTimeseriesRoute(deps),
    analyticsKeysRoute(deps),
    analyticsThreatsRoute(deps),
    analyticsThreatRoute(deps),
    analyticsRequestsRoute(deps),
    analyticsRequestRoute(deps),
    analyticsSessionsRoute(deps),
    analyticsSessionRoute(deps),
  ];
}

/** Analytics routes for administrators with `analytics`: marks of findings, captured texts, and webhook deliveries of a request. */
export function analyticsAdminRoutes(deps: AdminDeps): Route[] {
  return [markThreatRoute(deps), analyticsCaptureRoute(deps), requestDeliveriesRoute(deps)];
}

/** `GET /v1/analytics/summary`: totals of the requests of a range. */
function analyticsSummaryRoute(deps: AnalyticsDeps): Route {
  return {
    method: 'GET',
    path: '/v1/analytics/summary',
    async handle(routed) {
      await requireAnalytics(routed, deps);
      const query = readQuery(routed.request.url, summaryQuerySchema);
      const summary = await summarize(toAggregateQuery(query, deps.clock.now()), deps.aggregates);
      return jsonResponse(200, query.groupBy === 'keyId' ? await withNames(summary, deps) : summary);
    },
  };
}

/** Adds key names: readers of totals do not know keys by id, and have no permission to list them. */
async function withNames({ groups = [], ...summary }: Summary, { keys }: AnalyticsDeps): Promise<Summary> {
  const ids = groups.slice(0, MAX_NAMED).flatMap(({ group }) => group ?? []);
  const names = new Map<string | null, string>();
  for (const { key } of await keys.getMany(ids)) names.set(key.id, key.name);
  const labelled = groups.map((one, at) => (at < MAX_NAMED ? { ...one, label: names.get(one.group) ?? null } : one));
  return { ...summary, groups: labelled };
}

/** `GET /v1/analytics/keys?ids`: the names of keys, which requests, findings and sessions have by id. */
function analyticsKeysRoute(deps: AnalyticsDeps): Route {
  return {
    method: 'GET',
    path: '/v1/analytics/keys',
    async handle(routed) {
      await requireAnalytics(routed, deps);
      const { ids } = readQuery(routed.request.url, keyNamesQuerySchema);
      const found = await deps.keys.getMany(ids);
      const list: KeyNameList = {
        object: 'list',
        data: found.map(({ key: { id, name } }) => ({ object: 'key.name', id, name })),
      };
      return jsonResponse(200, list);
    },
  };
}

/** `GET /v1/analytics/timeseries`: totals for each hour or day. */
function analyticsTimeseriesRoute(deps: AnalyticsDeps): Route {
  return {
    method: 'GET',
    path: '/v1/analytics/timeseries',
    async handle(routed) {
      await requireAnalytics(routed, deps);
      const asked = readQuery(routed.request.url, timeseriesQuerySchema);
      const query = toAggregateQuery(asked, deps.clock.now());
      return jsonResponse(200, await seriesOf(query, intervalOf(asked, query), deps.aggregates));
    },
  };
}

/** `GET /v1/analytics/threats`: findings, those of the newest request first. */
function analyticsThreatsRoute(deps: AnalyticsDeps): Route {
  return {
    method: 'GET',
    path: '/v1/analytics/threats',
    async handle(routed) {
      await requireAnalytics(routed, deps);
      const { limit, cursor, ...filter } = readQuery(routed.request.url, threatsQuerySchema);
      const after = readListCursor(cursor);
      const page = await listThreats({ ...filter, ...listRange(filter) }, limit, after, deps.records);
      return jsonResponse(
        200,
        toListResponse(page, (threat) => threat),
      );
    },
  };
}

/** `GET /v1/analytics/threats/{id}`: one finding, and its rule. */
function analyticsThreatRoute(deps: AnalyticsDeps): Route {
  return {
    method: 'GET',
    path: '/v1/analytics/threats/{id}',
    async handle(routed) {
      await requireAnalytics(routed, deps);
      const position = readThreatId(routed.params.id as string);
      const stored = position && (await deps.records.read(position));
      const threat = stored && toThreats(stored)[position.finding];
      if (threat === undefined) throw noThreat();
      const { message = null, owasp = null, atlas = null } = (await deps.engine()).ruleOf(threat.rule) ?? {};
      return jsonResponse(200, { ...threat, message, owasp, atlas } satisfies ThreatDetail);
    },
  };
}

/** `PATCH /v1/analytics/threats/{id}`: marks a finding as correct or wrong, or removes the mark. */
function markThreatRoute(deps: AdminDeps): Route {
  return {
    method: 'PATCH',
    path: '/v1/analytics/threats/{id}',
    async handle(routed) {
      const { fields, caller } = await readChange(routed, markThreatSchema, deps, { require: requireAdminOfRecords });
      const position = readThreatId(routed.params.id as string);
      if (position === undefined) throw noThreat();
      return jsonResponse(200, await markThreat(position, fields.mark, caller, deps));
    },
  };
}

async function markThreat(position: ListPosition, mark: Mark | null, caller: Caller, deps: AdminDeps): Promise<Threat> {
  const stored = await deps.records.read(position);
  const threat = stored && toThreats(stored)[position.finding];
  if (threat === undefined) throw noThreat();
  if (threat.mark === mark) return threat;
  const target = { type: 'threat', id: threat.id } as const;
  const change = { before: { mark: threat.mark }, after: { mark } };
  const entry = await audit(caller, { action: 'threat.marked', target, ...change }, deps);
  const marked = await deps.records.mark(position, position.finding, mark);
  if (marked !== undefined) return toThreats(marked)[position.finding] as Threat;
  // It was deleted just now.
  await auditVoid(caller, entry, deps);
  throw noThreat();
}

function noThreat(): GatewayError {
  return new GatewayError('not_found', 'There is no such finding, or it has expired.');
}

/** `GET /v1/analytics/requests`: request records, newest first. */
function analyticsRequestsRoute(deps: AnalyticsDeps): Route {
  return {
    method: 'GET',
    path: '/v1/analytics/requests',
    async handle(routed) {
      await requireAnalytics(routed, deps);
      const { limit, cursor, ...filter } = readQuery(routed.request.url, requestsQuerySchema);
      const after = readListCursor(cursor);
      const page = await listRequests({ ...filter, ...listRange(filter) }, limit, after, deps.records);
      return jsonResponse(
        200,
        toListResponse(page, (record) => ({ object: 'request', ...record })),
      );
    },
  };
}

/** `GET /v1/analytics/requests/{id}`: one record, its findings with their marks. `time` finds records whose ids contain no time. */
function analyticsRequestRoute(deps: AnalyticsDeps): Route {
  return {
    method: 'GET',
    path: '/v1/analytics/requests/{id}',
    async handle(routed) {
      await requireAnalytics(routed, deps);
      const id = routed.params.id as string;
      const { time = arrivalOf(id) } = readQuery(routed.request.url, requestQuerySchema);
      const stored =
        time !== undefined && isRequestId(id)
          ? await deps.records.read({ time: new Date(time).toISOString(), id })
          : undefined;
      if (stored === undefined)
        throw new GatewayError(
          'not_found',
          'There is no record of this request. It has expired, or it had no valid key: such requests are not recorded.',
        );
      const detail: RequestDetail = { object: 'request', ...stored.record, findings: toThreats(stored) };
      return jsonResponse(200, detail);
    },
  };
}

/** `GET /v1/analytics/requests/{id}/capture`: the captured texts of a request. The read is in the audit log before they are shown. */
function analyticsCaptureRoute(deps: AdminDeps): Route {
  return {
    method: 'GET',
    path: '/v1/analytics/requests/{id}/capture',
    async handle(routed) {
      // Totals are for many readers, captured texts for administrators only.
      const caller = await requireAdminOfRecords(routed, deps);
      const requestId = routed.params.id as string;
      const capture = isRequestId(requestId) ? await deps.captures.read(requestId) : undefined;
      if (capture === undefined) throw new GatewayError('not_found', 'No text of this request is stored.');
      const target = { type: 'capture', id: requestId } as const;
      await audit(caller, { action: 'capture.read', target, before: null, after: null }, deps);
      return jsonResponse(200, { object: 'capture', requestId, ...capture });
    },
  };
}

/** A stage has fewer webhooks. */
const MAX_WEBHOOKS = 100;

/** `GET /v1/admin/requests/{id}/deliveries`: the webhook deliveries of the request's event, one for each endpoint. */
function requestDeliveriesRoute(deps: AdminDeps): Route {
  return {
    method: 'GET',
    path: '/v1/admin/requests/{id}/deliveries',
    async handle(routed) {
      await requireAdminOfRecords(routed, deps);
      const eventId = eventIdOf(routed.params.id as string);
      const { webhooks } = await deps.webhooks.list(MAX_WEBHOOKS, undefined);
      const ids = webhooks.map(({ webhook }) => deliveryIdOf(eventId, webhook.id));
      const deliveries = ids.length === 0 ? [] : await deps.deliveries.read(ids);
      const list: DeliveryList = { object: 'list', data: deliveries.map(toDeliveryView), nextCursor: null };
      return jsonResponse(200, list);
    },
  };
}

/** `GET /v1/analytics/sessions`: sessions that began in a range, latest first. */
function analyticsSessionsRoute(deps: AnalyticsDeps): Route {
  return {
    method: 'GET',
    path: '/v1/analytics/sessions',
    async handle(routed) {
      await requireAnalytics(routed, deps);
      const { limit, cursor, ...filter } = readQuery(routed.request.url, listQuerySchema);
      const after = readSessionCursor(cursor);
      const page = await listSessions({ ...filter, ...listRange(filter) }, limit, after, deps.aggregates);
      const nextCursor = page.next === undefined ? null : writeCursor([page.next]);
      return jsonResponse(200, { object: 'list', data: page.items, nextCursor });
    },
  };
}

/** `GET /v1/analytics/sessions/{id}`: one session, by the id in `X-Svc-Session-Id`. */
function analyticsSessionRoute(deps: AnalyticsDeps): Route {
  return {
    method: 'GET',
    path: '/v1/analytics/sessions/{id}',
    async handle(routed) {
      await requireAnalytics(routed, deps);
      const { keyId } = readQuery(routed.request.url, sessionQuerySchema);
      const named = await findSessions(routed.params.id as string, deps.aggregates);
      const found = named.filter((session) => keyId === undefined || session.keyId === keyId);
      if (found.length > 1) {
        throw new GatewayError('invalid_value', "Several keys have a session with this name: send 'keyId'.", {
          param: 'keyId',
        });
      }
      if (found.length === 0) throw new GatewayError('not_found', 'There is no such session.');
      return jsonResponse(200, found[0]);
    },
  };
}
