import type { ToolPolicy, ToolRule } from '../../kernel/model/index.ts';
import { loadCallWords } from '../tool-calls/index.ts';
import { compileToolPolicy } from './compile-tool-policy.ts';
import { type CallDecision, decideCall, type ProposedCall } from './decide-call.ts';
import { Transcript } from './transcript.ts';

export const words = await loadCallWords();

export type Said = Parameters<Transcript['add']>[0];

export function transcriptOf(said: readonly Said[]): Transcript {
  const transcript = new Transcript([], words);
  for (const one of said) transcript.add(one);
  return transcript;
}

interface Situation extends Partial<Pick<ProposedCall, 'hasOccurred' | 'typesIn'>> {
  readonly said?: readonly Said[];
  readonly tool?: string;
}

/** Decides on a call of `pay` with these arguments. */
export function decide(
  tools: ToolPolicy,
  args: unknown,
  { said = [], tool = 'pay', ...rest }: Situation = {},
): CallDecision {
  return decideCall(compileToolPolicy(tools), {
    tool,
    arguments: typeof args === 'string' ? args : JSON.stringify(args),
    transcript: transcriptOf(said),
    typesIn: () => new Set(),
    ...rest,
  });
}

/** A policy of one rule, which blocks calls of `pay`. */
export function withRule(fields: Partial<ToolRule>): ToolPolicy {
  return { rules: [{ id: 'r', tool: 'pay', action: 'block', ...fields }] };
}

export const user = (text: string): Said => ({ author: 'user', text });
export const result = (tool: string, value: unknown): Said => ({
  author: 'tool',
  tool,
  text: typeof value === 'string' ? value : JSON.stringify(value),
});
