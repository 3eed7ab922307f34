/**
 * OpenAI's and Anthropic's own tests of their SDKs through the gateway, with a mock that validates as the provider:
 * npm test official-suites -- [--openai FOLDER] [--anthropic FOLDER], checkouts of github.com/openai/openai-node and
 * github.com/anthropics/anthropic-sdk-typescript, unchanged; their packages need not be installed. The mock's document is made of
 * the checkout's types. Prints each file's result; the last line is "N passed, N failed".
 */
import '../../scripts/check-node.mjs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { installOwn } from '../support/own-suite.mjs';
import { type Gateway, startGateway } from './gateway.ts';
import { SHARED } from './routes.ts';
import { readPublished } from './schema/read-published.ts';
import { toOpenApi } from './schema/to-openapi.ts';
import { startSteady } from './steady.ts';

interface TestFile {
  /** Methods that the gateway does not serve; their tests are not counted. */
  readonly unserved?: readonly string[];
  /** Tests with a request that the gateway refuses by design, by title, with the error. They fail if they see anything else. */
  readonly refused?: Readonly<Record<string, string>>;
}

interface Suite {
  readonly name: 'openai' | 'anthropic';
  /** The package that the tests import. */
  readonly sdk: string;
  /** The SDK's base URL below an address, of the gateway or of the provider. */
  readonly basePath: '/v1' | '';
  /** The mock's OpenAPI document. @param sources the SDK's entry by its package */
  document(sources: Readonly<Record<string, string>>): object;
  /** The gateway's settings for a provider at this URL. */
  settings(providerUrl: string): Readonly<Record<string, string>>;
  /** By path below tests/api-resources. */
  readonly files: Readonly<Record<string, TestFile>>;
}

/** OpenAI refuses these too (github.com/mattermost/mattermost-plugin-agents/issues/476), unless a stored prompt has a model. */
const NO_MODEL = "400 Missing required field 'model'.";
const NO_INPUT = "400 Missing required field 'input'.";

const SUITES: readonly Suite[] = [
  {
    name: 'openai',
    sdk: 'openai',
    basePath: '/v1',
    document: openAiDocument,
    // A test compacts after `resp_123`, which no server returned.
    settings: (providerUrl) => ({ OPENAI_BASE_URL: providerUrl, SVC_FOREIGN_IDS: 'resp_123' }),
    files: {
      'chat/completions/completions': {
        unserved: ['retrieve', 'update', 'list', 'delete'],
        // OpenAI refuses 0 too (github.com/henrycunh/golem/issues/44); to some servers it means no limit.
        refused: { 'create: required and optional params': "400 'max_tokens': Too small" },
      },
      completions: {},
      embeddings: {},
      images: { unserved: ['createVariation'] },
      'audio/speech': {},
      'audio/transcriptions': {},
      'audio/translations': {},
      models: { unserved: ['delete'] },
      moderations: {},
      'responses/responses': { refused: { create: NO_MODEL, 'compact: only required params': NO_INPUT } },
      'responses/input-items': {},
      'responses/input-tokens': { refused: { count: NO_MODEL } },
      'beta/responses/responses': { refused: { create: NO_MODEL, 'compact: only required params': NO_INPUT } },
      'beta/responses/input-items': {},
      'beta/responses/input-tokens': { refused: { count: NO_MODEL } },
    },
  },
  {
    name: 'anthropic',
    sdk: '@anthropic-ai/sdk',
    basePath: '',
    document: (sources) => toOpenApi([...readPublished('PublishedBetas', sources)]),
    // The tests name a model and ids that no server returned.
    settings: (providerUrl) => ({
      ANTHROPIC_BASE_URL: providerUrl,
      SVC_FOREIGN_IDS: 'id,previous_message_id',
      SVC_ROUTES: JSON.stringify([
        { models: 'model_id', targets: [{ provider: 'anthropic', model: 'claude-sonnet-4-5' }] },
      ]),
    }),
    files: { 'messages/messages': {}, 'beta/messages/messages': {}, models: {}, 'beta/models': {} },
  },
];

/** Stored responses that tests name: the key owns none of them, so each call is about one that it just created. */
const PLACEHOLDER_ID = /(?<=^\/responses\/)(?:resp_677efb5139a88190b512bc3fef8e535d|response_id)(?=[/?]|$)/;
/** Their tests are CommonJS. */
const SWC = { jsc: { parser: { syntax: 'typescript' }, target: 'es2024' }, module: { type: 'commonjs' } };
const ROOT = path.resolve(import.meta.dirname, '../..');

const { values: folders } = parseArgs({ options: { openai: { type: 'string' }, anthropic: { type: 'string' } } });
const chosen = SUITES.filter(({ name }) => folders[name] !== undefined);
if (chosen.length === 0) {
  console.error('usage: npm test official-suites -- [--openai FOLDER] [--anthropic FOLDER]');
  process.exit(2);
}
installOwn(import.meta.dirname);
const total = { passed: 0, failed: 0 };
for (const suite of chosen) await runSuite(suite, path.resolve(folders[suite.name] as string));
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;

async function runSuite(suite: Suite, folder: string): Promise<void> {
  const { version } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')) as { version: string };
  console.log(`${suite.sdk} ${version}`);
  const steady = await startSteady(suite.document({ [suite.sdk]: path.join(folder, 'src/index.ts') }));
  try {
    const gateway = await startGateway(suite.settings(`${steady.url}${suite.basePath}`));
    const front = await startFront(gateway, suite.basePath);
    try {
      report(suite, folder, await runJest(suite, folder, front.url));
    } finally {
      front.stop();
      await gateway.stop();
    }
  } finally {
    await steady.stop();
  }
}

function openAiDocument(sources: Readonly<Record<string, string>>): object {
  const routes = new Map(SHARED.filter(([, { provider }]) => provider === 'openai'));
  const forms = [...routes].flatMap(([name, { fileField }]) => (fileField ? [[name, fileField] as const] : []));
  const published = [...readPublished('Published', sources)];
  return toOpenApi(
    published.filter(([name]) => routes.has(name)),
    new Map(forms),
  );
}

/** A proxy that replaces what the tests cannot know: the key, and ids of stored responses. */
async function startFront(gateway: Gateway, basePath: string): Promise<{ readonly url: string; stop(): void }> {
  const front = createServer((asked, answer) => {
    forward(asked, answer, `${gateway.url}${basePath}`, gateway.key).catch(() => answer.destroy());
  }).listen(0, '127.0.0.1');
  await once(front, 'listening');
  const { port } = front.address() as AddressInfo;
  const stop = () => {
    front.closeAllConnections();
    front.close();
  };
  return { url: `http://127.0.0.1:${port}`, stop };
}

async function forward(asked: IncomingMessage, answer: ServerResponse, base: string, key: string): Promise<void> {
  const { host: _host, 'x-api-key': _key, ...headers } = asked.headers;
  const { method = 'GET', url = '/' } = asked;
  const target = PLACEHOLDER_ID.test(url) ? url.replace(PLACEHOLDER_ID, await createResponse(base, key)) : url;
  const sent = request(`${base}${target}`, { method, headers: { ...headers, authorization: `Bearer ${key}` } });
  await Promise.all([pipeline(asked, sent), once(sent, 'response').then(([given]) => passOn(given, answer))]);
}

async function passOn(given: IncomingMessage, answer: ServerResponse): Promise<void> {
  answer.writeHead(given.statusCode ?? 502, given.headers);
  await pipeline(given, answer);
}

/** The id of a new response; where none was created, an id that no key owns. */
async function createResponse(base: string, key: string): Promise<string> {
  const response = await fetch(`${base}/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-5', input: 'Hello' }),
  });
  const { id = 'none' } = (await response.json()) as { id?: string };
  return id;
}

/** A part of what jest writes with `--outputFile`. */
interface FileResult {
  readonly name: string;
  /** Why a file did not load. */
  readonly message: string;
  readonly assertionResults: readonly TestResult[];
}
interface TestResult {
  readonly title: string;
  readonly status: 'passed' | 'failed' | 'pending';
  readonly failureMessages: readonly string[];
}

/** Runs the suite's files with this repository's jest: a checkout has no packages. */
async function runJest({ sdk, files }: Suite, folder: string, url: string): Promise<readonly FileResult[]> {
  const modules = path.join(ROOT, 'node_modules');
  const config = {
    rootDir: folder,
    testEnvironment: path.join(modules, 'jest-environment-node'),
    testMatch: Object.keys(files).map((file) => `<rootDir>/tests/api-resources/${file}.test.ts`),
    transform: { '^.+\\.ts$': [path.join(modules, '@swc/jest'), SWC] },
    moduleNameMapper: { [`^${sdk}$`]: '<rootDir>/src/index.ts', [`^${sdk}/(.*)$`]: '<rootDir>/src/$1' },
    modulePathIgnorePatterns: ['<rootDir>/(?:ecosystem-tests|packages|dist)/'],
    modulePaths: [modules],
  };
  const output = await mkdtemp(path.join(tmpdir(), 'svc-suites-'));
  const results = path.join(output, 'results.json');
  const args = ['--config', JSON.stringify(config), '--runInBand', '--json', '--outputFile', results];
  try {
    const jest = spawn(process.execPath, [path.join(modules, 'jest/bin/jest.js'), ...args], {
      cwd: ROOT,
      // The results are in the file.
      stdio: 'ignore',
      env: { ...process.env, TEST_API_BASE_URL: url },
    });
    await once(jest, 'close');
    if (!existsSync(results)) throw new Error(`jest found no tests in ${folder}`);
    return (JSON.parse(await readFile(results, 'utf8')) as { testResults: FileResult[] }).testResults;
  } finally {
    await rm(output, { recursive: true, force: true });
  }
}

/** Prints each file's result and adds it to the total. A file that is missing or does not load is a failure. */
function report({ files }: Suite, folder: string, results: readonly FileResult[]): void {
  for (const [file, { unserved = [], refused = {} }] of Object.entries(files)) {
    const result = results.find(({ name }) => name === path.join(folder, `tests/api-resources/${file}.test.ts`));
    const counts = { passed: 0, failed: 0, 'refused by design': 0, 'not served': 0, 'skipped by the SDK': 0 };
    const failures: string[] = [];
    for (const test of result?.assertionResults ?? []) {
      const outcome = outcomeOf(test, unserved, refused);
      counts[outcome] += 1;
      if (outcome === 'failed')
        failures.push(`${test.title}: ${test.failureMessages[0]?.split('\n')[0] ?? 'not refused'}`);
    }
    if ((result?.assertionResults.length ?? 0) === 0) {
      counts.failed += 1;
      failures.push(result?.message ?? 'no such file');
    }
    total.passed += counts.passed;
    total.failed += counts.failed;
    const shown = Object.entries(counts).filter(([outcome, count]) => count > 0 || /passed|failed/.test(outcome));
    console.log(`  ${file}: ${shown.map(([outcome, count]) => `${count} ${outcome}`).join(', ')}`);
    for (const failure of failures) console.log(`    ${failure}`);
  }
}

function outcomeOf({ title, status, failureMessages }: TestResult, unserved: readonly string[], refused: object) {
  if (status === 'pending') return 'skipped by the SDK';
  if (unserved.some((method) => title === method || title.startsWith(`${method}:`))) return 'not served';
  const refusal = (refused as Record<string, string>)[title];
  if (refusal === undefined) return status;
  return failureMessages.some((message) => message.includes(refusal)) ? 'refused by design' : 'failed';
}
