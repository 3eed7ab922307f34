import { beforeEach, describe, expect, it } from '@jest/globals';
import { GatewayError } from '../kernel/errors/index.ts';
import { BackgroundTasks } from '../kernel/tasks/index.ts';
import {
  type ChatProvider,
  CircuitBreaker,
  type ProviderResponse,
  type Target,
  type Targets,
} from '../translation/index.ts';
import { A, B, type ChatCall, FINE, failure, PASSING, requestWith, SILENT } from './call-provider.fixture.ts';
import type { PipelineDeps } from './pipeline-deps.ts';

const OPEN_MS = 15_000;
const SILENCE_MS = 5_000;
const A_OTHER: Target = { provider: 'a', model: 'other' };
const TOO_LONG = new GatewayError('invalid_value', 'Bad.', { passedOn: { status: 400, type: 'x', code: null } });
const ABORTED = failure({ internal: 'aborted' });

interface Waiting {
  readonly target: string;
  readonly call: ChatCall;
  respond(result: ProviderResponse | GatewayError): void;
}

/** Time that a test sets, and providers whose responses it decides. */
let now: number;
let sleepers: { readonly until: number; readonly wake: () => void }[];
let waiting: Waiting[];
let deps: PipelineDeps;
/** Providers that respond at once. */
let prompt: Map<string, ProviderResponse | GatewayError>;

const turn = () => new Promise((resolve) => setImmediate(resolve));
async function pass(milliseconds: number): Promise<void> {
  await turn();
  now += milliseconds;
  for (const { until, wake } of sleepers) if (until <= now) wake();
  await turn();
}

function providerOf(name: string): ChatProvider {
  return {
    name,
    serves: new Set(),
    complete: (call) => {
      const target = `${name}/${call.model}`;
      const result = prompt.get(target);
      if (result !== undefined)
        return result instanceof GatewayError ? Promise.reject(result) : Promise.resolve(result);
      return new Promise((resolve, reject) => {
        call.signal.addEventListener('abort', () => reject(ABORTED));
        const respond = (made: ProviderResponse | GatewayError) =>
          made instanceof GatewayError ? reject(made) : resolve(made);
        waiting.push({ target, call, respond });
      });
    },
  };
}

beforeEach(() => {
  [now, sleepers, waiting, prompt] = [0, [], [], new Map()];
  const clock = { now: () => now, monotonic: () => now };
  deps = {
    providers: new Map(['a', 'b'].map((name) => [name, providerOf(name)])),
    breaker: new CircuitBreaker(clock),
    random: () => 0.5,
    clock,
    sleep: (milliseconds: number, signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        sleepers.push({ until: now + milliseconds, wake: resolve });
        signal.addEventListener('abort', () => resolve());
      }),
  } as unknown as PipelineDeps;
});

/** Starts a request. */
function request(...targets: Target[]) {
  const { lifetime, call, tried } = requestWith(deps);
  const settled = call(targets as unknown as Targets).then(
    () => 'fine',
    (error: GatewayError) => error.code,
  );
  return { lifetime, settled, route: tried };
}

async function failFiveTimes(target: Target): Promise<void> {
  prompt.set(`${target.provider}/${target.model}`, SILENT);
  for (let at = 0; at < 5; at += 1) await request(target).settled;
  prompt.delete(`${target.provider}/${target.model}`);
}

describe('a target that may have recovered', () => {
  it('without a fallback gets all requests, so a slow one refuses no other', async () => {
    await failFiveTimes(A);
    expect(await request(A).settled).toBe('provider_error');
    await pass(OPEN_MS);
    const all = Array.from({ length: 11 }, () => request(A));
    await pass(10_000);
    expect(waiting.map(({ target }) => target)).toEqual(Array(11).fill('a/m'));
    const late = request(A);
    await turn();
    for (const { respond } of waiting) respond(FINE);
    expect(await Promise.all([...all, late].map(({ settled }) => settled))).toEqual(Array(12).fill('fine'));
  });

  it('is tried by one request in ten, and the others use the fallback', async () => {
    await failFiveTimes(A);
    await pass(OPEN_MS);
    prompt.set('b/n', FINE);
    const all = Array.from({ length: 20 }, () => request(A, B));
    await turn();
    expect(waiting).toHaveLength(2);
    expect(all.map((one) => one.route())).toEqual([
      undefined,
      ...Array(9).fill('a/m;half_open, b/n'),
      undefined,
      ...Array(9).fill('a/m;half_open, b/n'),
    ]);
  });

  it('is tried once a second, however few requests there are', async () => {
    await failFiveTimes(A);
    await pass(OPEN_MS);
    prompt.set('b/n', FINE);
    for (let second = 1; second <= 4; second += 1) {
      request(A, B);
      await request(A, B).settled;
      expect(waiting).toHaveLength(second);
      await pass(1_000);
    }
  });

  it('that is silent for five seconds fails its trial, which goes on to the fallback', async () => {
    await failFiveTimes(A);
    await pass(OPEN_MS);
    prompt.set('b/n', FINE);
    const trial = request(A, B);
    await pass(SILENCE_MS - 1);
    expect(trial.route()).toBeUndefined();
    await pass(1);
    expect([await trial.settled, trial.route()]).toEqual(['fine', 'a/m;provider_timeout, b/n']);
    // No further trial for a while.
    await pass(OPEN_MS - 1);
    expect([await request(A, B).settled, waiting.length]).toEqual(['fine', 1]);
    await pass(1);
    request(A, B);
    await turn();
    expect(waiting).toHaveLength(2);
  });

  it('that was silent still serves requests without a fallback', async () => {
    await failFiveTimes(A);
    await pass(OPEN_MS);
    prompt.set('b/n', FINE);
    request(A, B);
    await pass(SILENCE_MS);
    const alone = request(A);
    await turn();
    waiting.at(-1)?.respond(FINE);
    expect(await alone.settled).toBe('fine');
    prompt.set('a/m', FINE);
    const after = request(A, B);
    expect([await after.settled, after.route()]).toEqual(['fine', 'a/m']);
  });

  it('whose response takes longer than a trial is seen to have recovered while the fallback responds', async () => {
    await failFiveTimes(A);
    await pass(OPEN_MS);
    const trial = request(A, B);
    await pass(SILENCE_MS);
    expect(waiting.map(({ target }) => target)).toEqual(['a/m', 'b/n']);
    await pass(3_000);
    waiting[0]?.respond(FINE);
    waiting[1]?.respond(FINE);
    expect([await trial.settled, trial.route()]).toEqual(['fine', 'a/m;provider_timeout, b/n']);
    prompt.set('a/m', FINE);
    const after = request(A, B);
    expect([await after.settled, after.route()]).toEqual(['fine', 'a/m']);
  });

  it('keeps the place of a silent trial, whose call goes on, until its request ends', async () => {
    await failFiveTimes(A);
    await pass(OPEN_MS);
    let held = 0;
    const settle = async () => {
      held -= 1;
    };
    const limiter = {
      admit: async () => {
        held += 1;
        return { admitted: true, reservation: { settle } };
      },
    };
    Object.assign(deps, { limiter, backgroundTasks: new BackgroundTasks() });
    prompt.set('b/n', FINE);
    const trial = request({ ...A, maxConcurrent: 1 }, B);
    await pass(SILENCE_MS);
    expect([await trial.settled, held]).toEqual(['fine', 1]);
    trial.lifetime.end();
    expect(held).toBe(0);
  });

  it('is no longer called for a trial whose request has ended', async () => {
    await failFiveTimes(A);
    await pass(OPEN_MS);
    prompt.set('b/n', FINE);
    const trial = request(A, B);
    await pass(SILENCE_MS);
    await trial.settled;
    expect(waiting[0]?.call.signal.aborted).toBe(false);
    trial.lifetime.end();
    expect(waiting[0]?.call.signal.aborted).toBe(true);
  });

  it('is the last resort of the others', async () => {
    await failFiveTimes(A);
    await pass(OPEN_MS);
    prompt.set('b/n', PASSING);
    request(A, B);
    await turn();
    const other = request(A, B);
    for (let at = 0; at < 3; at += 1) await pass(1_000);
    waiting.at(-1)?.respond(FINE);
    expect(await other.settled).toBe('fine');
    expect(other.route()).toBe('a/m;half_open, b/n;provider_error, b/n;provider_error, b/n;provider_error, a/m');
  });

  it('is not called again in a trial that failed, and stays closed to all for a while', async () => {
    await failFiveTimes(A);
    await pass(OPEN_MS);
    prompt.set('b/n', FINE);
    prompt.set('a/m', PASSING);
    const trial = request(A, B);
    expect([await trial.settled, trial.route()]).toEqual(['fine', 'a/m;provider_error, b/n']);
    await pass(OPEN_MS - 1);
    expect([await request(A).settled, (await request(A, B).settled) && request(A, B).route()]).toEqual([
      'provider_error',
      undefined,
    ]);
  });
});

describe('what opens a circuit', () => {
  it('is a fault of one model, and not of the others of its provider', async () => {
    await failFiveTimes(A);
    prompt.set('a/other', FINE);
    expect(await request(A).settled).toBe('provider_error');
    expect(await request(A_OTHER).settled).toBe('fine');
  });

  it('is no request that the provider refuses, and none that its client cancels', async () => {
    prompt.set('a/m', TOO_LONG);
    for (let at = 0; at < 9; at += 1) expect(await request(A).settled).toBe('invalid_value');
    prompt.delete('a/m');
    for (let at = 0; at < 9; at += 1) {
      const left = request(A);
      await turn();
      left.lifetime.stop('cancelled');
      await left.settled;
    }
    // The first attempt failed, and the client did not wait for the next.
    prompt.set('a/m', PASSING);
    for (let at = 0; at < 9; at += 1) {
      const left = request(A);
      await turn();
      left.lifetime.stop('cancelled');
      await left.settled;
    }
    prompt.set('a/m', FINE);
    expect(await request(A).settled).toBe('fine');
  });

  it('is no call that began before it was open or half open', async () => {
    const old = Array.from({ length: 3 }, () => request(A));
    await turn();
    await failFiveTimes(A);
    await pass(10_000);
    waiting[0]?.respond(SILENT);
    await old[0]?.settled;
    await pass(5_000);
    prompt.set('b/n', FINE);
    const trial = request(A, B);
    await turn();
    expect(waiting).toHaveLength(4);
    waiting[1]?.respond(SILENT);
    await old[1]?.settled;
    const alone = request(A);
    await turn();
    expect(waiting).toHaveLength(5);
    for (const { respond } of waiting.slice(3)) respond(FINE);
    expect([await trial.settled, await alone.settled]).toEqual(['fine', 'fine']);
  });
});
