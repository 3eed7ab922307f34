import { ask } from './ask.ts';
import type { Asked, Kind, SoakKey, Usage } from './ledger.ts';
import type { SoakProvider } from './provider.ts';
import { EXACT_FAULTS, FAULT_NAMES, type FaultName, HARMLESS_FAULTS, PROVIDER_FAULTS } from './provider-faults.ts';
import type { Random } from './random.ts';

/** Providers' names: one whose faults open no circuit, and some whose circuit may open. */
export const STEADY = 'steady';
export const ROUGH_PROVIDERS = ['rough1', 'rough2', 'rough3'] as const;
export const MODEL = 'soak';
export const MESSAGES_MODEL = 'claude-soak';

/** Faults that open a circuit. */
const TRIPS: readonly FaultName[] = ['500 for good', 'resets for good', 'stall before head'];
/** 2, 3 and 4 bytes a character in UTF-8, so that what is split anywhere splits them. */
const WORDS = ['Straße', 'naïve', '日本', '🚲', 'and', 'then', 'café', 'на', 'hill', '🏔️'];
const SESSIONS = 9;
const ENDED_PIECES = Array.from({ length: 80 }, (_, at) => `word${at} `);

export interface TrafficDeps {
  readonly random: Random;
  readonly provider: SoakProvider;
  readonly now: () => number;
  readonly asked: Asked[];
  /** A text in every prompt and response, and nowhere else. */
  readonly planted: string;
  /** In a storm every provider returns 429. */
  readonly isStorm: () => boolean;
  /** The addresses that serve now, by instance. */
  readonly serving: () => readonly { readonly number: number; readonly baseUrl: string }[];
}

/** What is not left to lot. */
export interface Particular {
  readonly fault?: FaultName;
  readonly headDelayMs?: number;
  readonly usage?: Usage;
}

/** Sends one request of a kind for its key and waits for its end; undefined if no instance serves. */
export async function askOne(key: SoakKey, deps: TrafficDeps, only: Particular = {}): Promise<Asked | undefined> {
  const { random, provider, now, planted } = deps;
  const serving = deps.serving();
  if (serving.length === 0) return undefined;
  const instance = random.pick(serving);
  const kind = only.fault === undefined ? kindFor(key, random) : 'chat';
  const fault = only.fault ?? faultFor(key, kind, deps);
  const stream =
    kind === 'messages' ||
    kind === 'cancelled' ||
    kind === 'ended' ||
    (kind !== 'chat' && random.chance(0.5)) ||
    kind === 'stream';
  const id = deps.asked.length + 1;
  const usage: Usage = only.usage ?? { input: random.between(5, 20), output: random.between(5, 60) };
  const words = Array.from({ length: random.between(4, 12) }, () => random.pick(WORDS)).join(' ');
  const answer = `${words} ${planted}`;
  const isLong = kind === 'cancelled' || kind === 'ended';
  const toolArguments = kind === 'tools' ? JSON.stringify({ a: words }) : undefined;
  const says = saysOf(kind, planted);
  provider.plan(id, {
    keyId: key.id,
    fault,
    text: isLong ? ENDED_PIECES.join('') : answer,
    usage,
    ...(toolArguments !== undefined && { toolArguments }),
    ...(isLong && { pace: { pieces: ENDED_PIECES, delayMs: 100 } }),
    ...(only.headDelayMs !== undefined && { pace: { headDelayMs: only.headDelayMs } }),
  });
  const startedAt = now();
  const asked: Asked = {
    id,
    kind,
    fault,
    keyId: key.id,
    instance: instance.number,
    stream,
    sessionId: random.chance(0.3) ? `talk-${random.between(1, SESSIONS)}` : undefined,
    inputChars: `case ${id}: ${says}`.length,
    startedAt,
    endedAt: startedAt,
    expected: toolArguments ?? answer,
    ending: 'broken',
  };
  deps.asked.push(asked);
  const provides = kind === 'messages' ? 'anthropic' : TRIPS.includes(fault) ? random.pick(ROUGH_PROVIDERS) : STEADY;
  const model = `${provides}/${kind === 'messages' ? MESSAGES_MODEL : MODEL}`;
  const onId = (requestId: string) => {
    if (kind === 'ended') setTimeout(() => void endFromOutside(requestId, key, deps), random.between(100, 600));
  };
  await ask({ asked, key, model, says }, { baseUrl: instance.baseUrl, now, onId });
  return asked;
}

function kindFor({ purpose }: SoakKey, random: Random): Kind {
  if (purpose === 'limited' || purpose === 'poor') return 'limited';
  if (purpose === 'narrow' || purpose === 'busy') return 'chat';
  const plain: Kind[] = ['chat', 'chat', 'stream', 'stream', 'tools', 'messages', 'blocked', 'flagged'];
  return random.pick(purpose === 'exact' ? plain : [...plain, 'cancelled', 'ended']);
}

function faultFor({ purpose }: SoakKey, kind: Kind, { random, isStorm }: TrafficDeps): FaultName {
  if (purpose === 'busy' || kind === 'blocked' || kind === 'cancelled' || kind === 'ended') return 'none';
  if (kind === 'messages' || purpose === 'limited' || purpose === 'poor')
    return random.chance(0.6)
      ? 'none'
      : random.pick(HARMLESS_FAULTS.filter((name) => PROVIDER_FAULTS[name].attempts.length === 1));
  if (isStorm()) return '429 storm';
  if (random.chance(0.4)) return 'none';
  return random.pick(purpose === 'rough' ? FAULT_NAMES : EXACT_FAULTS);
}

function saysOf(kind: Kind, planted: string): string {
  if (kind === 'blocked') return `SVC-TEST-BLOCK-7f3a ${planted}`;
  if (kind === 'flagged') return `SVC-TEST-FLAG-7f3a ${planted}`;
  return `please tell me of the road, ${planted}`;
}

/** Its stream is ended by a call that any other instance may take. */
async function endFromOutside(requestId: string, key: SoakKey, { random, serving }: TrafficDeps): Promise<void> {
  const others = serving();
  if (others.length === 0) return;
  const headers = { authorization: `Bearer ${key.secret}` };
  const address = `${random.pick(others).baseUrl}/requests/${requestId}/cancel`;
  await fetch(address, { method: 'POST', headers, signal: AbortSignal.timeout(15_000) }).catch(() => {});
}
