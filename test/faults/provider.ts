import type { Behaviour } from '../support/mock-upstream/behaviour.ts';
import { startMockUpstream } from '../support/mock-upstream/start-mock-upstream.ts';
import type { ProviderCall, Usage } from './ledger.ts';
import { type FaultName, PROVIDER_FAULTS } from './provider-faults.ts';

/** The provider's planned response to one request of the soak. */
export interface Planned {
  readonly keyId: string;
  readonly fault: FaultName;
  readonly text: string;
  /** Of a tool call, in place of the text. */
  readonly toolArguments?: string;
  readonly usage: Usage;
  /** Overrides the fault's pace. */
  readonly pace?: Pick<Behaviour, 'delayMs' | 'headDelayMs' | 'pieces'>;
}

export interface SoakProvider {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  readonly calls: readonly ProviderCall[];
  plan(caseId: number, planned: Planned): void;
  stop(): Promise<void>;
}

/** The text that identifies a request at its provider. */
export function markOf(caseId: number): string {
  return `case ${caseId}:`;
}

/** A provider of OpenAI's and Anthropic's protocols that fails as planned and records requests and responses. */
export async function startSoakProvider(now: () => number): Promise<SoakProvider> {
  const plans = new Map<number, Planned>();
  const calls: ProviderCall[] = [];
  const attempts = new Map<number, number>();
  const upstream = await startMockUpstream({
    record: false,
    behave: ({ body }, closed) => {
      const caseId = Number(/case (\d+):/.exec(body)?.[1]);
      const planned = plans.get(caseId);
      if (planned === undefined) return { status: 400 };
      const attempt = attempts.get(caseId) ?? 0;
      attempts.set(caseId, attempt + 1);
      const behaviour = behaviourOf(planned, attempt);
      const call: ProviderCall = {
        caseId,
        keyId: planned.keyId,
        startedAt: now(),
        usage: behaviour.status === undefined && behaviour.failure === undefined ? planned.usage : undefined,
        textChars: (planned.toolArguments ?? planned.text).length,
      };
      calls.push(call);
      void closed.then(() => Object.assign(call, { endedAt: now() }));
      return behaviour;
    },
  });
  return {
    url: upstream.url,
    calls,
    plan: (caseId, planned) => void plans.set(caseId, planned),
    stop: () => upstream.close(),
  };
}

function behaviourOf({ fault, text, toolArguments, usage, pace }: Planned, attempt: number): Behaviour {
  const { attempts }: { attempts: readonly Behaviour[] } = PROVIDER_FAULTS[fault];
  return {
    ...(toolArguments === undefined
      ? { text }
      : { toolCalls: [{ id: 'call_soak', name: 'note', arguments: toolArguments }] }),
    usage: {
      prompt_tokens: usage.input,
      completion_tokens: usage.output,
      input_tokens: usage.input,
      output_tokens: usage.output,
    },
    ...pace,
    ...(attempts[attempt] ?? attempts.at(-1)),
  };
}
