import { readFileSync } from 'node:fs';
import { startLocalProcess } from '../contract/local-process.ts';
import { DEADLINE_MS } from '../support/eventually.ts';
import type { Answered } from './judge-answer.ts';
import { type PlayingProvider, startPlayingProvider } from './playing-provider.ts';

const TRIES = 3;
/** Clock ticks of /proc are hundredths of a second on Linux. */
const TICK_MS = 10;

export interface Asked {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
  /** The key; the ordinary one where absent. `agent`: one that may not call `send_email`. */
  readonly as?: 'admin' | 'agent';
}

/** The local service with everything on, with providers that respond as configured. */
export interface FuzzedService {
  readonly origin: string;
  readonly key: string;
  readonly adminKey: string;
  readonly provider: PlayingProvider;
  /** @throws Error if no response arrives in time, or the connection breaks */
  ask(asked: Asked): Promise<Answered>;
  /** CPU milliseconds of the serving process; undefined if the platform does not report them. */
  workedMs(): number | undefined;
  /** Counts a status of a request outside `ask`; 0 if the connection was closed without one. */
  count(status: number): void;
  /** How often each status was returned since the last call. */
  takeStatuses(): ReadonlyMap<number, number>;
  logs(): string;
  stop(): Promise<void>;
}

export async function startFuzzedService(): Promise<FuzzedService> {
  const provider = await startPlayingProvider();
  const service = await startLocalProcess(
    {
      OPENAI_API_KEY: 'k',
      OPENAI_BASE_URL: `${provider.url}/v1`,
      ANTHROPIC_API_KEY: 'k',
      ANTHROPIC_BASE_URL: provider.url,
    },
    { GEMINI_API_KEY: 'k', GEMINI_BASE_URL: provider.url },
  );
  const origin = new URL(service.baseUrl).origin;
  let statuses = new Map<number, number>();
  const count = (status: number) => {
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  };
  const send = async (asked: Asked, key: string): Promise<Answered> => {
    const response = await fetch(origin + asked.path, {
      method: asked.method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...asked.headers },
      ...(asked.body !== undefined && { body: asked.body as string }),
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    const { status, headers } = response;
    count(status);
    return { path: asked.path, method: asked.method, status, headers, text: await response.text() };
  };
  const newKey = async (policy: object) => {
    const settings = {
      name: 'fuzz',
      permissions: ['chat_completions', 'completions', 'embeddings', 'images', 'audio'],
      rateLimit: { requests: 1_000_000, period: 'hour' },
      policy,
    };
    const made = await send(
      { method: 'POST', path: '/v1/admin/keys', body: JSON.stringify(settings) },
      service.adminKey,
    );
    if (made.status !== 201) throw new Error(`no key made: ${made.text}`);
    return (JSON.parse(made.text) as { key: string }).key;
  };
  const key = await newKey({ preset: 'strict', input: { pii: { action: 'redact', threshold: 0.5 } } });
  const noMail = { id: 'no-mail', tool: 'send_email', action: 'block' };
  const agent = await newKey({
    input: { indirect_injection: { action: 'flag' } },
    output: { tool_misuse: { action: 'ask' } },
    tools: { rules: [noMail] },
  });
  return {
    origin,
    key,
    adminKey: service.adminKey,
    provider,
    async ask(asked) {
      const presented = { admin: service.adminKey, agent, ordinary: key }[asked.as ?? 'ordinary'];
      let answered = await send(asked, presented);
      // The embedded stores keep their deadlines on a busy machine no better than others: what says so is asked again.
      for (let tries = 1; answered.status === 503 && tries < TRIES; tries += 1) {
        const id = answered.headers.get('x-svc-request-id') ?? '-';
        const told = service
          .logs()
          .split('\n')
          .filter((line) => line.includes(id) && line.includes('"internal"'));
        console.log(`asked again: ${asked.method} ${asked.path}: ${answered.text.slice(0, 300)}\n${told.join('\n')}`);
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        answered = await send(asked, presented);
      }
      return answered;
    },
    workedMs: () => (service.pid === undefined ? undefined : workedMs(service.pid)),
    count,
    takeStatuses: () => {
      const taken = statuses;
      statuses = new Map();
      return taken;
    },
    logs: () => service.logs(),
    stop: async () => {
      await service.stop();
      provider.close();
    },
  };
}

function workedMs(pid: number): number | undefined {
  try {
    // Behind the name in brackets, which may hold spaces: state is field 3, the times in user and system mode 14 and 15.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return undefined;
  }
}
