import { createInterface } from 'node:readline/promises';
import type { Option } from './admin/command.ts';
import type { Io } from './admin/run-admin.ts';
import { callOf } from './entry.ts';
import { shown } from './file-errors.ts';
import { hasBrowser, openBrowser } from './sign-in/browser.ts';
import { type Choice, checkToken, findSettings, type SignInSettings } from './sign-in/gateway.ts';
import { Provider } from './sign-in/provider.ts';
import { runCommand, sayTo } from './sign-in/run-command.ts';
import { SessionStore, type Tokens } from './sign-in/session-store.ts';
import { SignInError } from './sign-in/sign-in-error.ts';

/** Besides `--gateway` and `--help`. */
export const LOGIN_OPTIONS = {
  device: { help: 'Sign in on another device, with a code; the default without a browser on this machine.' },
  issuer: { value: 'URL', help: 'The identity provider, if the gateway names several.' },
  'client-id': { value: 'ID', help: 'The client. With --issuer the gateway need not name it, and you are not asked.' },
  yes: { help: 'Do not ask whether the gateway may get tokens of this provider.' },
} as const satisfies Readonly<Record<string, Option>>;

const USAGE = `Usage: ${callOf('login')} --gateway URL [options]

Signs you in to a gateway, such as https://svc.example.com, through the identity provider that it names, in a browser.
Tokens are in ~/.config/svc, or $XDG_CONFIG_HOME/svc, for you alone. ${callOf('token')} prints one.

${Object.entries(LOGIN_OPTIONS)
  .map(([name, option]) => `  --${`${name}${'value' in option ? ` ${option.value}` : ''}`.padEnd(14)} ${option.help}`)
  .join('\n')}`;

/** svc login: gets the tokens of a person from the identity provider that a gateway names. */
export function login(args: readonly string[], io: Io = process): Promise<number> {
  return runCommand(args, io, {
    usage: USAGE,
    options: {
      device: { type: 'boolean' },
      issuer: { type: 'string' },
      'client-id': { type: 'string' },
      yes: { type: 'boolean' },
    },
    run: async (gateway, { device, issuer, 'client-id': clientId, yes }) => {
      const store = new SessionStore(io.env);
      const choice = { issuer, clientId } as Choice;
      const settings = await findSettings(gateway, choice);
      const isChosen = issuer !== undefined && clientId !== undefined;
      if (!isChosen) await checkTrust({ gateway, settings, store, isSure: yes === true }, io);
      const provider = await Provider.connect(settings);
      const tokens = await signIn(provider, device === true, io);
      await store.locked(gateway, () => store.write({ gateway, ...settings, ...tokens }));
      await checkToken(gateway, tokens.value);
      sayTo(io)(`Signed in to ${gateway} as ${shown(tokens.person ?? 'an unknown person')}.`);
    },
  });
}

interface Trust {
  readonly gateway: string;
  readonly settings: SignInSettings;
  readonly store: SessionStore;
  /** The person need not be asked. */
  readonly isSure: boolean;
}

/**
 * A gateway gets tokens of the client that it names. A hostile one could name the client of another gateway, or of another program, to get
 * tokens that are valid there. So the person decides on each new pair, and a client of another gateway is refused.
 */
async function checkTrust({ gateway, settings, store, isSure }: Trust, io: Io): Promise<void> {
  const { issuer, clientId } = settings;
  const isSame = (one: SignInSettings) => one.issuer === issuer && one.clientId === clientId;
  const sessions = await store.all();
  const other = sessions.find((one) => one.gateway !== gateway && isSame(one));
  if (other !== undefined) {
    const fault = `${gateway} names the client of ${other.gateway}, so each could use your tokens at the other.`;
    throw new SignInError(`${fault} If you trust both, pass --issuer ${issuer} --client-id ${clientId}`);
  }
  const known = sessions.find((one) => one.gateway === gateway);
  if (isSure || (known !== undefined && isSame(known))) return;
  const before = known === undefined ? '' : ` Before, it was ${known.issuer} (client ${known.clientId}).`;
  await confirm(`May ${gateway} get your tokens of ${issuer} (client ${clientId})?${before}`, io);
}

async function confirm(question: string, { stdin, stderr }: Io): Promise<void> {
  if (!stdin.isTTY) throw new SignInError(`${question} Without a terminal, pass --yes.`);
  const terminal = createInterface({ input: stdin, output: stderr });
  const stop = new AbortController();
  terminal.once('SIGINT', () => stop.abort());
  const reply = await terminal.question(`${question} Type yes: `, { signal: stop.signal }).catch(() => '');
  terminal.close();
  if (reply.trim() !== 'yes') throw new SignInError('You are not signed in.');
}

async function signIn(provider: Provider, isDevice: boolean, io: Io): Promise<Tokens> {
  const { hasDeviceFlow } = provider;
  const say = sayTo(io);
  if (isDevice && !hasDeviceFlow) throw new SignInError('The identity provider does not offer --device.');
  if (isDevice || (hasDeviceFlow && !hasBrowser(io.env))) {
    return provider.signInWithCode(({ address, code }) =>
      say(`Open ${address} on any device, and enter: ${shown(code)}`),
    );
  }
  return provider.signInWithBrowser((address) => {
    say(`Sign in in the browser on this machine. If none opens, open this address:\n${address}`);
    if (hasBrowser(io.env)) openBrowser(address, io.env);
  });
}
