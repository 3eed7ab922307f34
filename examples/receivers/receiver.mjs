// Takes webhooks of the gateway: SVC_WEBHOOK_SECRET=whsec_... PORT=8080 node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const KEY = Buffer.from(process.env.SVC_WEBHOOK_SECRET.replace('whsec_', ''), 'base64');
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
server.listen(Number(process.env.PORT ?? 8080), () => console.log('listening on', server.address().port));
