import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import type { FuzzedService } from '../fuzzed-service.ts';
import { nearJson, nearText } from '../hostile-json.ts';
import { faultOf, PROVIDER_FAULTS } from '../judge-answer.ts';
import type { FuzzTarget } from '../target.ts';

const PROVIDERS = path.resolve(import.meta.dirname, '../../../functions/translation/providers');
const MODELS = { openai: 'gpt-4o', anthropic: 'claude-sonnet-4-5', gemini: 'gemini-2.5-flash' } as const;
type Provider = keyof typeof MODELS;
const NAMES = Object.keys(MODELS) as Provider[];
const HELLO = [{ role: 'user', content: 'Hello' }];

/** Each API that a caller may speak, about a model. */
const CALLS: readonly ((model: string, stream: boolean) => { path: string; body: object })[] = [
  (model, stream) => ({ path: '/v1/chat/completions', body: { model, stream, messages: HELLO } }),
  (model, stream) => ({ path: '/v1/messages', body: { model, stream, max_tokens: 50, messages: HELLO } }),
  (model, stream) => ({ path: '/v1/responses', body: { model, stream, input: 'Hello' } }),
  (model, stream) => ({
    path: `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
  }),
];
/** The circuit of a provider opens behind so many failures in a row, and then nothing reaches it. */
const MOST_FAILURES = 3;

/** Providers' recorded responses, cut, corrupted, mixed and split anywhere: read through each API, whole and streamed. */
export function streamTarget(service: FuzzedService): FuzzTarget {
  const streams = NAMES.flatMap((name) => recordedBy(name)).map(({ text }) => text);
  const near = (texts: readonly string[]) =>
    fc.oneof(
      fc.constantFrom(...texts),
      nearText(fc.constantFrom(...texts)),
      fc
        .tuple(fc.constantFrom(...texts), fc.nat(40), fc.nat(40))
        .chain(([text, at, event]) => withOtherEvent(text, at, event, streams)),
    );
  const playedAs = fc.constantFrom(...NAMES).chain((provider) =>
    fc.record({
      provider: fc.constant(provider),
      text: fc.oneof(
        { weight: 6, arbitrary: near(recordedBy(provider).map(({ text }) => text)) },
        { weight: 1, arbitrary: near(streams) },
      ),
      junk: fc.option(fc.uint8Array({ minLength: 1, maxLength: 8 }), { freq: 4 }),
      cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }),
      ending: fc.constantFrom('end' as const, 'end' as const, 'reset' as const),
      type: fc.oneof(
        { weight: 6, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: fc.constantFrom('text/event-stream; charset=utf-8', 'application/json', 'text/html') },
      ),
      call: fc.nat(CALLS.length - 1),
      stream: fc.boolean(),
    }),
  );
  const failures = new Map<Provider, number>();
  return {
    name: 'providers’ responses',
    share: 20,
    property: fc.asyncProperty(playedAs, async ({ text, junk, cuts, ending, type, provider, call, stream }) => {
      const ask = (streamed: boolean, at: number) => {
        const { path: asked, body } = (CALLS[at] as (typeof CALLS)[number])(MODELS[provider], streamed);
        return service.ask({ method: 'POST', path: asked, body: JSON.stringify(body) });
      };
      const played = type ?? (text.startsWith('{') ? 'application/json' : 'text/event-stream');
      service.provider.play({ type: played, pieces: piecesOf(text, junk, cuts), ending });
      // Mostly matches the kind of response that is played.
      const answered = await ask(stream !== text.startsWith('{'), call);
      const fault = faultOf(answered, PROVIDER_FAULTS);
      if (fault !== undefined) throw new Error(fault);
      if (answered.status < 500) return;
      failures.set(provider, (failures.get(provider) ?? 0) + 1);
      if ((failures.get(provider) ?? 0) < MOST_FAILURES) return;
      const good = recordedBy(provider).find(({ file }) => file === 'text.sse');
      service.provider.play({ type: 'text/event-stream', pieces: [Buffer.from(good?.text ?? '')], ending: 'end' });
      const served = await ask(true, 0);
      if (served.status !== 200) throw new Error(`a good stream of ${provider} was not served: ${served.text}`);
      failures.delete(provider);
    }),
  };
}

function recordedBy(provider: Provider): { file: string; text: string }[] {
  const folder = path.join(PROVIDERS, provider, '__fixtures__');
  return readdirSync(folder).map((file) => ({ file, text: readFileSync(path.join(folder, file), 'utf8') }));
}

/** One event of a stream replaced by a mutation of any stream's. */
function withOtherEvent(text: string, at: number, from: number, streams: readonly string[]): fc.Arbitrary<string> {
  const events = text.split('\n\n');
  return fc.constantFrom(...streams).chain((other) => {
    const others = other.split('\n\n');
    const taken = others[from % others.length] as string;
    const [, head = '', data = '{}'] = /^([\s\S]*?data: ?)([\s\S]*)$/.exec(taken) ?? [];
    return nearJson(fc.constant(readOr(data))).map((json) => events.with(at % events.length, head + json).join('\n\n'));
  });
}

function readOr(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

function piecesOf(text: string, junk: Uint8Array | null, cuts: readonly number[]): Uint8Array[] {
  const bytes = Buffer.from(text);
  const places = cuts.map((cut) => Math.floor(cut * bytes.length)).sort((a, b) => a - b);
  const pieces = [0, ...places].map((start, at) => bytes.subarray(start, places[at] ?? bytes.length));
  return junk === null ? pieces : pieces.flatMap((piece, at) => (at === 1 ? [junk, piece] : [piece]));
}
