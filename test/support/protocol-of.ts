import { HeaderList, type RoutedRequest } from '../../functions/kernel/http/index.ts';
import { loadApi, type Protocol } from '../../functions/translation/index.ts';

/** The protocol of an operation, for a request without headers, to the model `m`. @throws for a call about a stored response */
export async function protocolOf(operation: Parameters<typeof loadApi>[0]): Promise<Protocol<unknown>> {
  const request = { url: 'http://gateway/', headers: new HeaderList([]) };
  const routed = { request, params: { model: 'm', call: 'm:generateContent' } } as unknown as RoutedRequest;
  const api = (await loadApi(operation))(routed);
  if ('promptIn' in api) throw new Error(`${operation} has no protocol`);
  return api;
}
