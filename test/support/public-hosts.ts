import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** Servers of a test behind public names: where `httpsLeadsTo` leads, each host has the address of its server. */
export async function startPublicHosts(hosts: Readonly<Record<string, string>>) {
  const front = http.createServer((request, response) => {
    const { method = 'GET', url: path = '/', headers } = request;
    const target = hosts[headers.host ?? ''];
    if (target === undefined) return void response.writeHead(404).end();
    const { hostname, port } = new URL(target);
    const passed = http.request({ hostname, port, method, path, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.once('error', () => response.destroy());
      answer.pipe(response);
    });
    passed.once('error', () => response.destroy());
    response.once('close', () => passed.destroy());
    request.pipe(passed);
  });
  await once(front.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(front.address() as AddressInfo).port}`,
    stop: () => {
      front.closeAllConnections();
      front.close();
    },
  };
}
