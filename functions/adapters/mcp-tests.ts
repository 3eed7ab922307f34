import * as z from 'zod';
import type { Authenticator, KeyStore } from '../control/keys/index.ts';
import { GatewayError } from '../kernel/errors/index.ts';
import { type ApiKey, keyState, matchesGlob } from '../kernel/model/index.ts';
import type { Clock } from '../kernel/tasks/index.ts';
import { createSecretSealer, NotOpened, type SecretSealer } from './aws/secret-sealer.ts';

type Callers = Authenticator['identities'];

interface McpTestsDeps {
  /** The key that seals stored credentials: the gateway and the admin API alone have it. */
  readonly credentialsKey: () => Promise<string>;
  readonly keys: Pick<KeyStore, 'get'>;
  readonly clock: Pick<Clock, 'now'>;
}

const BEGIN = 'svc_test_';
const SEALED_AS = 'mcp test';
const VALID_MS = 60_000;

const testSchema = z.object({ keyId: z.string(), server: z.string(), tool: z.string(), untilMs: z.number() });
type McpTest = z.infer<typeof testSchema>;

/**
 * Tokens with which an administrator tests a tool of an MCP server as a key, without its secret. The gateway takes them in place of a key, for
 * calls of this tool.
 */
export class McpTests implements Callers {
  private readonly sealer: SecretSealer;
  private readonly deps: McpTestsDeps;

  constructor(deps: McpTestsDeps) {
    this.deps = deps;
    this.sealer = createSecretSealer(deps.credentialsKey, 'svc mcp test');
  }

  /** A token that is valid for a minute. @throws StoreUnavailable */
  async token(test: Omit<McpTest, 'untilMs'>): Promise<{ readonly token: string; readonly expiresAt: string }> {
    const untilMs = this.deps.clock.now() + VALID_MS;
    const sealed = await this.sealer.seal(JSON.stringify({ ...test, untilMs }), SEALED_AS);
    return { token: `${BEGIN}${sealed}`, expiresAt: new Date(untilMs).toISOString() };
  }

  accepts(secret: string): boolean {
    return secret.startsWith(BEGIN);
  }

  /** The key in its present state, for the tool alone. @throws GatewayError `invalid_api_key`; StoreUnavailable */
  async find(token: string, _address: string, isRunning = false): Promise<ApiKey> {
    const { keys, clock } = this.deps;
    const { keyId, server, tool, untilMs } = await this.open(token.slice(BEGIN.length));
    const now = clock.now();
    const key = (await keys.get(keyId))?.key;
    const isValid = key !== undefined && keyState(key, now) === 'active' && (isRunning || now < untilMs);
    if (!isValid) throw invalidTest();
    const name = `${server}/${tool}`;
    const { allowedTools = [] } = key;
    const isAllowed = allowedTools.length === 0 || allowedTools.some((glob) => matchesGlob(glob, name));
    // The administrator is at another address than the clients of the key.
    return { ...key, mcpServers: [server], ipWhitelist: [], ...(isAllowed && { allowedTools: [name] }) };
  }

  private async open(sealed: string): Promise<McpTest> {
    try {
      return testSchema.parse(JSON.parse(await this.sealer.open(sealed, SEALED_AS)));
    } catch (error) {
      throw error instanceof NotOpened ? invalidTest() : error;
    }
  }
}

/** Callers with the token of a test, and others. */
export function withMcpTests(tests: McpTests, others: Callers): Callers {
  return {
    accepts: (secret) => tests.accepts(secret) || others.accepts(secret),
    find: (secret, ...request) => (tests.accepts(secret) ? tests : others).find(secret, ...request),
  };
}

function invalidTest(): GatewayError {
  return new GatewayError('invalid_api_key', 'This test of an MCP tool has ended, or its key is not active.');
}
