import { expect, test } from '@jest/globals';
import { HeaderList, type RoutedRequest } from '../kernel/http/index.ts';
import { errorShapeOf, loadApi } from '../translation/index.ts';
import { GATEWAY_OPERATIONS } from './operations/index.ts';
import { errorsOfUnknownPath, gatewayRoutes, reasonForNoRoute } from './routes.ts';

/** No dependency is used before a request comes. */
const nothing = new Proxy({}, { get: () => () => {} }) as never;

test('each method and path is served once to the clients of an API', () => {
  const names = gatewayRoutes(nothing).map((route) => `${route.method} ${route.path} ${route.isFor?.name}`);
  expect(new Set(names).size).toBe(names.length);
});

test('each operation is loaded by its name and served on a route', async () => {
  const served = new Set(
    Object.values(GATEWAY_OPERATIONS).flatMap((entry) => ('operation' in entry ? [entry.operation] : [])),
  );
  const request = { url: 'http://host/', headers: new HeaderList([]) };
  const routed = { request, params: { call: 'm:generateContent' } } as unknown as RoutedRequest;
  for (const name of served) {
    // Bedrock's bodies are messages in other names.
    const operation = name.startsWith('bedrock-') ? 'anthropic-messages' : name;
    expect((await loadApi(name))(routed).operation).toBe(operation);
  }
});

test.each([
  ['/v1/messages/batches', {}, errorShapeOf('anthropic')],
  ['/v1/files', { 'anthropic-version': '2023-06-01' }, errorShapeOf('anthropic')],
  ['/v1beta', {}, errorShapeOf('gemini')],
  ['/upload/v1beta/files', {}, errorShapeOf('gemini')],
  ['/v1beta/cachedContents', { 'anthropic-version': '2023-06-01' }, errorShapeOf('gemini')],
  ['/v1beta/models/%C:embedContent', {}, errorShapeOf('gemini')],
  ['/v1/messages/%2e%2e?x=/v1beta', {}, errorShapeOf('anthropic')],
  ['/model/a/count-tokens', {}, errorShapeOf('bedrock')],
  ['/v1/messagesx', {}, undefined],
  ['/v1beta1/models', {}, undefined],
  ['/keys', {}, undefined],
])('an error at the unknown path %s has the format of the nearest API', (path, headers, shape) => {
  const request = { url: `http://host${path}`, headers: new HeaderList(Object.entries(headers)) };
  expect(errorsOfUnknownPath(request).errorShape).toBe(shape);
});

test.each([
  ['/v1/realtime?model=gpt-realtime', {}, true],
  ['/v1/realtime/client_secrets', {}, true],
  ['/v1/responses', { upgrade: 'WebSocket' }, true],
  ['/ws/any', { upgrade: 'websocket' }, true],
  ['/v1/realtimes', {}, false],
  ['/v1/responses', { upgrade: 'h2c' }, false],
])('the 404 of %s with %j says why sessions are not served: %s', (path, headers, says) => {
  const reason = reasonForNoRoute({ url: `http://host${path}`, headers: new HeaderList(Object.entries(headers)) });
  expect(reason?.includes('sessions are not served') ?? false).toBe(says);
});

test.each([
  ['/v1/files', true],
  ['/v1/files/file-1/content?x=1', true],
  ['/v1/uploads', true],
  ['/v1/batches/batch_1/cancel', true],
  ['/v1/messages/batches/msgbatch_1/lines', false],
  ['/v1beta/files/abc', true],
  ['/upload/v1beta/files?uploadType=resumable', true],
  ['/v1beta/batches/abc:cancel', true],
  ['/v1/filesystem', false],
  ['/v1/responses/batches', false],
])('the 404 of %s says why files and batches are not served: %s', (path, says) => {
  const reason = reasonForNoRoute({ url: `http://host${path}`, headers: new HeaderList([]) });
  expect(reason?.includes('Files and batches are not served') ?? false).toBe(says);
});
