import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FEDERATIONS, TokenEndpoints } from '../../../test/support/token-endpoints.ts';
import { completeFederation, type ExchangeFailure } from '../../control/federation/index.ts';
import { type HttpClient, HttpFailure } from '../../kernel/http/index.ts';
import { webIdentityTokens } from '../aws/web-identity.ts';
import { createTokenExchange } from './token-exchange.ts';
import { UndiciHttpClient } from './undici-http-client.ts';

const endpoints = new TokenEndpoints();
const credentials = { accessKeyId: 'AKID', secretAccessKey: 'planted', sessionToken: 'session' };
const clock = { now: Date.now, monotonic: () => 0 };
let exchange: ReturnType<typeof createTokenExchange>;

beforeAll(async () => {
  await endpoints.start();
  const http = endpoints.client(new UndiciHttpClient());
  const identityTokens = webIdentityTokens({ endpoint: endpoints.url, region: 'eu-central-1', credentials });
  exchange = createTokenExchange({ http, identityTokens, clock });
});
afterAll(() => endpoints.stop());
beforeEach(() => endpoints.reset());

type Given = Parameters<typeof completeFederation>[0];
const { openai, google, azure } = FEDERATIONS;
const { serviceAccount: _, ...pool } = google;
const failureOf = (given: Given): Promise<ExchangeFailure> =>
  exchange(completeFederation(given)).then(
    () => Promise.reject(new Error('it was exchanged')),
    (error: ExchangeFailure) => {
      // No message has text of a provider, which may be a token.
      for (const text of ['planted', ...endpoints.tokens]) expect(`${error.stack}`).not.toContain(text);
      return error;
    },
  );

describe('an identity token of AWS is exchanged', () => {
  it.each([
    [openai, 'oai_', ['auth.openai.com'], '3600'],
    [pool, 'ya29.d.', ['sts.googleapis.com'], '300'],
    [google, 'ya29.c.', ['sts.googleapis.com', 'iamcredentials.googleapis.com'], '300'],
    [azure, 'eyJ.', ['login.microsoftonline.com'], '300'],
    [
      { ...azure, scope: 'https://cognitiveservices.azure.com/.default' } as const,
      'eyJ.',
      ['login.microsoftonline.com'],
      '300',
    ],
  ])('at the fixed hosts of its kind (%#)', async (given, prefix, hosts, seconds) => {
    const { value, expiresAt } = await exchange(completeFederation(given));
    expect([value, endpoints.called]).toEqual([
      expect.stringMatching(`^${prefix.replaceAll('.', '\\.')}planted`),
      hosts,
    ]);
    expect(Math.abs(expiresAt - Date.now() - 3_600_000)).toBeLessThan(60_000);
    const [asked] = endpoints.asked;
    const { audience } = completeFederation(given);
    expect(Object.fromEntries(asked ?? [])).toMatchObject({
      ...{ Action: 'GetWebIdentityToken', 'Audience.member.1': audience },
      ...{ DurationSeconds: seconds, SigningAlgorithm: 'RS256' },
    });
  });

  it('for a shorter time, where the session of the role ends soon', async () => {
    endpoints.longestSeconds = 120;
    await exchange(completeFederation(openai));
    expect(endpoints.asked.map((fields) => fields.get('DurationSeconds'))).toEqual(['3600', '60']);
  });
});

describe('AWS gives no identity token', () => {
  it.each([
    ['OutboundWebIdentityFederationDisabledException', true, 'aws iam enable-outbound-web-identity-federation'],
    ['AccessDenied', true, 'federationAudiences'],
    ['ValidationError', true, 'ValidationError'],
    ['ExpiredToken', false, 'ExpiredToken'],
    ['InternalFailure', false, 'InternalFailure'],
  ])('%s', async (error, isRefused, text) => {
    endpoints.stsError = error;
    expect(await failureOf(openai)).toMatchObject({ isRefused, message: expect.stringContaining(text) });
    expect(endpoints.called).toEqual([]);
    expect(endpoints.asked).toHaveLength(error === 'InternalFailure' ? 3 : 1);
  });

  it('if there are no credentials', async () => {
    const none = { message: 'none', name: 'CredentialsProviderError' };
    const identityTokens = webIdentityTokens({
      ...{ endpoint: endpoints.url, region: 'eu-central-1' },
      credentials: () => Promise.reject(none),
    });
    await expect(identityTokens('a', 60)).rejects.toMatchObject({
      message: 'There are no AWS credentials.',
      isRefused: true,
    });
  });
});

describe('the provider refuses, which the message says in words', () => {
  const past = { iat: 1_000, exp: 2_000 };
  it.each([
    [
      'another audience',
      openai,
      { aud: 'other' },
      'OpenAI refuses the exchange (status 401 invalid_grant). Compare issuer',
    ],
    ['an expired token', openai, past, 'status 401 invalid_grant'],
    ['another subject', openai, { sub: 'arn:aws:iam::1:role/other' }, 'status 401 invalid_grant'],
    ['another provider', { ...openai, identityProviderId: 'other' }, {}, 'status 401 invalid_grant'],
    ['another account', { ...openai, serviceAccountId: 'other' }, {}, 'status 403 access_denied'],
    [
      'another audience',
      google,
      { aud: 'other' },
      'Google refuses the exchange (status 400 invalid_grant). Compare issuer',
    ],
    ['another subject', google, { sub: 'other' }, 'status 400 unauthorized_client'],
    [
      'another pool',
      { ...google, workloadProvider: google.workloadProvider.replace('pool/', 'other/') },
      {},
      'status 400 invalid_target',
    ],
    [
      'another service account',
      { ...google, serviceAccount: 'other@lab.iam.gserviceaccount.com' },
      {},
      'Google refuses the exchange (status 403 PERMISSION_DENIED). Grant the principal of the pool roles/iam.workloadIdentityUser',
    ],
    [
      'another audience',
      azure,
      { aud: 'other' },
      'Microsoft Entra refuses the exchange (AADSTS700212: no federated credential',
    ],
    [
      'another subject',
      azure,
      { sub: 'other' },
      'AADSTS700213: no federated credential of the application has the subject',
    ],
    ['an expired token', azure, past, 'AADSTS700024: the identity token is not valid at this time'],
    ['another tenant', { ...azure, tenantId: azure.clientId }, {}, 'AADSTS90002: there is no such tenant'],
    [
      'another application',
      { ...azure, clientId: azure.tenantId },
      {},
      'AADSTS700016: the tenant has no such application',
    ],
  ])('%s (%#)', async (_name, given, claims, text) => {
    endpoints.claims = claims;
    expect(await failureOf(given as Given)).toMatchObject({ isRefused: true, message: expect.stringContaining(text) });
  });

  it('also if its error is in no known form', async () => {
    for (const body of [
      'planted',
      '{"error":{"message":"planted"}}',
      '{"error":"planted secret words"}',
      '[]',
      'null',
    ]) {
      endpoints.instead.set('auth.openai.com', [400, body]);
      expect((await failureOf(openai)).message).toContain('OpenAI refuses the exchange (status 400).');
    }
    endpoints.instead.set('login.microsoftonline.com', [400, { error: 'invalid_request', error_codes: [900144] }]);
    expect((await failureOf(azure)).message).toContain('(status 400 invalid_request AADSTS900144)');
  });
});

describe('the token endpoint fails', () => {
  it.each([
    [500, {}, 'status 500'],
    [429, {}, 'status 429'],
    [302, '', 'status 302'],
    [200, '<html>', 'a response without a valid token'],
    [200, { access_token: '' }, 'a response without a valid token'],
    [200, { access_token: 'two words', expires_in: 60 }, 'a response without a valid token'],
    [200, { access_token: 'line\nbreak', expires_in: 60 }, 'a response without a valid token'],
    [200, { access_token: 'x'.repeat(8_193), expires_in: 60 }, 'a response without a valid token'],
    [200, { access_token: 'x', expires_in: -1 }, 'a response without a valid token'],
    [200, { access_token: 'x', expires_in: 1e9 }, 'a response without a valid token'],
    [200, 'x'.repeat(65_537), 'does not respond (unreadable)'],
  ])('with status %d (%#)', async (status, body, text) => {
    endpoints.instead.set('auth.openai.com', [status, body]);
    expect(await failureOf(openai)).toMatchObject({ isRefused: false, message: expect.stringContaining(text) });
    expect(endpoints.called).toHaveLength(1);
  });

  it('by silence, which has a deadline', async () => {
    const deadlines: unknown[] = [];
    const http: HttpClient = {
      send: async ({ headTimeoutMs, idleTimeoutMs, signal }) => {
        deadlines.push(headTimeoutMs, idleTimeoutMs, signal instanceof AbortSignal);
        throw new HttpFailure('timeout', true);
      },
    };
    const silent = createTokenExchange({ http, identityTokens: async () => 'token', clock });
    await expect(silent(completeFederation(azure))).rejects.toMatchObject({
      isRefused: false,
      message: 'The token endpoint of Microsoft Entra does not respond (timeout).',
    });
    expect(deadlines).toEqual([5_000, 5_000, true]);
  });
});

it('a token without a lifetime lives as long as the shortest identity token', async () => {
  endpoints.instead.set('auth.openai.com', [200, { access_token: 'token-without-lifetime' }]);
  const { expiresAt } = await exchange(completeFederation(openai));
  expect(Math.abs(expiresAt - Date.now() - 60_000)).toBeLessThan(30_000);
});
