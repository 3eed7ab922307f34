import * as z from 'zod';
import { addressSchema } from '../http/index.ts';
import { createKeySchema, ENVIRONMENTS, PERMISSIONS } from '../model/index.ts';

/** Signatures with a private key only: neither `none` nor a MAC, whose secret would have to be shared. */
const TOKEN_ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
] as const;
const MAX_ISSUERS = 16;
/** Of all issuers together. */
const MAX_RULES = 200;

const issuerAddress = addressSchema.refine((text) => !text.includes('?') && text.length <= 1_024, {
  error: 'must hold no query, and at most 1024 characters',
});
const globs = z.array(z.string().min(1).max(256)).min(1).max(64);
const matchSchema = z
  .record(z.string().min(1).max(256), globs)
  .refine((match) => Object.keys(match).length >= 1 && Object.keys(match).length <= 16, {
    error: 'must have 1 to 16 claims',
  });

const {
  environment,
  permissions,
  rateLimit,
  tokenLimit,
  budget,
  allowedModels,
  allowedTools,
  policy,
  tags,
  maxConcurrent,
} = createKeySchema.shape;
const ruleSchema = z
  .strictObject({
    id: z
      .string()
      .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'must have 1 to 64 lower-case letters, digits, - and _')
      .meta({ description: 'Unique in the document; records and errors name it.' }),
    match: matchSchema.meta({
      description:
        'Globs by the path of a claim (`realm_access.roles`). All claims must match, each by one glob; of an array one element. A claim that the token lacks never matches; `email` counts only with `email_verified: true`.',
    }),
    environment: environment.meta({ description: 'Default: Development.' }),
    teamId: z
      .string()
      .regex(/^team_[0-9a-f]{32}$/, 'must be the id of a team')
      .nullable()
      .default(null)
      .meta({ description: 'The team of these callers; null: none.' }),
    permissions: permissions.meta({ description: 'Default: chat_completions.' }),
    ...{ rateLimit, tokenLimit, budget },
    maxConcurrent: maxConcurrent
      .unwrap()
      .default(50)
      .meta({ description: 'Requests of an identity at the same time; null: no limit. Default: 50.' }),
    ...{ allowedModels, allowedTools, policy, tags },
  })
  .meta({
    id: 'IdentityRule',
    description: 'What callers may do whose claims match. Limits are those of each identity.',
  });

/** Of the machine on which a person signs in (RFC 8252, 7.3). Without a port any free one is used. */
const LOOPBACK_ADDRESS = /^http:\/\/(?:127\.0\.0\.1|localhost)(?::[1-9]\d{0,4})?(?:\/[\w.~-]+)*\/?$/;
const signInSchema = z
  .strictObject({
    clientId: z
      .string()
      .regex(/^[\x21-\x7e]{1,256}$/, 'must have 1 to 256 visible ASCII characters')
      .meta({ description: 'A public client of the issuer: it has no secret. Anyone can read it.' }),
    token: z.enum(['id_token', 'access_token']).default('id_token').meta({
      description: 'The token that is sent to the gateway. An ID token has the client id in `aud`. Default: id_token.',
    }),
    scope: z
      .string()
      .regex(/^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/, 'must be scopes with a space between')
      .max(1_024)
      .refine((text) => text.split(' ').includes('openid'), { error: 'must have the scope openid' })
      .optional()
      .meta({ description: 'Default: `openid email profile`, and `offline_access` if the issuer lists it.' }),
    resource: addressSchema
      .optional()
      .meta({ description: 'What an access token is for, if the issuer needs it (RFC 8707).' }),
    redirectUri: z
      .string()
      .regex(LOOPBACK_ADDRESS, 'must be an address of http://127.0.0.1 or http://localhost')
      .refine((text) => URL.canParse(text), { error: 'must have a port of at most 65535' })
      .default('http://127.0.0.1/callback')
      .meta({
        description:
          'Registered for the client. With a port exactly this one is used, else a free one. Default: http://127.0.0.1/callback.',
      }),
  })
  .meta({ id: 'IssuerSignIn', description: 'How people get a token of this issuer in a terminal.' });

/** An address that only looks like one of MCP servers would make tokens valid for all of the gateway. */
function isAudience(text: string): boolean {
  const { pathname = '' } = URL.parse(text) ?? {};
  return !/^\/v1\/mcp(?![\w-])/i.test(pathname) || /^\/v1\/mcp(?:\/[a-z0-9-]{1,32})?$/.test(pathname);
}

const issuerSchema = z
  .strictObject({
    issuer: issuerAddress.meta({ description: 'The `iss` of its tokens, exactly.' }),
    audience: z
      .array(
        z
          .string()
          .min(1)
          .max(256)
          .refine(isAudience, 'must be the address /v1/mcp or /v1/mcp/NAME, without a slash at its end'),
      )
      .min(1)
      .max(16)
      .meta({ description: 'A token must have one of them in `aud`.' }),
    jwksUrl: addressSchema
      .optional()
      .meta({ description: 'Where its public keys are. Default: what its discovery document names as `jwks_uri`.' }),
    algorithms: z
      .array(z.enum(TOKEN_ALGORITHMS))
      .min(1)
      .max(TOKEN_ALGORITHMS.length)
      .default(['RS256', 'ES256', 'ES384'])
      .meta({ description: 'Signatures that its tokens may have. Default: RS256, ES256, ES384.' }),
    signIn: signInSchema.optional().meta({ description: 'For `svc login`. `GET /v1/sign-in` shows it to anyone.' }),
    rules: z.array(ruleSchema).max(MAX_RULES).meta({ description: 'The first rule that matches decides. None: 403.' }),
  })
  .meta({ id: 'Issuer', description: 'An issuer of tokens, and what its callers may do.' });

/** Issuers whose tokens are accepted in place of keys. */
export const issuersSchema = z
  .array(issuerSchema)
  .max(MAX_ISSUERS)
  .superRefine((issuers, context) => {
    const rules = issuers.flatMap(({ rules }, at) =>
      rules.map(({ id }, rule) => ({ id, path: [at, 'rules', rule, 'id'] })),
    );
    if (rules.length > MAX_RULES) context.addIssue({ code: 'custom', message: `must have at most ${MAX_RULES} rules` });
    for (const [at, { issuer, audience, signIn }] of issuers.entries()) {
      if (signIn?.token === 'id_token' && !audience.includes(signIn.clientId))
        context.addIssue({ code: 'custom', message: 'must have the client id of signIn', path: [at, 'audience'] });
      if (issuers.findIndex((one) => one.issuer === issuer) !== at)
        context.addIssue({ code: 'custom', message: 'is not unique', path: [at, 'issuer'] });
    }
    for (const [at, { id, path }] of rules.entries()) {
      if (rules.findIndex((one) => one.id === id) !== at)
        context.addIssue({ code: 'custom', message: 'is not unique', path });
    }
  });

/** The same as stored: normalized. */
export const shownIssuersSchema = z.array(
  issuerSchema
    .extend({
      signIn: signInSchema
        .extend({})
        .meta({ id: 'StoredIssuerSignIn', description: 'How people get a token of this issuer in a terminal.' })
        .optional(),
      rules: z.array(
        ruleSchema
          .extend({ environment: z.enum(ENVIRONMENTS), permissions: z.array(z.enum(PERMISSIONS)) })
          .meta({ id: 'StoredIdentityRule', description: 'What callers may do whose claims match.' }),
      ),
    })
    .meta({ id: 'StoredIssuer', description: 'An issuer of tokens, and what its callers may do.' }),
);

/** An issuer of tokens, with defaults filled in. */
export type TokenIssuer = z.infer<typeof issuerSchema>;
/** What callers may do whose claims match. */
export type IdentityRule = z.infer<typeof ruleSchema>;
/** The content of the document `identity`. */
export interface IdentityDocument {
  readonly issuers: readonly TokenIssuer[];
}
