import type { OperationId } from '../../../../functions/contract/index.ts';
import type { Query } from '../../api/client.ts';
import { toFilterQuery } from '../../components/query-chips.ts';
import { requestIdIn, traceIdIn } from '../../components/search-targets.ts';

/** An id that no request has, for a text that is no id yet. */
const NO_REQUEST = `req_${'0'.repeat(32)}`;

/** The filters for the API. An id may be within another text, such as a line of a log. */
export function toRequestFilters(list: OperationId, search: URLSearchParams): Query {
  const { id, traceId, ...query } = toFilterQuery(list, search);
  return {
    ...query,
    ...(id !== undefined && { id: requestIdIn(String(id)) ?? NO_REQUEST }),
    ...(traceId !== undefined && { traceId: traceIdIn(String(traceId)) ?? traceId }),
  };
}
