import type { LiveCredentials } from '../control/credentials/index.ts';
import { ExchangeFailure, FederatedTokens } from '../control/federation/index.ts';
import { MCP_TARGET, type StoredMcpServer } from '../kernel/configuration/index.ts';
import { GatewayError } from '../kernel/errors/index.ts';
import type { HttpClient } from '../kernel/http/index.ts';
import type { TokenServer } from './http/client-credentials.ts';
import { systemClock } from './node/process-time.ts';
import { logFailedExchange } from './telemetry/json-log.ts';

interface McpTokensDeps {
  readonly stored: Pick<LiveCredentials, 'lookUp' | 'bindToken'>;
  /** Calls public addresses only. */
  readonly http: HttpClient;
  readonly inBackground: (exchange: Promise<unknown>) => void;
  /** Whether the reason of a failure is for the caller: an administrator. */
  readonly explains: boolean;
}

interface McpTokens {
  token(server: StoredMcpServer): Promise<string | undefined>;
  renewToken(server: StoredMcpServer, refused: string): Promise<boolean>;
}

/** What MCP servers are called with: stored credentials, and access tokens of OAuth's client credentials, each for one server. */
export function mcpTokens({ stored, http, inBackground, explains }: McpTokensDeps): McpTokens {
  const secret = (credentialId: string) => stored.lookUp(credentialId);
  const tokens = new FederatedTokens<TokenServer>({
    async exchange(server) {
      // Few deployments need it.
      const { createClientCredentials } = await import('./http/client-credentials.ts');
      const token = await createClientCredentials({ http, clock: systemClock, secret })(server);
      stored.bindToken(token, new URL(server.url).host);
      return token;
    },
    clock: systemClock,
    random: Math.random,
    inBackground,
    onFailure: ({ provider, federation: { auth } }, failure, secondsLeft) =>
      logFailedExchange({ id: auth.credentialId, provider }, failure, secondsLeft),
  });
  return {
    async token({ name, url, auth }) {
      if (auth.type === 'none') return undefined;
      if (auth.type === 'credential') return (await stored.lookUp(auth.credentialId)).value;
      try {
        return (await tokens.current(credentialOf({ name, url, auth }))).value;
      } catch (error) {
        throw error instanceof ExchangeFailure ? withoutToken(name, error, explains) : error;
      }
    },
    async renewToken({ name, url, auth }, refused) {
      if (auth.type !== 'clientCredentials') return false;
      const renewed = tokens.afterRefusal(credentialOf({ name, url, auth }), refused);
      return renewed.then(
        (token) => token !== undefined,
        () => false,
      );
    },
  };
}

/** A token is for one server at one address: another has another. */
function credentialOf(server: TokenServer) {
  const { name, url, auth } = server;
  return { id: JSON.stringify([name, url, auth]), provider: `${MCP_TARGET}${name}`, federation: server };
}

function withoutToken(name: string, { message: internal, isRefused }: ExchangeFailure, explains: boolean) {
  const message = `The gateway gets no access token for the MCP server ${name}.${explains ? ` ${internal}` : ''}`;
  const [code, headers] = isRefused
    ? (['provider_error', { 'x-should-retry': 'false' }] as const)
    : (['unavailable', { 'retry-after': '5' }] as const);
  return new GatewayError(code, message, { headers, internal: `mcp server ${name}: ${internal}` });
}
