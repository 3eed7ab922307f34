import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { startLocalProcess } from '../contract/local-process.ts';
import type { ProviderSettings, Service } from '../contract/service.ts';
import { Running } from '../login/terminal.ts';
import { Browser, CLIENT_ID, IdentityProvider } from '../support/identity-provider.ts';
import { type Providers, startProviders } from '../support/start-providers.ts';
import { AGENTS, configure, type Launch, type Place } from './agents.ts';
import { baseEnv, runClient } from './session.ts';

/** The recipes of docs/sign-in.md: what takes the place of a key. */
const RECIPES: Readonly<Record<string, (launch: Launch, place: Place) => Launch>> = {
  'Claude Code': ({ command, env }, { home, origin }) => {
    const { ANTHROPIC_API_KEY: _, ...others } = env ?? {};
    configure(home, '.claude/settings.json', { apiKeyHelper: `svc token --gateway ${origin}` });
    return { command, env: others };
  },
  Codex: ({ command }, { home, origin, model }) => {
    const auth = ['[model_providers.svc.auth]', 'command = "svc"', `args = ["token", "--gateway", "${origin}"]`];
    const svc = ['[model_providers.svc]', 'name = "svc"', `base_url = "${origin}/v1"`, 'wire_api = "responses"'];
    const first = [`model = "${model}"`, 'model_provider = "svc"', 'check_for_update_on_startup = false'];
    configure(home, '.codex/config.toml', [...first, ...svc, ...auth, 'timeout_ms = 60000', ''].join('\n'));
    return { command };
  },
  'Gemini CLI': (launch, place) => withVariable('GEMINI_API_KEY', launch, place),
  opencode: (launch, place) => withVariable('SVC_TOKEN', launch, place),
};

/** The agent gets the output of `svc token` in a variable. */
function withVariable(name: string, { command, env = {} }: Launch, { origin }: Place): Launch {
  return { command: ['/bin/sh', '-c', `${name}=$(svc token --gateway ${origin}) exec "$@"`, 'sh', ...command], env };
}

const identities = new IdentityProvider();
let providers: Providers;
let service: Service;
let root = '';
beforeAll(async () => {
  for (const level of ['info', 'warn'] as const) jest.spyOn(console, level).mockImplementation(() => {});
  root = await mkdtemp(path.join(tmpdir(), 'svc-agent-sign-in-'));
  await identities.start();
  providers = await startProviders(() => ({ text: 'welcome' }));
  const rules = [{ id: 'engineers', match: { groups: ['engineering'] } }];
  const issuer = { issuer: identities.url, audience: [CLIENT_ID], signIn: { clientId: CLIENT_ID }, rules };
  const settings = { SVC_IDENTITY: JSON.stringify({ issuers: [issuer] }) };
  service = await startLocalProcess(providers.settings as ProviderSettings, settings);
  await mkdir(path.join(root, 'bin'));
  const program = path.join(root, 'bin/svc');
  const source = path.resolve(import.meta.dirname, '../../bin/svc.ts');
  await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${source}' "$@"\n`);
  await chmod(program, 0o755);
});
afterAll(async () => {
  await service.stop();
  await providers.close();
  identities.stop();
  await rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
});

test.each(Object.entries(RECIPES))('%s uses the token of a sign-in', async (name, recipe) => {
  const agent = AGENTS.find((one) => one.name === name);
  if (agent === undefined) throw new Error(`no agent ${name}`);
  const home = await mkdtemp(path.join(root, 'home-'));
  const origin = service.baseUrl.replace(/\/v1$/, '');
  identities.person = `user-of-${name.replace(' ', '-').toLowerCase()}`;
  const env = { XDG_CONFIG_HOME: path.join(home, '.config'), PATH: '', DISPLAY: ':0' };
  const login = new Running('login', ['--gateway', origin, '--yes'], env);
  await new Browser().signIn(await login.printed(/^(http\S+\/auth\?\S+)$/m));
  expect((await login.ended()).code).toBe(0);
  const place: Place = { home, repository: home, origin, key: '{env:SVC_TOKEN}', model: agent.model };
  const { command, env: ofAgent = {} } = recipe(agent.launch(place), place);
  const paths = [path.join(root, 'bin'), ofAgent.PATH ?? baseEnv(home).PATH].join(':');
  const { printed, exitCode } = await runClient(command, home, { ...baseEnv(home), ...ofAgent, PATH: paths });
  expect([exitCode, printed.includes('welcome')]).toEqual([0, true]);
  const headers = { authorization: `Bearer ${service.adminKey}` };
  const response = await fetch(`${service.adminUrl}/admin/identities`, { headers });
  const { data } = (await response.json()) as { data: { subject: string }[] };
  expect(data.map(({ subject }) => subject)).toContain(identities.person);
});
