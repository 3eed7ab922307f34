import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { DEADLINE_MS } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import type { FunctionUrl } from './function-url.ts';

/** Between SIGTERM and SIGKILL. */
const STOP_MS = 1_000;
const REMOVED =
  /^(?:connection|keep-alive|upgrade|expect|te|trailer|proxy-\w+|x-real-ip|x-http-method(?:-override)?|lambda-web-.*)$/i;

export interface WebEndpointOptions {
  /** The folder that is deployed: dist/web-function, or dist/container-gateway of the image. */
  readonly bundleDir: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface WebEndpoint extends FunctionUrl {
  readonly process: ChildProcess;
}

/**
 * Serves a bundle as an endpoint of a Lambda Web Function does, or a load balancer before a container: one process that listens on the address it
 * is given, behind a proxy with the documented changes of headers. https://docs.aws.amazon.com/lambda/latest/dg/web-functions-http.html
 */
export async function startWebEndpoint({ bundleDir, env }: WebEndpointOptions): Promise<WebEndpoint> {
  const port = await freePort();
  const logs: string[] = [];
  const child = spawn(process.execPath, [path.join(bundleDir, 'index.mjs')], {
    cwd: bundleDir,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      // Of a container.
      PORT: String(port),
      AWS_LAMBDA_HTTP_ENDPOINT: `127.0.0.1:${port}`,
      ...env,
    },
  });
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => logs.push(line));
  const exited = once(child, 'close');
  const server = http.createServer((request, response) => pass(request, response, port));
  const stop = async () => {
    server.closeAllConnections();
    server.close();
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    const killing = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await exited;
    clearTimeout(killing);
  };
  try {
    await untilListening(child, port);
  } catch (error) {
    await stop();
    throw new Error([String(error), ...logs].join('\n'));
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    process: child,
    logs: () => logs,
    stop,
  };
}

function pass(request: http.IncomingMessage, response: http.ServerResponse, port: number): void {
  const headers: string[] = [];
  const forwarded: string[] = [];
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    const [name = '', value = ''] = request.rawHeaders.slice(at, at + 2);
    if (name.toLowerCase() === 'x-forwarded-for') forwarded.push(value);
    else if (name.toLowerCase() === 'host') headers.push('host', 'local.b7t.lambda-web.eu-central-1.on.aws');
    else if (!REMOVED.test(name)) headers.push(name, value);
  }
  headers.push('x-forwarded-for', [...forwarded, request.socket.remoteAddress].join(', '));
  headers.push('lambda-web-request-id', crypto.randomUUID());
  const { method = 'GET', url = '/' } = request;
  // A connection each: the server may be closing one that was used before.
  const target = { port, host: '127.0.0.1', agent: false, method, path: url, headers };
  const passed = http.request(target, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.once('error', () => response.destroy());
    answer.pipe(response);
  });
  passed.once('error', () => {
    // A refusal may come before the body is read.
    if (!response.headersSent) response.destroy();
  });
  response.once('close', () => passed.destroy());
  request.pipe(passed);
}

async function untilListening(child: ChildProcess, port: number): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  while (child.exitCode === null && performance.now() < deadline) {
    const socket = connect(port, '127.0.0.1');
    const [isOpen] = await Promise.race([
      once(socket, 'connect').then(() => [true]),
      once(socket, 'error').then(() => [false]),
    ]).catch(() => [false]);
    socket.destroy();
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('the web function did not listen in time');
}
