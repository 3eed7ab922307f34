import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { Browser, CLIENT_ID, OTHER_CLIENT_ID, RESOURCE } from '../support/identity-provider.ts';
import { LoginTest } from './login-setup.ts';
import { Running } from './terminal.ts';

const suite = new LoginTest();
const { provider, gateway, other } = suite;
const ADDRESS = /^(http\S+\/auth\?\S+)$/m;
const folder = () => path.join(suite.home, 'svc/sessions');
const files = async () => (await readdir(folder())).filter((name) => name.endsWith('.json'));
const stored = async () => JSON.parse(await readFile(path.join(folder(), (await files())[0] ?? ''), 'utf8'));

describe('svc login in a browser', () => {
  it('signs in with PKCE, and svc token then prints the ID token alone', async () => {
    const running = suite.run('login', ['--yes']);
    const address = await running.printed(ADDRESS);
    const asked = Object.fromEntries(new URL(address).searchParams);
    expect(asked).toMatchObject({
      ...{ client_id: CLIENT_ID, response_type: 'code', code_challenge_method: 'S256' },
      scope: 'openid email profile offline_access',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/),
    });
    expect(await new Browser().signIn(address)).toBe('Close this window and go back to the terminal.\n');
    const { code, out, error } = await running.ended();
    expect([code, out]).toEqual([0, '']);
    expect(error).toContain(`Signed in to ${gateway.url} as sue@example.com.\n`);
    const printed = await suite.token();
    expect([printed.code, printed.error]).toEqual([0, '']);
    const [line = '', ...rest] = printed.out.split('\n');
    expect(rest).toEqual(['']);
    expect(decodeJwt(line)).toMatchObject({ iss: provider.url, aud: CLIENT_ID, sub: 'sue', groups: ['engineering'] });
    expect(error).not.toContain(line);
  });

  it('keeps tokens in files of the user alone', async () => {
    await suite.signIn();
    const [name = ''] = await files();
    expect(await files()).toHaveLength(1);
    const modes = await Promise.all(
      [folder(), path.join(folder(), name)].map(async (one) => (await stat(one)).mode & 0o777),
    );
    expect(modes).toEqual([0o700, 0o600]);
  });

  it('ignores requests of other pages and users: a wrong state, path or method', async () => {
    const running = suite.run('login', ['--yes']);
    const address = await running.printed(ADDRESS);
    const { redirect_uri: ours = '', state = '' } = Object.fromEntries(new URL(address).searchParams);
    const statusOf = async (url: string, method = 'GET') => (await fetch(url, { method })).status;
    expect(await statusOf(`${ours}?code=stolen&state=wrong`)).toBe(400);
    expect(await statusOf(`${ours}?code=stolen`)).toBe(400);
    expect(await statusOf(`${ours}?error=access_denied&state=wrong`)).toBe(400);
    expect(await statusOf(`${ours}/other?code=stolen&state=${state}`)).toBe(404);
    expect(await statusOf(`${ours}?code=stolen&state=${state}`, 'POST')).toBe(404);
    await new Browser().signIn(address);
    expect((await running.ended()).code).toBe(0);
  });

  it.each([
    ['that the person declined', 'error=access_denied&iss=ISSUER', 'refused (access_denied)'],
    ['of another issuer', 'code=abc&iss=https://evil.example', 'is not valid (OAUTH_INVALID_RESPONSE)'],
    ['without an issuer', 'code=abc', 'is not valid (OAUTH_INVALID_RESPONSE)'],
    ['with an unknown code', 'code=secret-code&iss=ISSUER', 'refused (invalid_grant)'],
  ])('ends with a redirect %s, and quotes nothing', async (_, query, reason) => {
    const running = suite.run('login', ['--yes']);
    const { redirect_uri, state } = Object.fromEntries(new URL(await running.printed(ADDRESS)).searchParams);
    await fetch(`${redirect_uri}?${query.replace('ISSUER', provider.url)}&state=${state}`);
    const { code, error } = await running.ended();
    expect([code, error.split('\n').at(-2)]).toEqual([1, expect.stringContaining(reason)]);
    expect(error).not.toContain('secret-code');
    expect(await files().catch(() => [])).toEqual([]);
  });

  it('listens at the registered port and host alone', async () => {
    const taken = http.createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as { port: number };
    gateway.issuers = [suite.entry({ redirectUri: `http://127.0.0.1:${port}/callback` })];
    const { code, error } = await suite.run('login', ['--yes']).ended();
    expect([code, error]).toEqual([
      1,
      expect.stringContaining(`cannot listen at http://127.0.0.1:${port} (EADDRINUSE)`),
    ]);
    taken.close();
    gateway.issuers = [suite.entry({ redirectUri: 'http://localhost/callback' })];
    expect((await suite.signIn()).code).toBe(0);
  });

  it('says why the gateway refuses the token, without the token', async () => {
    gateway.refusal = (value) => `The token ${value} is refused:\u001b[2J its audience.`;
    const { code, error } = await suite.signIn();
    const line = `You are signed in, but ${gateway.url} refuses the token (401). The token ... is refused:\ufffd[2J its audience.`;
    expect([code, error.split('\n').at(-2)]).toEqual([1, line]);
    expect((await suite.token()).code).toBe(0);
  });

  it('opens the page with the program of the system', async () => {
    const bin = path.join(suite.home, 'bin');
    await mkdir(bin);
    await writeFile(path.join(bin, 'xdg-open'), `#!/bin/sh\necho "$1" > "${suite.home}/opened"\n`, { mode: 0o755 });
    const running = suite.run('login', ['--yes'], undefined, { PATH: `${bin}:/bin:/usr/bin` });
    const address = await running.printed(ADDRESS);
    await new Browser().signIn(address);
    await running.ended();
    // The program may end after the sign-in.
    const opened = () => readFile(path.join(suite.home, 'opened'), 'utf8').catch(() => '');
    expect(await eventually(opened, (text) => text.endsWith('\n'))).toBe(`${address}\n`);
  });
});

describe('svc login on another device', () => {
  it.each([
    ['with --device', ['--yes', '--device'], {}],
    ['in an SSH session', ['--yes'], { SSH_CONNECTION: '1' }],
    ['without a display', ['--yes'], { DISPLAY: '' }],
  ])('shows a code: %s', async (_, args, env) => {
    quickDevice();
    const running = suite.run('login', args, undefined, env);
    const address = await running.printed(/^Open (\S+) on any device/m);
    const code = await running.printed(/enter: (\S+)$/m);
    expect(await new Browser().enter(address, code)).toContain('Sign-in Success');
    expect(await running.ended()).toMatchObject({ code: 0, out: '' });
    expect(decodeJwt((await suite.token()).out)).toMatchObject({ sub: 'sue', aud: CLIENT_ID });
  });

  it('shows no address with another scheme', async () => {
    changeJson('/device/auth', (body) => ({ ...body, verification_uri: 'javascript:alert(1)' }));
    const { code, error } = await suite.run('login', ['--yes', '--device']).ended();
    expect([code, error]).toEqual([1, "The identity provider's page must have https, or http on this machine.\n"]);
  });

  it('needs a provider that offers it', async () => {
    changeJson('/.well-known/openid-configuration', ({ device_authorization_endpoint: _, ...rest }) => rest);
    const { code, error } = await suite.run('login', ['--yes', '--device']).ended();
    expect([code, error]).toEqual([1, 'The identity provider does not offer --device.\n']);
  });
});

describe('the issuer that a gateway names', () => {
  it('is confirmed by the person, once', async () => {
    const question = `May ${gateway.url} get your tokens of ${provider.url} (client ${CLIENT_ID})?`;
    expect(await suite.run('login').ended()).toMatchObject({
      code: 1,
      error: `${question} Without a terminal, pass --yes.\n`,
    });
    const declined = await suite.run('login', [], 'no').ended();
    expect([declined.code, declined.error]).toEqual([1, `${question} Type yes: You are not signed in.\n`]);
    expect(provider.asked).toEqual([]);
    const running = suite.run('login', [], 'yes');
    await new Browser().signIn(await running.printed(ADDRESS));
    expect((await running.ended()).code).toBe(0);
    expect((await suite.signIn([])).code).toBe(0);
  });

  it('is confirmed again if it changes', async () => {
    await suite.signIn();
    gateway.issuers = [suite.entry({ clientId: OTHER_CLIENT_ID })];
    const { code, error } = await suite.run('login').ended();
    expect([code, error]).toEqual([
      1,
      expect.stringContaining(`Before, it was ${provider.url} (client ${CLIENT_ID}).`),
    ]);
  });

  it('must have another client than other gateways, unless the person names both', async () => {
    await suite.signIn();
    const { code, error } = await suite.run('login', ['--gateway', other.url, '--yes']).ended();
    expect([code, error]).toEqual([1, expect.stringContaining(`${other.url} names the client of ${gateway.url}`)]);
    expect((await suite.token(['--gateway', other.url])).code).toBe(1);
    const named = ['--issuer', provider.url, '--client-id', CLIENT_ID];
    expect((await suite.signIn(['--gateway', other.url, ...named])).code).toBe(0);
  });

  it('is not needed with --issuer and --client-id', async () => {
    gateway.status = 404;
    expect((await suite.run('login', ['--yes']).ended()).error).toMatch(/^The gateway names no issuer\./);
    expect((await suite.signIn(['--issuer', provider.url, '--client-id', CLIENT_ID])).code).toBe(0);
  });

  it('is chosen among several', async () => {
    gateway.issuers = [suite.entry(), { issuer: 'https://login.example.com', clientId: 'x', token: 'id_token' }];
    const { code, error } = await suite.run('login', ['--yes']).ended();
    expect([code, error]).toEqual([1, expect.stringContaining(`one of: ${provider.url}, https://login.example.com`)]);
    expect((await suite.signIn(['--yes', '--issuer', provider.url])).code).toBe(0);
  });

  it.each([
    ['http elsewhere', { issuer: 'http://login.example.com' }, 'The issuer must have https'],
    ['a redirect elsewhere', { redirectUri: 'https://evil.example/callback' }, 'redirectUri must be an address of'],
    ['a redirect that reads as loopback', { redirectUri: 'http://127.0.0.1@evil.example/' }, 'redirectUri must be'],
    ['control characters', { clientId: 'a\u001b[2J' }, 'clientId must have'],
    ['another kind of token', { token: 'refresh_token' }, 'token Invalid option'],
  ])('may not have %s', async (_, more, reason) => {
    gateway.issuers = [suite.entry(more)];
    const { code, error } = await suite.run('login', ['--yes']).ended();
    expect([code, error]).toEqual([1, expect.stringContaining(reason)]);
  });

  it('must name itself, and a page that a browser opens', async () => {
    changeJson('/.well-known/openid-configuration', (all) => ({ ...all, issuer: 'https://login.example.com' }));
    expect(await suite.run('login', ['--yes']).ended()).toMatchObject({
      code: 1,
      error: expect.stringContaining('is not valid (OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED)'),
    });
    changeJson('/.well-known/openid-configuration', (all) => ({ ...all, authorization_endpoint: 'file:///bin/sh' }));
    expect(await suite.run('login', ['--yes']).ended()).toMatchObject({
      code: 1,
      error: expect.stringContaining('is not valid (OAUTH_REQUEST_PROTOCOL_FORBIDDEN)'),
    });
  });

  it('can give access tokens for a resource', async () => {
    gateway.issuers = [
      suite.entry({ token: 'access_token', resource: RESOURCE, scope: 'openid offline_access models' }),
    ];
    expect((await suite.signIn()).code).toBe(0);
    expect(decodeJwt((await suite.token()).out)).toMatchObject({ aud: 'svc', sub: 'sue', scope: 'models' });
    await expire();
    expect(decodeJwt((await suite.token()).out)).toMatchObject({ aud: 'svc', sub: 'sue' });
  });
});

describe('svc token', () => {
  it('gets a new token before the old one ends, and keeps the rotated refresh token', async () => {
    await suite.signIn();
    const first = (await suite.token()).out;
    const { refreshToken } = await stored();
    expect((await suite.token()).out).toBe(first);
    await expire();
    const second = await suite.token();
    expect([second.code, second.error, second.out === first]).toEqual([0, '', false]);
    expect((await stored()).refreshToken).not.toBe(refreshToken);
    await expire();
    expect((await suite.token()).code).toBe(0);
  });

  it('needs a sign-in without a session, and once the refresh token is over', async () => {
    const needed = (url: string) =>
      expect.stringMatching(new RegExp(`^You are not signed in\\. Run: .* --gateway ${url}\\n$`));
    expect(await suite.token()).toEqual({ code: 1, out: '', error: needed(gateway.url) });
    await suite.signIn();
    await expire({ refreshToken: 'unknown' });
    expect(await suite.token()).toEqual({ code: 1, out: '', error: needed(gateway.url) });
    const asked = provider.asked.length;
    expect(await suite.token()).toEqual({ code: 1, out: '', error: needed(gateway.url) });
    expect(provider.asked).toHaveLength(asked);
  });

  it('never prints the token of another gateway', async () => {
    await suite.signIn();
    expect((await suite.token(['--gateway', other.url])).out).toBe('');
    expect((await suite.token(['--gateway', `${gateway.url}/v1/`])).code).toBe(0);
    expect((await suite.token(['--gateway', `${gateway.url}/other`])).out).toBe('');
  });

  it('refuses a token of another person', async () => {
    await suite.signIn();
    await expire({ subject: 'ben' });
    expect(await suite.token()).toEqual({
      code: 1,
      out: '',
      error: 'The identity provider returned a token of another person.\n',
    });
  });

  it('prints the old token while that is valid and the provider is away or slow', async () => {
    await suite.signIn();
    const first = (await suite.token()).out;
    await expire({ expiresAt: Date.now() + 60_000 });
    provider.hook = (_, response) => response.writeHead(503).end() === response;
    expect(await suite.token()).toEqual({ code: 0, out: first, error: '' });
    await expire();
    expect(await suite.token()).toMatchObject({ code: 1, out: '', error: expect.stringContaining('is not valid') });
    await expire({ issuer: `http://127.0.0.1:${await freePort()}` });
    expect(await suite.token()).toMatchObject({ code: 1, out: '', error: expect.stringContaining('ECONNREFUSED') });
  });

  it('waits 10 s for the provider', async () => {
    await suite.signIn();
    await expire();
    provider.hook = () => true;
    const error = `The identity provider ${provider.url} cannot be reached: no response in time.\n`;
    expect(await suite.token()).toEqual({ code: 1, out: '', error });
  });

  it('refuses a file that others can read, and one that is damaged', async () => {
    await suite.signIn();
    const file = path.join(folder(), (await files())[0] ?? '');
    await writeFile(file, '{"value":"secret');
    const damaged = await suite.token();
    expect([damaged.code, damaged.error]).toEqual([1, expect.stringContaining('is damaged')]);
    expect(damaged.error).not.toContain('secret');
    await chmod(file, 0o644);
    expect(await suite.token()).toMatchObject({
      code: 1,
      out: '',
      error: expect.stringContaining('Other users can read'),
    });
  });

  it.each([
    [[], 2, 'error: --gateway is required.'],
    [['--gateway'], 2, 'error: unknown argument.'],
    [['secret'], 2, 'error: unknown argument.'],
    [['--gateway', 'http://svc.example.com'], 1, 'The address of --gateway must have https, or http on this machine.'],
    [['--gateway', 'https://a:b@svc.example.com'], 1, 'The address of --gateway must hold no login'],
    [['--gateway', 'x'], 1, 'The address of --gateway must have https'],
  ])('refuses %j', async (args, code, error) => {
    const ended = await new Running('token', args, suite.env).ended();
    expect([ended.code, ended.out, ended.error.startsWith(error)]).toEqual([code, '', true]);
  });
});

describe('svc logout', () => {
  it('deletes the tokens, and ends them at the provider', async () => {
    await suite.signIn();
    const session = await stored();
    expect(await suite.run('logout').ended()).toEqual({ code: 0, out: '', error: `Signed out of ${gateway.url}.\n` });
    expect(await files()).toEqual([]);
    expect(provider.asked.at(-1)).toBe('POST /token/revocation');
    const form = { grant_type: 'refresh_token', client_id: CLIENT_ID, refresh_token: session.refreshToken };
    const refused = await fetch(`${provider.url}/token`, { method: 'POST', body: new URLSearchParams(form) });
    expect(await refused.json()).toMatchObject({ error: 'invalid_grant' });
    expect((await suite.run('logout').ended()).error).toBe('You were not signed in.\n');
  });

  it('deletes them also if the provider is away, and says so', async () => {
    await suite.signIn();
    provider.hook = (_, response) => response.writeHead(500).end() === response;
    const { code, error } = await suite.run('logout').ended();
    expect([code, error]).toEqual([1, expect.stringContaining(provider.url)]);
    expect(await files()).toEqual([]);
  });
});

/** The stored session as if time had passed. */
async function expire(more: object = {}): Promise<void> {
  const [name = ''] = await files();
  const session = { ...(await stored()), receivedAt: Date.now() - 3_600_000, expiresAt: Date.now() - 1_000, ...more };
  await writeFile(path.join(folder(), name), JSON.stringify(session));
}

/** The provider's device flow, with polls at once. */
function quickDevice(): void {
  changeJson('/device/auth', (body) => ({ ...body, interval: 0.01 }));
}

/** Changes a document of the provider on its way. */
function changeJson(at: string, change: (body: Record<string, unknown>) => object): void {
  provider.hook = (request, response) => {
    if (request.url === at) {
      const end = response.end.bind(response);
      response.end = ((chunk: Buffer | string) => {
        const body = JSON.stringify(change(JSON.parse(chunk.toString())));
        response.setHeader('content-length', Buffer.byteLength(body));
        return end(body);
      }) as typeof response.end;
    }
    return false;
  };
}
