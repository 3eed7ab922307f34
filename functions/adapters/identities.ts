import { Identities, IdentityStates, type IdentityStore, type StateAges } from '../control/identities/index.ts';
import type { KeyHasher } from '../control/keys/index.ts';
import { isLoopbackAddress, isPublicAddress } from '../control/webhooks/index.ts';
import { IssuerKeys } from './http/issuer-keys.ts';
import { UndiciHttpClient } from './http/undici-http-client.ts';
import { systemClock } from './node/process-time.ts';
import { logUnreadableIssuer } from './telemetry/json-log.ts';

type IdentitiesOptions = Pick<ConstructorParameters<typeof Identities>[0], 'document' | 'policy'> & {
  readonly store: IdentityStore;
  readonly hasher: KeyHasher;
  /** Whether issuers that the admin API stores may be on this machine. */
  readonly allowLoopback: boolean;
  /** Gets reads of keys that no request waits for. */
  readonly inBackground: (reading: Promise<void>) => void;
  /** How old states may be. Default: as those of keys. */
  readonly ages?: StateAges;
};

/** Callers with tokens, in this process. Issuers of the settings may be at private addresses, those of the admin API may not. */
export function createIdentities({ store, allowLoopback, inBackground, ages, ...deps }: IdentitiesOptions): Identities {
  const allows = (address: string) => isPublicAddress(address) || (allowLoopback && isLoopbackAddress(address));
  const signatures = new IssuerKeys({
    http: new UndiciHttpClient(),
    publicHttp: new UndiciHttpClient(allows),
    clock: systemClock,
    inBackground,
    onUnreadable: logUnreadableIssuer,
  });
  return new Identities({
    ...deps,
    signatures,
    states: new IdentityStates(store, systemClock, ages),
    clock: systemClock,
  });
}
