import type { Clock } from '../../kernel/tasks/index.ts';
import { type AccessToken, ExchangeFailure, type TokenSource } from './federation.ts';

/** A credential whose value is an access token. `federation`: how it is got. */
interface Credential<How> {
  readonly id: string;
  readonly provider: string;
  readonly federation: How;
  /** Distinguishes what its tokens are given for, where that changes. */
  readonly variant?: string;
}

interface FederatedTokensDeps<How> {
  /** Has a deadline. Throws ExchangeFailure. */
  readonly exchange: (how: How) => Promise<AccessToken>;
  readonly clock: Clock;
  readonly random: () => number;
  /** Gets each exchange that no request waits for. */
  readonly inBackground: (exchange: Promise<unknown>) => void;
  /** @param secondsLeft how long the last token is still valid; 0 if there is none */
  readonly onFailure: (credential: Credential<How>, failure: ExchangeFailure, secondsLeft: number) => void;
}

interface State {
  token?: AccessToken;
  refreshAt: number;
  exchangedAt: number;
  pending?: Promise<AccessToken> | undefined;
  /** No exchange is made until then. */
  pausedUntil: number;
  pauseMs: number;
  failure?: ExchangeFailure;
}

/** A token that expires sooner might expire on its way to the provider. */
const SPARE_MS = 5_000;
/** The part of a token's life after which it is replaced: between 70 and 85 %, so that processes do not exchange at the same moment. */
const REFRESH_FROM = 0.7;
const REFRESH_SPREAD = 0.15;
/** The pause after a failed exchange, doubled after each further one. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** A provider that refuses a younger token would refuse the next one too. */
const RENEWED_EVERY_MS = 60_000;

/**
 * The access tokens of this process. Requests share one exchange for each credential:
 *
 *     0 s            ~45 min           60 min
 *     |- in use ------|- in use --------|- requests wait for an exchange
 *                     exchange in the background, again after 1 s, 2 s ... 60 s if it fails
 *
 * While exchanges fail, the last token is used until it expires. Then requests fail at once between the attempts, so that a provider that refuses
 * is asked once a minute and not by each request.
 */
export class FederatedTokens<How = TokenSource> {
  private readonly deps: FederatedTokensDeps<How>;
  private readonly states = new Map<string, State>();

  constructor(deps: FederatedTokensDeps<How>) {
    this.deps = deps;
  }

  /** A valid token. @throws ExchangeFailure */
  async current(credential: Credential<How>): Promise<AccessToken> {
    const state = this.stateOf(credential);
    const now = this.deps.clock.now();
    const token = validToken(state, now);
    if (token === undefined) return this.renew(credential, state);
    if (now >= state.refreshAt && now >= state.pausedUntil && state.pending === undefined) {
      this.deps.inBackground(this.renew(credential, state).catch(() => {}));
    }
    return token;
  }

  /** Another token after the provider refused one; undefined if there is none, or the refused one was new. Throws ExchangeFailure. */
  async afterRefusal(credential: Credential<How>, refused: string): Promise<AccessToken | undefined> {
    const state = this.stateOf(credential);
    const now = this.deps.clock.now();
    const token = validToken(state, now);
    if (token !== undefined && token.value !== refused) return token;
    if (now - state.exchangedAt < RENEWED_EVERY_MS) return undefined;
    const renewed = await this.renew(credential, state);
    return renewed.value === refused ? undefined : renewed;
  }

  private stateOf({ id, variant = '' }: Credential<How>): State {
    const name = `${id} ${variant}`;
    const known = this.states.get(name);
    const state = known ?? { refreshAt: 0, exchangedAt: Number.NEGATIVE_INFINITY, pausedUntil: 0, pauseMs: 0 };
    this.states.set(name, state);
    return state;
  }

  private async renew(credential: Credential<How>, state: State): Promise<AccessToken> {
    if (state.pending !== undefined) return state.pending;
    if (state.failure !== undefined && this.deps.clock.now() < state.pausedUntil) throw state.failure;
    state.pending = this.exchange(credential, state).finally(() => {
      state.pending = undefined;
    });
    return state.pending;
  }

  private async exchange(credential: Credential<How>, state: State): Promise<AccessToken> {
    const { exchange, clock, random, onFailure } = this.deps;
    try {
      const token = await exchange(credential.federation);
      const now = clock.now();
      const lifeMs = token.expiresAt - now;
      if (lifeMs <= SPARE_MS) throw new ExchangeFailure('The access token has expired already.', false);
      Object.assign(state, { token, exchangedAt: now, pausedUntil: 0, pauseMs: 0 });
      state.refreshAt = now + lifeMs * (REFRESH_FROM + REFRESH_SPREAD * random());
      return token;
    } catch (error) {
      const now = clock.now();
      const failure = error instanceof ExchangeFailure ? error : new ExchangeFailure('The exchange failed.', false);
      state.failure = failure;
      state.pauseMs = Math.min(LONGEST_PAUSE_MS, state.pauseMs === 0 ? FIRST_PAUSE_MS : 2 * state.pauseMs);
      state.pausedUntil = now + state.pauseMs;
      const leftMs = (validToken(state, now)?.expiresAt ?? now) - now;
      onFailure(credential, failure, Math.floor(leftMs / 1_000));
      throw failure;
    }
  }
}

function validToken({ token }: State, nowMs: number): AccessToken | undefined {
  return token !== undefined && nowMs < token.expiresAt - SPARE_MS ? token : undefined;
}
