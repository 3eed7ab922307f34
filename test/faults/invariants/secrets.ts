import { logFault } from '../../fuzz/log-fault.ts';
import type { Invariant } from './invariant.ts';

export const nothingToldOfSecrets: Invariant = {
  name: 'no key, secret or text of a request is in any log, table or webhook',
  least: 50,
  check: ({ found }) => {
    const places = [...found.logs.map((text, at) => ({ name: `log ${at}`, text })), ...found.stored];
    const violations = found.secrets.flatMap((secret) =>
      places.filter(({ text }) => text.includes(secret.text)).map(({ name }) => `${secret.name} is in ${name}`),
    );
    // A process that was killed at once has printed nothing.
    const empty = found.logs.every((text) => text === '') ? ['no process printed anything: nothing was looked at'] : [];
    return { checked: found.secrets.length * places.length, excused: 0, violations: [...violations, ...empty] };
  },
};

export const logsAreWhole: Invariant = {
  name: 'every line of a log is one entry, and none reports an internal error',
  least: 1,
  check: ({ found }) => ({
    checked: found.logs.length,
    excused: 0,
    violations: found.logs.flatMap((text) => logFault(text) ?? []),
  }),
};
