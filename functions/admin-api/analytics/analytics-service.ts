import { type Authenticator, authenticate, authorize } from '../../core/access/authenticate.ts';
import type { Permission } from '../../core/access/permissions.ts';
import type { RoutedRequest } from '../../core/http/router.ts';
import type { AggregateReader, AggregateStore, SessionList } from '../../core/ports/aggregate-store.ts';
import type { CaptureStore } from '../../core/ports/capture-store.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { RequestRecordReader } from '../../core/ports/request-records.ts';

/** What the routes of analytics work with. */
export interface AnalyticsDeps {
  readonly authenticator: Authenticator;
  readonly records: RequestRecordReader;
  readonly aggregates: AggregateReader & Pick<AggregateStore, 'read'> & SessionList;
  readonly captures: Pick<CaptureStore, 'read'>;
  readonly clock: Clock;
}

/** Lets only a key with the permission on; what it sees is everybody's. @throws GatewayError 401 or 403 */
export async function requirePermission(
  permission: Permission,
  { request, context }: RoutedRequest,
  { authenticator }: AnalyticsDeps,
): Promise<void> {
  authorize(await authenticate(request.headers, authenticator), permission, context.clientAddress);
}
