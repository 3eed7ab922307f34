import type { Option } from './command.ts';
import type { CommandInput } from './command-input.ts';
import { UsageError } from './usage-error.ts';

/** The options that narrow down what analytics tell. */
export const RANGE: Readonly<Record<string, Option>> = {
  last: { value: 'DURATION', help: 'So long until now: 24h, 7d.' },
  from: { value: 'TIME', help: 'From then on: 2026-11-21T09:00:00Z, or how long ago.' },
  to: { value: 'TIME', help: 'Until then.' },
};

export const FILTERS: Readonly<Record<string, Option>> = {
  ...RANGE,
  key: { value: 'ID', help: "This key's alone." },
  environment: { value: 'NAME', help: 'Of this environment alone.' },
  model: { value: 'NAME', help: 'Of this model alone.' },
  'end-user': { value: 'ID', help: "This end user's alone." },
};

export function rangeOf(input: CommandInput, nowMs: number): { from: string | undefined; to: string | undefined } {
  const last = input.duration('last');
  if (last === undefined) return { from: input.time('from', nowMs), to: input.time('to', nowMs) };
  if (input.text('from') !== undefined || input.text('to') !== undefined) {
    throw new UsageError('--last is a range already: leave out --from and --to.');
  }
  return { from: new Date(nowMs - last).toISOString(), to: undefined };
}

/** The parameters that the analytics API takes for it. */
export function filterOf(input: CommandInput, nowMs: number) {
  return {
    ...rangeOf(input, nowMs),
    keyId: input.text('key'),
    environment: input.text('environment'),
    model: input.text('model'),
    endUserId: input.text('end-user'),
  };
}
