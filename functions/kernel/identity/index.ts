/** The document `identity`: issuers of tokens, and the rules that match claims. */
export {
  type IdentityDocument,
  type IdentityRule,
  issuersSchema,
  shownIssuersSchema,
  type TokenIssuer,
} from './issuers.ts';
export { type Claims, matchesClaims } from './match-claims.ts';
export { mcpMetadata, mcpMetadataUrl, mcpServersOf } from './mcp-resource.ts';
