import { afterEach, expect, it } from '@jest/globals';
import { behindDistribution, type FrontDoor, openFrontDoor } from '../adapters/aws/front-door.ts';
import type { App } from '../kernel/http/index.ts';
import { BackgroundTasks } from '../kernel/tasks/index.ts';
import { startContainerGateway } from './container-gateway-host.ts';
import type { HttpHost } from './http-host.ts';

let host: HttpHost | undefined;
afterEach(() => host?.stop(0));

const start = (app: App, frontDoor: FrontDoor = openFrontDoor, backgroundTasks = new BackgroundTasks()) =>
  startContainerGateway({ app, frontDoor, backgroundTasks }, { host: '127.0.0.1', port: 0 });

it('takes the address that the load balancer appended for the client', async () => {
  let seen = '';
  host = await start(async (_request, { clientAddress }) => {
    seen = clientAddress;
    return { status: 200, headers: {}, body: 'ok' };
  });
  await fetch(host.url, { headers: { 'x-forwarded-for': '10.0.0.1, 203.0.113.7' } });
  expect(seen).toBe('203.0.113.7');
});

it('refuses what did not come through the distribution', async () => {
  let refused: unknown;
  const only = behindDistribution({ secret: async () => JSON.stringify({ sent: 'a'.repeat(64) }), only: true });
  host = await start(async (_request, { refusal }) => {
    refused = refusal?.code;
    return { status: 200, headers: {}, body: 'ok' };
  }, only);
  await fetch(host.url);
  expect(refused).toBe('insufficient_permissions');
});

it('keeps connections longer than the idle timeout of the load balancer', async () => {
  host = await start(async () => ({ status: 200, headers: {}, body: 'ok' }));
  const { headers } = await fetch(host.url);
  expect(headers.get('keep-alive')).toBe('timeout=910');
});

it('lets running requests end when it stops, and waits for their background tasks', async () => {
  const running = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const tasks = new BackgroundTasks();
  let isDone = false;
  const app: App = async () => {
    running.resolve();
    await ended.promise;
    tasks.add(
      new Promise<void>((resolve) =>
        setImmediate(() => {
          isDone = true;
          resolve();
        }),
      ),
    );
    return { status: 200, headers: {}, body: 'whole' };
  };
  host = await start(app, openFrontDoor, tasks);
  const response = fetch(host.url);
  await running.promise;
  const stopped = host.stop();
  ended.resolve();
  expect(await (await response).text()).toBe('whole');
  await stopped;
  expect(isDone).toBe(true);
});
