// Receives webhooks of the gateway: SVC_WEBHOOK_SECRET=whsec_... PORT=8080 node receiver.mjs
// It listens on this machine only. Behind a proxy with TLS, set HOST to another address.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { SVC_WEBHOOK_SECRET: secret = '', HOST: host = '127.0.0.1', PORT: port = '8080' } = process.env;
if (!/^whsec_[A-Za-z0-9+/]{32,}=*$/.test(secret)) {
  fail('Set SVC_WEBHOOK_SECRET to the signing secret of the webhook, whsec_..., which its creation printed.');
}
const KEY = Buffer.from(secret.replace('whsec_', ''), 'base64');
const TOLERANCE_SECONDS = 300;
const seen = new Set();

/** Whether these exact bytes were signed by the gateway in the last minutes. */
function isGenuine(headers, body) {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS)) return false;
  const expected = createHmac('sha256', KEY).update(`${id}.${timestamp}.`).update(body).digest();
  return (headers['webhook-signature'] ?? '').split(' ').some((signature) => {
    const given = Buffer.from(signature.replace('v1,', ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (!isGenuine(request.headers, body)) return response.writeHead(401).end();
  const event = JSON.parse(body);
  // An event may come twice: keep the ids where you keep what you do about them.
  if (!seen.has(event.id)) console.log(event.id, event.type);
  seen.add(event.id);
  response.writeHead(204).end();
});
server.on('error', ({ code }) =>
  fail(`Cannot listen on ${host}, port ${port} (${code}). Set PORT or HOST to another value.`),
);
server.listen(Number(port), host, () => console.log(`listening on http://${host}:${server.address().port}`));

function fail(message) {
  console.error(message);
  process.exit(1);
}
