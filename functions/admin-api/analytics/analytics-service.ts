import type { AggregateReader, AggregateStore, SessionList } from '../../core/analytics/aggregate-store.ts';
import type { RequestRecordReader } from '../../core/analytics/request-records.ts';
import type { Clock } from '../../core/base/clock.ts';
import type { RoutedRequest } from '../../core/http/router.ts';
import { type AccessDeps, requirePermission } from '../access.ts';

/** What the routes of analytics work with. */
export interface AnalyticsDeps extends AccessDeps {
  readonly records: RequestRecordReader;
  readonly aggregates: AggregateReader & Pick<AggregateStore, 'read'> & SessionList;
  readonly clock: Clock;
}

/** Lets only those with the permission `analytics` on; what they see is everybody's. @throws GatewayError 401 or 403 */
export async function requireAnalytics(routed: RoutedRequest, deps: AccessDeps): Promise<void> {
  await requirePermission(routed, 'analytics', deps);
}
