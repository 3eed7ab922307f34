import type { BodyOf, ResponseOf } from '../../../functions/contract/index.ts';
import { type Command, UsageError } from '../command.ts';
import type { Output } from '../output.ts';

const FOR = { for: { value: 'DURATION', help: 'How long, at most 24h: 30m, 2h.' } };

export const OVERRIDE_COMMANDS: readonly Command[] = [
  {
    name: 'override show',
    args: [],
    summary: 'Shows the emergency override.',
    options: {},
    examples: ['override show', 'override show --json'],
    async run(_, { api, out }) {
      show(await api().call('getOverride', {}), out);
      return 0;
    },
  },
  setting('observe', 'Reduces every action of every policy to flag for some time: nothing is blocked or redacted.'),
  setting('refuse', 'Refuses all requests that are inspected or sent to a model, for some time.'),
  {
    name: 'override none',
    args: [],
    summary: 'Ends the emergency override.',
    options: {},
    examples: ['override none'],
    async run(_, { api, out }) {
      show(await api().call('putOverride', { body: { mode: 'none' } }), out);
      return 0;
    },
  },
];

function setting(mode: 'observe' | 'refuse', summary: string): Command {
  return {
    name: `override ${mode}`,
    args: [],
    summary,
    options: FOR,
    examples: [`override ${mode} --for 30m`],
    async run(input, { api, out, nowMs, confirm }) {
      input.needed('for');
      const ms = input.duration('for') ?? 0;
      if (ms === 0) throw new UsageError('--for must be longer than 0.');
      const body: BodyOf<'putOverride'> = { mode, until: new Date(nowMs + ms).toISOString() };
      const what = mode === 'observe' ? 'Block and redact nothing' : 'Refuse all requests to models';
      await confirm(`${what} until ${body.until}?`);
      show(await api().call('putOverride', { body }), out);
      return 0;
    },
  };
}

function show(override: ResponseOf<'getOverride'>, out: Output): void {
  if (out.json) out.thing(override);
  const { mode, until } = override;
  out.say(mode === 'none' ? 'No override is in force.' : `Override ${mode}, until ${until}.`);
}
