import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, jest } from '@jest/globals';
import { Browser, CLIENT_ID, IdentityProvider } from '../support/identity-provider.ts';
import { Running } from './terminal.ts';

/** A gateway, as far as a sign-in sees it. */
export class FakeGateway {
  url = '';
  issuers: unknown[] = [];
  status = 200;
  /** Why it refuses a token; it accepts one with undefined. */
  refusal: ((token: string) => string) | undefined;
  private readonly server = http.createServer((request, response) => {
    const token = request.headers.authorization?.replace('Bearer ', '');
    const status = request.url === '/v1/sign-in' ? this.status : token && !this.refusal ? 200 : 401;
    const error = { message: this.refusal?.(token ?? '') };
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(status === 401 ? { error } : { object: 'sign_in', issuers: this.issuers }));
  });

  async start(): Promise<void> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

/** One provider, two gateways that trust it, and an empty folder of sessions for each test. */
export class LoginTest {
  readonly provider = new IdentityProvider();
  readonly gateway = new FakeGateway();
  readonly other = new FakeGateway();
  /** Of the user's configuration. */
  home = '';

  constructor() {
    beforeAll(async () => {
      // The provider lists what a deployed one would replace.
      for (const level of ['info', 'warn'] as const) jest.spyOn(console, level).mockImplementation(() => {});
      await Promise.all([this.provider.start(), this.gateway.start(), this.other.start()]);
    });
    beforeEach(async () => {
      if (this.home !== '') await rm(this.home, { recursive: true });
      this.home = await mkdtemp(path.join(tmpdir(), 'svc-login-'));
      Object.assign(this.provider, { person: 'sue', lifeSeconds: 3_600, hook: () => false, asked: [] });
      for (const gateway of [this.gateway, this.other])
        Object.assign(gateway, { issuers: [this.entry()], status: 200, refusal: undefined });
    });
    afterAll(async () => {
      for (const one of [this.provider, this.gateway, this.other]) one.stop();
      await rm(this.home, { recursive: true, force: true });
    });
  }

  /** What a gateway names. */
  entry(more: object = {}): object {
    return {
      issuer: this.provider.url,
      clientId: CLIENT_ID,
      token: 'id_token',
      redirectUri: 'http://127.0.0.1/callback',
      ...more,
    };
  }

  /** Of a desktop whose browser is not found. */
  get env(): NodeJS.ProcessEnv {
    return { XDG_CONFIG_HOME: this.home, PATH: '', DISPLAY: ':0' };
  }

  /** Starts a command for the first gateway, or for the one that the arguments name. */
  run(
    command: ConstructorParameters<typeof Running>[0],
    args: readonly string[] = [],
    typed?: string,
    more: NodeJS.ProcessEnv = {},
  ): Running {
    const named = args.includes('--gateway') ? args : ['--gateway', this.gateway.url, ...args];
    return new Running(command, named, { ...this.env, ...more }, typed);
  }

  /** A whole sign-in through the browser. */
  async signIn(args: readonly string[] = ['--yes']): Promise<Awaited<ReturnType<Running['ended']>>> {
    const running = this.run('login', args);
    await new Browser().signIn(await running.printed(/^(http\S+\/auth\?\S+)$/m));
    return running.ended();
  }

  /** The token that `svc token` prints. */
  async token(args: readonly string[] = []): Promise<{ code: number; out: string; error: string }> {
    return this.run('token', args).ended();
  }
}
