import { HeaderList } from '../../functions/core/base/request-headers.ts';
import type { RoutedRequest } from '../../functions/core/http/router.ts';
import type { OperationName, Protocol } from '../../functions/core/protocols/protocol.ts';
import { OPERATIONS } from '../../functions/gateway/routes.ts';

/** The protocol of an operation, for a request without headers, to the model `m`. @throws for a call about a stored response */
export async function protocolOf(operation: OperationName): Promise<Protocol<unknown>> {
  const request = { url: 'http://gateway/', headers: new HeaderList([]) };
  const routed = { request, params: { model: 'm', call: 'm:generateContent' } } as unknown as RoutedRequest;
  const api = (await OPERATIONS[operation]())(routed);
  if ('promptIn' in api) throw new Error(`${operation} has no protocol`);
  return api;
}
