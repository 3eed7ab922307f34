import type { TokenIssuer } from './issuers.ts';

/** An address of MCP servers at the gateway, as an audience of tokens (RFC 8707). */
interface McpResource {
  readonly origin: string;
  /** Undefined: of all servers. */
  readonly server: string | undefined;
}

const PATH = /^\/v1\/mcp(?:\/([a-z0-9-]{1,32}))?$/;
const SERVER = /^[a-z0-9-]{1,32}$/;

/** The MCP servers that an audience names by their address; undefined for any other audience. */
function resourceOf(audience: string): McpResource | undefined {
  const url = URL.parse(audience);
  const path = url === null || !/^https?:$/.test(url.protocol) ? null : PATH.exec(url.pathname);
  return url === null || path === null ? undefined : { origin: url.origin, server: path[1] };
}

/**
 * The MCP servers that a token with these audiences is for, `*` for all; undefined if it is for all of the gateway, which accepts one of them
 * that is no address of MCP servers.
 */
export function mcpServersOf(
  audiences: readonly unknown[],
  { audience }: Pick<TokenIssuer, 'audience'>,
): string[] | undefined {
  const accepted = audience.filter((one) => audiences.includes(one));
  const servers = accepted.map((one) => resourceOf(one));
  if (servers.some((one) => one === undefined)) return undefined;
  return servers.map((one) => one?.server ?? '*');
}

/** The metadata of an MCP server at the gateway as a protected resource (RFC 9728). */
export interface ResourceMetadata {
  readonly resource: string;
  readonly authorization_servers: readonly string[];
  readonly bearer_methods_supported: readonly ['header'];
  readonly scopes_supported?: readonly string[];
}

/**
 * The metadata by the issuers that have the address of the server, or of all servers, as an audience; the closest address decides. Undefined if
 * none has. Whether there is such a server does not matter: anyone can read it.
 */
export function mcpMetadata(server: string | undefined, issuers: readonly TokenIssuer[]): ResourceMetadata | undefined {
  for (const wanted of new Set([server, undefined])) {
    const named = issuers.flatMap((issuer) => {
      const resource = issuer.audience.find((one) => {
        const found = resourceOf(one);
        return found !== undefined && found.server === wanted;
      });
      return resource === undefined ? [] : [{ issuer, resource }];
    });
    const [first] = named;
    if (first === undefined) continue;
    const of = named.filter(({ resource }) => resource === first.resource).map(({ issuer }) => issuer);
    const scopes = [...new Set(of.flatMap(({ signIn }) => signIn?.scope?.split(' ') ?? []))];
    return {
      resource: first.resource,
      authorization_servers: of.map(({ issuer }) => issuer),
      bearer_methods_supported: ['header'],
      ...(scopes.length > 0 && { scopes_supported: scopes }),
    };
  }
  return undefined;
}

/** Where the metadata of a server, or of all, is: it belongs to the origin of its resource. */
export function mcpMetadataUrl(server: string | undefined, issuers: readonly TokenIssuer[]): string | undefined {
  // It is a part of a header.
  if (server !== undefined && !SERVER.test(server)) return undefined;
  const metadata = mcpMetadata(server, issuers);
  const path = server === undefined ? '/v1/mcp' : `/v1/mcp/${server}`;
  return metadata && `${new URL(metadata.resource).origin}/.well-known/oauth-protected-resource${path}`;
}
