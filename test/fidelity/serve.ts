/**
 * The gateway in front of a mock that validates, for OpenAI's own tests: node test/fidelity/serve.ts [folder of openai-node]
 * Their clients have a fixed key and no `/v1` in their base URL, so a proxy corrects both. With a folder, the tests of routes
 * that the gateway serves run there; without one, the address is printed and served.
 * `OPENAI_SPEC`: OpenAI's published OpenAPI document (github.com/openai/openai-openapi), instead of the one made from its types.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startGateway } from './gateway.ts';
import { readPublished } from './schema/read-published.ts';
import { toOpenApi } from './schema/to-openapi.ts';
import { startSteady } from './steady.ts';

/** Of what they test, what the gateway serves; what it does not is in the same files under other names. */
const SERVED = ['chat/completions/completions', 'completions', 'embeddings', 'moderations', 'models'];
const NAMES = '^resource (completions|embeddings|moderations|models) (create|list)';

const spec = process.env.OPENAI_SPEC;
const made = [...readPublished()].filter(([name]) => /chat|v1\/completions|embeddings/.test(name));
const steady = await startSteady(spec ?? toOpenApi(made));
// The published document's paths have no /v1.
const gateway = await startGateway({ OPENAI_BASE_URL: spec === undefined ? `${steady.url}/v1` : steady.url });
const front = createServer((asked, answer) => {
  const { host: _, ...headers } = asked.headers;
  const { method } = asked;
  const onwards = request(`${gateway.url}/v1${asked.url}`, {
    method,
    headers: { ...headers, authorization: `Bearer ${gateway.key}` },
  });
  onwards.on('response', (given) => {
    answer.writeHead(given.statusCode ?? 502, given.headers);
    given.pipe(answer);
  });
  onwards.on('error', () => answer.destroy());
  asked.pipe(onwards);
}).listen(Number(process.env.PORT ?? 0), '127.0.0.1');
await once(front, 'listening');
const address = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;

async function stop(): Promise<void> {
  front.closeAllConnections();
  front.close();
  await gateway.stop();
  await steady.stop();
}

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.log(`TEST_API_BASE_URL=${address}`);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
} else {
  const files = SERVED.map((name) => `tests/api-resources/${name}.test.ts`);
  const tests = spawn('npx', ['jest', ...files, '--testNamePattern', NAMES], {
    cwd: folder,
    stdio: 'inherit',
    env: { ...process.env, TEST_API_BASE_URL: address },
  });
  const [code] = (await once(tests, 'exit')) as [number | null];
  process.exitCode = code ?? 1;
}
await stop();
