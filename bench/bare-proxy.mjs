/** The least that any gateway in Node has to do: `node bare-proxy.mjs UPSTREAM_URL` passes bytes on, unread. */
import http from 'node:http';

const upstream = new URL(process.argv[2]);
const agent = new http.Agent({ keepAlive: true, scheduling: 'lifo' });

const server = http.createServer((incoming, outgoing) => {
  const { method, url: path } = incoming;
  const headers = { ...incoming.headers, host: upstream.host };
  const options = { host: upstream.hostname, port: upstream.port, agent, method, path, headers };
  const call = http.request(options, (answer) => {
    outgoing.writeHead(answer.statusCode, answer.headers);
    answer.pipe(outgoing);
  });
  call.on('error', () => outgoing.destroy());
  outgoing.on('close', () => call.destroy());
  incoming.pipe(call);
});
server.listen(0, '127.0.0.1', () => console.log(`ready http://127.0.0.1:${server.address().port}`));
