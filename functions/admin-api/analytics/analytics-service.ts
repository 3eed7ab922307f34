import { type Authenticator, authenticate, authorize } from '../../core/access/authenticate.ts';
import type { RoutedRequest } from '../../core/http/router.ts';
import type { AggregateReader, AggregateStore, SessionList } from '../../core/ports/aggregate-store.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { RequestRecordReader } from '../../core/ports/request-records.ts';

/** What the routes of analytics work with. */
export interface AnalyticsDeps {
  readonly authenticator: Authenticator;
  readonly records: RequestRecordReader;
  readonly aggregates: AggregateReader & Pick<AggregateStore, 'read'> & SessionList;
  readonly clock: Clock;
}

/** Lets only a key with the permission `analytics` on; what it sees is everybody's. @throws GatewayError 401 or 403 */
export async function requireAnalytics(
  { request, context }: RoutedRequest,
  { authenticator }: AnalyticsDeps,
): Promise<void> {
  authorize(await authenticate(request.headers, authenticator), 'analytics', context.clientAddress);
}
