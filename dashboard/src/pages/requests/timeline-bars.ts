import type { RequestDetail } from '../../api/client.ts';

export interface Bar {
  readonly name: string;
  readonly tone: 'own' | 'provider' | 'failed';
  readonly startMs: number;
  readonly endMs: number;
  readonly note?: string;
}

const STAGES = [
  ['auth', 'Authentication', 'own'],
  ['admit', 'Admission', 'own'],
  ['inspect', 'Inspection', 'own'],
  ['outside', 'Outside detectors', 'own'],
  ['provider', 'Provider', 'provider'],
  ['stream', 'Response', 'provider'],
] as const;

/** The stages of a request in order, and in place of the provider's its calls, if there were several or one failed. */
export function toBars({ stages = {}, calls = [], latencyMs, capture }: RequestDetail): Bar[] {
  const bars = STAGES.flatMap(([stage, name, tone]): Bar[] => {
    const span = stages[stage];
    if (span === undefined) return [];
    const [startMs, endMs] = span;
    if (stage !== 'provider' || calls.length === 0) return [{ name, tone, startMs, endMs }];
    return calls.map(
      (call): Bar => ({
        name: `${call.provider}/${call.model}`,
        tone: call.failure === null ? 'provider' : 'failed',
        startMs: call.startMs,
        endMs: call.endMs ?? endMs,
        ...(call.failure !== null && { note: call.failure }),
      }),
    );
  });
  if (bars.length === 0) return bars;
  const stored = capture === 'none' ? 'Record' : 'Record and texts';
  return [...bars, { name: stored, tone: 'own', startMs: latencyMs, endMs: latencyMs, note: 'after the response' }];
}
