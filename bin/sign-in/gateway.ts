import * as z from 'zod';
import { issuersSchema } from '../../functions/kernel/identity/index.ts';
import { shown } from '../file-errors.ts';
import { requireSafeAddress } from './addresses.ts';
import { callFailure, SignInError } from './sign-in-error.ts';

const TIMEOUT_MS = 10_000;

const { issuer, signIn } = issuersSchema.element.shape;
/** Fields of later releases are ignored. */
const settingsSchema = z.object({ ...signIn.unwrap().shape, issuer });
const refusalSchema = z.object({ error: z.object({ message: z.string().max(1_000) }) });
const responseSchema = z.object({ issuers: z.array(z.unknown()) });

/** Where a person signs in, and which token the gateway takes. */
export type SignInSettings = z.infer<typeof settingsSchema>;

/** What the user chose among the gateway's issuers. */
export interface Choice {
  readonly issuer: string | undefined;
  readonly clientId: string | undefined;
}

/**
 * The issuer that fits the choice, as the gateway names it. With issuer and client id the gateway need not know them. Throws SignInError if
 * none or several fit.
 */
export async function findSettings(gateway: string, { issuer, clientId }: Choice): Promise<SignInSettings> {
  const named = await readIssuers(gateway);
  const fitting = named.filter(
    (one) => (issuer ?? one.issuer) === one.issuer && (clientId ?? one.clientId) === one.clientId,
  );
  const [first, second] = fitting;
  if (second !== undefined) {
    const all = [...new Set(fitting.map((one) => one.issuer))].join(', ');
    throw new SignInError(`The gateway names several issuers. Pass --issuer with one of: ${all}`);
  }
  const settings =
    first ?? (issuer !== undefined && clientId !== undefined ? settingsOf({ issuer, clientId }) : undefined);
  if (settings !== undefined) return settings;
  if (named.length > 0) throw new SignInError('The gateway does not name this issuer. Pass --client-id too.');
  throw new SignInError('The gateway names no issuer. Ask its administrator, or pass --issuer and --client-id.');
}

/** What `GET /v1/sign-in` names. A gateway of an earlier release has no such path. */
async function readIssuers(gateway: string): Promise<readonly SignInSettings[]> {
  try {
    const response = await fetch(`${gateway}/v1/sign-in`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'error',
    });
    if (response.status === 404) return [];
    const body = response.ok ? responseSchema.safeParse(await response.json()) : undefined;
    if (!body?.success) throw new SignInError(`${gateway} responded with status ${response.status}. Is it a gateway?`);
    return body.data.issuers.map(settingsOf);
  } catch (error) {
    throw callFailure(`The gateway ${gateway}`, error);
  }
}

/** Throws SignInError if the gateway refuses a token, with its reason. A gateway that does not respond now is no fault of the token. */
export async function checkToken(gateway: string, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(`${gateway}/v1/models`, { headers, signal, redirect: 'error' }).catch(() => undefined);
  if (response === undefined || ![401, 403].includes(response.status)) return;
  const { data } = refusalSchema.safeParse(await response.json().catch(() => undefined));
  const reason = shown(data?.error.message ?? '').replaceAll(token, '...');
  throw new SignInError(`You are signed in, but ${gateway} refuses the token (${response.status}). ${reason}`);
}

function settingsOf(value: unknown): SignInSettings {
  const parsed = settingsSchema.safeParse(value);
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0] as z.core.$ZodIssue;
    throw new SignInError(`The issuer is not valid: ${path.join('.')} ${message}.`);
  }
  requireSafeAddress(parsed.data.issuer, 'The issuer');
  return parsed.data;
}
