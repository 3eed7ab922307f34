import type {
  EndUserDeletion,
  Figures,
  Session,
  Summary,
  Threat,
  Timeseries,
} from '../../../functions/contract/index.ts';
import { withQuery } from '../admin-client.ts';
import { type Command, FILTERS, filterOf, UsageError } from '../command.ts';
import { keyNames } from '../key-names.ts';
import type { Cell } from '../output.ts';
import { GROUP_FIELDS, INTERVALS, MARKS } from '../values.ts';

const FIGURES: Readonly<Record<string, (figures: Figures) => Cell>> = {
  REQUESTS: ({ requests }) => requests,
  BLOCKED: ({ blocked }) => blocked,
  FLAGGED: ({ flagged }) => flagged,
  ERRORS: ({ errors }) => errors,
  'TOKENS IN': ({ tokens }) => tokens.input,
  'TOKENS OUT': ({ tokens }) => tokens.output,
  USD: ({ costUsd }) => costUsd,
  // Requests of which USD has nothing, or a part.
  'UNKNOWN COST': ({ unpriced, partlyPriced }) => unpriced + partlyPriced,
  'P50 MS': ({ latencyMs }) => latencyMs.p50,
  'P95 MS': ({ latencyMs }) => latencyMs.p95,
  THREATS: ({ threats }) => Object.values(threats).reduce((sum, count) => sum + count, 0),
};
const limit = { value: 'N', help: 'Maximum number of rows. Default: 50.' };

type Grouped = { readonly group?: string | null | undefined };

/** The range of the figures, which is wider than the one asked for if that begins or ends within an hour. */
function coveredBy({ from, to }: { from: string; to: string }, unit: 'hours' | 'minutes'): string {
  return `Totals of full ${unit}: ${from} to ${to}.`;
}

/** Commands of the analytics API. */
export const USAGE_COMMANDS: readonly Command[] = [
  {
    name: 'usage',
    args: [],
    summary: 'Shows totals of requests, tokens, cost and threats, with --interval by hour or day.',
    options: {
      ...FILTERS,
      'group-by': { value: 'FIELD', help: 'A row for each value of this field.', choices: GROUP_FIELDS },
      interval: { value: 'WORD', help: 'A row for each interval.', choices: INTERVALS },
    },
    examples: ['usage --last 24h', 'usage --last 7d --interval day', 'usage --last 30d --group-by keyId --json'],
    async run(input, { api, out, nowMs }) {
      const interval = input.text('interval');
      const query = { ...filterOf(input, nowMs), groupBy: input.text('group-by') };
      const client = api();
      const isByKey = query.groupBy === 'keyId' && !out.json;
      const groupColumns = async (rows: readonly Grouped[]) => {
        const names = isByKey
          ? await keyNames(
              client,
              rows.map(({ group }) => group),
            )
          : undefined;
        return {
          GROUP: ({ group }: Grouped) => group,
          ...(names && { NAME: ({ group }: Grouped) => names.get(group ?? '') }),
        };
      };
      if (interval !== undefined) {
        const series = await client.call<Timeseries>('GET', withQuery('/analytics/timeseries', { ...query, interval }));
        const { data } = series;
        if (!out.json) out.say(coveredBy(series, interval.endsWith('m') ? 'minutes' : 'hours'));
        const columns = {
          TIME: ({ time }: { time: string }) => time,
          ...(query.groupBy && (await groupColumns(data))),
          ...FIGURES,
        };
        out.list<Timeseries['data'][number]>(data, columns);
        return 0;
      }
      const summary = await client.call<Summary>('GET', withQuery('/analytics/summary', query));
      if (out.json) out.thing(summary);
      else {
        out.say(coveredBy(summary, 'hours'));
        const groups = summary.groups ?? [];
        out.list([...groups, { ...summary, group: 'all' }], { ...(await groupColumns(groups)), ...FIGURES });
      }
      return 0;
    },
  },
  {
    name: 'threats list',
    args: [],
    summary: 'Lists findings, newest request first.',
    options: { ...FILTERS, limit },
    examples: ['threats list --last 24h', 'threats list --key key_... --limit 500 --json'],
    async run(input, { api, out, nowMs }) {
      const client = api();
      const list = await client.all<Threat>('/analytics/threats', filterOf(input, nowMs), input.count('limit') ?? 50);
      const names = out.json
        ? undefined
        : await keyNames(
            client,
            list.map(({ keyId }) => keyId),
          );
      out.list(list, {
        TIME: ({ time }) => time,
        TYPE: ({ type }) => type,
        ACTION: ({ action }) => action,
        SEVERITY: ({ severity }) => severity,
        SCORE: ({ score }) => score,
        RULE: ({ rule }) => rule,
        MARK: ({ mark }) => mark,
        ID: ({ id }) => id,
        KEY: ({ keyId }) => keyId,
        NAME: ({ keyId }) => names?.get(keyId),
        PLACE: ({ location }) => `${location.part} ${location.field}`,
      });
      return 0;
    },
  },
  {
    name: 'threats mark',
    args: ['ID', 'MARK'],
    argHelp: {
      ID: { help: 'Id of the finding, from threats list.' },
      MARK: { help: 'none removes the mark.', choices: MARKS },
    },
    summary: 'Marks a finding as false_positive or confirmed; none removes the mark.',
    options: {},
    examples: ['threats mark thr_... false_positive'],
    async run(input, { api, out }) {
      const [word] = MARKS.filter((one) => one === input.arg(1));
      if (word === undefined) throw new UsageError('MARK must be false_positive, confirmed or none.');
      const mark = word === 'none' ? null : word;
      const threat = await api().call<Threat>('PATCH', `/analytics/threats/${input.part(0)}`, { mark });
      if (out.json) out.thing(threat);
      out.say(`${threat.id}: ${threat.mark ?? 'not marked'}`);
      return 0;
    },
  },
  {
    name: 'sessions',
    args: [],
    summary: 'Lists sessions, latest start first.',
    options: { ...FILTERS, limit },
    examples: ['sessions --last 24h', 'sessions --end-user ann'],
    async run(input, { api, out, nowMs }) {
      const client = api();
      const list = await client.all<Session>('/analytics/sessions', filterOf(input, nowMs), input.count('limit') ?? 50);
      const names = out.json
        ? undefined
        : await keyNames(
            client,
            list.map(({ keyId }) => keyId),
          );
      out.list(list, {
        ID: ({ id }) => id,
        KEY: ({ keyId }) => keyId,
        NAME: ({ keyId }) => names?.get(keyId),
        'END USER': ({ endUserId }) => endUserId,
        FIRST: ({ firstAt }) => firstAt,
        LAST: ({ lastAt }) => lastAt,
        REQUESTS: ({ requests }) => requests,
        BLOCKED: ({ blocked }) => blocked,
        HIGHEST: ({ threatScore }) => threatScore.highest,
        ACCUMULATED: ({ threatScore }) => threatScore.accumulated,
      });
      return 0;
    },
  },
];

export const END_USER_COMMANDS: readonly Command[] = [
  {
    name: 'end-users delete',
    args: ['ID'],
    argHelp: { ID: { help: 'The end user, as requests name it in X-End-User-ID.' } },
    summary: 'Deletes all data of an end user.',
    options: {},
    examples: ['end-users delete ann', 'end-users delete ann --yes --json'],
    async run(input, { api, out, confirm }) {
      await confirm(`Delete all data of the end user '${input.arg(0)}'? This cannot be undone.`);
      const deletion = await api().call<EndUserDeletion>('DELETE', `/admin/end-users/${input.part(0)}`);
      if (out.json) out.thing(deletion);
      else out.thing(deletion.deleted);
      return 0;
    },
  },
];
