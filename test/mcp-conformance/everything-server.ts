import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createMcpHandler,
  createRequestStateCodec,
  fromJsonSchema,
  type InputRequests,
  inputRequired,
  McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';

/** A server with the tools, resources and prompts that MCP's conformance suite asks for by name. */
export interface EverythingServer {
  readonly url: string;
  stop(): void;
}

const INFO = { name: 'everything', version: '1.0.0' };
const IMAGE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const AUDIO = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';
const states = createRequestStateCodec<Record<string, unknown>>({ key: 'a key of thirty-two bytes or more' });

const say = (words: string) => ({ content: [{ type: 'text' as const, text: words }] });
const askFor = (message: string, name: string, type: 'string' | 'boolean' = 'string') =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [name]: { type } as { type: 'string' } }, required: [name] },
  });
const sample = (words: string) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text: words } }], maxTokens: 50 });
const textOf = (response: unknown) => (response as { content?: { text?: string } } | undefined)?.content?.text;
const user = (content: object) => ({ role: 'user' as const, content: content as { type: 'text'; text: string } });

function addContents(server: McpServer): void {
  const plain = (name: string, content: object[]) =>
    server.registerTool(name, { description: `Returns ${name}.` }, async () => ({
      content: content as { type: 'text'; text: string }[],
    }));
  const image = { type: 'image', data: IMAGE, mimeType: 'image/png' };
  const resource = (uri: string) => ({
    type: 'resource',
    resource: { uri, mimeType: 'text/plain', text: 'Embedded.' },
  });
  plain('test_simple_text', [{ type: 'text', text: 'This is a simple text response for testing.' }]);
  plain('test_image_content', [image]);
  plain('test_audio_content', [{ type: 'audio', data: AUDIO, mimeType: 'audio/wav' }]);
  plain('test_embedded_resource', [resource('test://embedded-resource')]);
  plain('test_multiple_content_types', [{ type: 'text', text: 'Several:' }, image, resource('test://mixed')]);
  plain('test_streaming_elicitation', [{ type: 'text', text: 'No request in this stream.' }]);
  server.registerTool('test_error_handling', { description: 'Fails.' }, async () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  const headed = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } } as const;
  server.registerTool(
    'test_x_mcp_header',
    { description: 'Repeats an argument in a header.', inputSchema: fromJsonSchema<{ region?: string }>(headed) },
    async ({ region }) => say(`region=${region}`),
  );
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: { address: { $anchor: 'addressDef', type: 'object', properties: { street: { type: 'string' } } } },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  } as const;
  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'Has a schema with all of its words.', inputSchema: fromJsonSchema(schema) },
    async () => say('done'),
  );
}

function addNotifying(server: McpServer): void {
  const config = { description: 'Notifies.', inputSchema: z.object({}) };
  server.registerTool('test_logging_tool', config, async (_, context) => {
    await context.mcpReq.log('info', 'logged');
    return say('logged');
  });
  server.registerTool('test_tool_with_progress', config, async (_, { mcpReq }) => {
    const { progressToken } = mcpReq._meta ?? {};
    for (const progress of progressToken === undefined ? [] : [0, 50, 100])
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken: progressToken as string, progress, total: 100 },
      });
    return say(String(progressToken));
  });
}

/** Tools that ask the client for input. */
function addAsking(server: McpServer): void {
  const add = (name: string, run: (context: ServerContext['mcpReq'], all: ServerContext) => Promise<object>) =>
    server.registerTool(
      name,
      { description: 'Asks for input.', inputSchema: z.object({}) },
      async (_, context) => (await run(context.mcpReq, context)) as ReturnType<typeof say>,
    );
  add('test_missing_capability', async ({ inputResponses }) =>
    inputResponses?.llm_answer === undefined
      ? inputRequired({ inputRequests: { llm_answer: sample('Say pong.') } })
      : say('complete'),
  );
  add('test_input_required_result_elicitation', async ({ inputResponses }) => {
    const name = acceptedContent<{ name: string }>(inputResponses, 'user_name')?.name;
    if (typeof name === 'string') return say(`Hello, ${name}!`);
    return inputRequired({ inputRequests: { user_name: askFor('What is your name?', 'name') } });
  });
  add('test_input_required_result_sampling', async ({ inputResponses }) => {
    const answer = inputResponses?.capital_question;
    if (answer !== undefined) return say(`Sampling response: ${textOf(answer)}`);
    return inputRequired({ inputRequests: { capital_question: sample('What is the capital of France?') } });
  });
  add('test_input_required_result_list_roots', async ({ inputResponses }) => {
    const { roots } = (inputResponses?.client_roots ?? {}) as { roots?: { uri: string }[] };
    if (Array.isArray(roots)) return say(`${roots.length} roots: ${roots.map(({ uri }) => uri).join(', ')}`);
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  });
  const withState = (name: string, done: string) =>
    add(name, async ({ inputResponses, requestState }) => {
      if (requestState() !== undefined && acceptedContent(inputResponses, 'confirm') !== undefined) return say(done);
      const inputRequests = { confirm: askFor('Please confirm', 'ok', 'boolean') };
      return inputRequired({ inputRequests, requestState: await states.mint({ name }) });
    });
  withState('test_input_required_result_request_state', 'state-ok');
  withState('test_input_required_result_tampered_state', 'integrity-ok');
  add('test_input_required_result_multiple_inputs', async ({ inputResponses }) => {
    const name = acceptedContent<{ name: string }>(inputResponses, 'user_name')?.name;
    const greeting = textOf(inputResponses?.greeting);
    if (typeof name === 'string' && typeof greeting === 'string') return say(`${greeting} ${name}`);
    const inputRequests = {
      user_name: askFor('What is your name?', 'name'),
      greeting: sample('Generate a greeting'),
      client_roots: inputRequired.listRoots(),
    };
    return inputRequired({ inputRequests, requestState: await states.mint({ several: true }) });
  });
  add('test_input_required_result_multi_round', async ({ inputResponses, requestState }) => {
    const { round = 0 } = (requestState() ?? {}) as { round?: number };
    if (round === 2) return say(`complete: ${acceptedContent<{ color: string }>(inputResponses, 'step2')?.color}`);
    const inputRequests: InputRequests =
      round === 0
        ? { step1: askFor('What is your name?', 'name') }
        : { step2: askFor('What is your favorite color?', 'color') };
    return inputRequired({ inputRequests, requestState: await states.mint({ round: round + 1 }) });
  });
  add('test_input_required_result_capabilities', async ({ inputResponses, envelope }) => {
    if (inputResponses !== undefined) return say('fulfilled');
    const declared = (envelope as Record<string, Record<string, unknown>> | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
    const inputRequests: InputRequests = {
      ...(declared?.elicitation !== undefined && { user_name: askFor('What is your name?', 'name') }),
      ...(declared?.sampling !== undefined && { greeting: sample('Generate a greeting') }),
      ...(declared?.roots !== undefined && { client_roots: inputRequired.listRoots() }),
    };
    return Object.keys(inputRequests).length === 0 ? say('nothing to ask') : inputRequired({ inputRequests });
  });
}

function addResources(server: McpServer): void {
  const add = (name: string, content: { text: string } | { blob: string }) => {
    const uri = `test://${name}`;
    const mimeType = 'text' in content ? 'text/plain' : 'image/png';
    server.registerResource(name, uri, { description: `The resource ${name}.`, mimeType }, async () => ({
      contents: [{ uri, mimeType, ...content }],
    }));
  };
  add('static-text', { text: 'This is the content of the static text resource.' });
  add('static-binary', { blob: IMAGE });
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  server.registerResource('template', template, { mimeType: 'application/json' }, async (uri, { id }) => ({
    contents: [{ uri: uri.toString(), mimeType: 'application/json', text: JSON.stringify({ id, templateTest: true }) }],
  }));
}

function addPrompts(server: McpServer): void {
  const simple = { type: 'text', text: 'This is a simple prompt for testing.' };
  const image = { type: 'image', data: IMAGE, mimeType: 'image/png' };
  server.registerPrompt('test_simple_prompt', { description: 'Simple.' }, async () => ({ messages: [user(simple)] }));
  server.registerPrompt('test_prompt_with_image', { description: 'With an image.' }, async () => ({
    messages: [user(image), user(simple)],
  }));
  const argsSchema = z.object({ arg1: z.string(), arg2: z.string() });
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'With arguments.', argsSchema },
    async ({ arg1, arg2 }) => ({
      messages: [user({ type: 'text', text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` })],
    }),
  );
  const uris = z.object({ resourceUri: z.string() });
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'With a resource.', argsSchema: uris },
    async ({ resourceUri: uri }) => ({
      messages: [
        user({ type: 'resource', resource: { uri, mimeType: 'text/plain', text: 'Embedded.' } }),
        user(simple),
      ],
    }),
  );
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks for input.' }, (async (
    context: ServerContext,
  ) => {
    const given = acceptedContent<{ context: string }>(context.mcpReq.inputResponses, 'user_context')?.context;
    if (typeof given === 'string') return { messages: [user({ type: 'text', text: given })] };
    return inputRequired({ inputRequests: { user_context: askFor('Which context?', 'context') } });
  }) as unknown as () => Promise<{ messages: ReturnType<typeof user>[] }>);
  server.server.setRequestHandler('completion/complete', async () => ({
    completion: { values: ['paris', 'park'], total: 2, hasMore: false },
  }));
}

function newServer(): McpServer {
  const capabilities = { tools: {}, resources: {}, prompts: {}, completions: {}, logging: {} };
  const server = new McpServer(INFO, { capabilities, requestState: { verify: states.verify } });
  for (const add of [addContents, addNotifying, addAsking, addResources, addPrompts]) add(server);
  return server;
}

/** A server of the revision 2026-07-28 alone, or one of 2025-11-25 with sessions. */
export async function startEverything(kind: 'modern' | 'sessions'): Promise<EverythingServer> {
  const http = createServer(kind === 'modern' ? modern() : withSessions()).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const { port } = http.address() as AddressInfo;
  const stop = () => {
    http.closeAllConnections();
    http.close();
  };
  return { url: `http://127.0.0.1:${port}/mcp`, stop };
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

function modern(): Listener {
  return toNodeHandler(createMcpHandler(newServer, { legacy: 'reject' })) as Listener;
}

function withSessions(): Listener {
  const sessions = new Map<string, NodeStreamableHTTPServerTransport>();
  const handle: Listener = async (request, response) => {
    const known = sessions.get(String(request.headers['mcp-session-id']));
    const body = request.method === 'POST' ? JSON.parse(await text(request)) : undefined;
    if (known !== undefined) return known.handleRequest(request, response, body);
    if (body?.method !== 'initialize') return void response.writeHead(400).end();
    const transport: NodeStreamableHTTPServerTransport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await newServer().connect(transport);
    return transport.handleRequest(request, response, body);
  };
  return (request, response) => void Promise.resolve(handle(request, response)).catch(() => response.destroy());
}
