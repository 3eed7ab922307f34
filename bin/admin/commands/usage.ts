import type { Figures, ResponseOf, Timeseries } from '../../../functions/contract/index.ts';
import { ruleName } from '../../rule-name.ts';
import type { AdminClient } from '../admin-client.ts';
import { type Command, UsageError } from '../command.ts';
import { optionsOf, queryFrom } from '../fields.ts';
import { keyNames } from '../key-names.ts';
import type { Cell, Output } from '../output.ts';

const MARKS = ['false_positive', 'confirmed', 'none'] as const;

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

type SpendRow = NonNullable<ResponseOf<'getSpend'>['groups']>[number];
type Grouped = { readonly group?: string | null | undefined };

/** The range of the figures, which is wider than the one asked for if that begins or ends within an hour. */
function coveredBy({ from, to }: { from: string; to: string }, unit: 'hours' | 'minutes'): string {
  return `Totals of full ${unit}: ${from} to ${to}.`;
}

/** The names of the keys in a list; undefined where it is printed as JSON. */
async function namesFor(list: readonly { readonly keyId: string }[], client: AdminClient, out: Output) {
  if (out.json) return undefined;
  return await keyNames(
    client,
    list.map(({ keyId }) => keyId),
  );
}

/** Commands of the analytics API. */
export const USAGE_COMMANDS: readonly Command[] = [
  {
    name: 'usage',
    args: [],
    summary: 'Shows totals of requests, tokens, cost and threats, with --interval by hour or day.',
    options: optionsOf('getTimeseries'),
    examples: ['usage --last 24h', 'usage --last 7d --interval day', 'usage --last 30d --group-by keyId --json'],
    async run(input, context) {
      const { api, out } = context;
      const { interval, ...query } = await queryFrom('getTimeseries', input, context);
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
        const series = await client.call('getTimeseries', { query: { ...query, interval } });
        const { data } = series;
        if (!out.json) out.say(coveredBy(series, String(interval).endsWith('m') ? 'minutes' : 'hours'));
        const columns = {
          TIME: ({ time }: { time: string }) => time,
          ...(query.groupBy && (await groupColumns(data))),
          ...FIGURES,
        };
        out.list<Timeseries['data'][number]>(data, columns);
        return 0;
      }
      const summary = await client.call('getSummary', { query });
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
    name: 'spend',
    args: [],
    summary: 'Shows what a month has cost, beside the month before, with a forecast and budgets.',
    options: optionsOf('getSpend'),
    examples: [
      'spend --group-by teamId',
      'spend --month 2026-11 --time-zone Europe/Berlin --group-by tag:feature',
      'spend --group-by keyId --format csv > spend.csv',
    ],
    async run(input, context) {
      const { api, out } = context;
      const query = await queryFrom('getSpend', input, context);
      if (query.format === 'csv') {
        for (const line of (await api().text('getSpend', { query })).trimEnd().split('\r\n')) out.line(line);
        return 0;
      }
      const spend = await api().call('getSpend', { query });
      if (out.json) {
        out.thing(spend);
        return 0;
      }
      const { groups = [], ...all } = spend;
      out.say(`${spend.month}, ${spend.timeZone}: totals of full hours, ${spend.from} to ${spend.to}.`);
      out.list([...groups, { ...all, group: 'all' }] satisfies readonly SpendRow[], {
        GROUP: ({ group }) => group,
        ...(query.groupBy === 'keyId' && { NAME: ({ label }: SpendRow) => label }),
        REQUESTS: ({ requests }) => requests,
        USD: ({ costUsd }) => costUsd,
        'MONTH BEFORE': ({ previousUsd }) => previousUsd,
        FORECAST: ({ forecastUsd }) => forecastUsd,
        BUDGET: ({ budget }) => budget?.monthUsd,
        'UNKNOWN COST': ({ unpriced, partlyPriced }) => unpriced + partlyPriced,
        CHARGES: ({ unknownCharges = {} }) => Object.keys(unknownCharges).join(', '),
      });
      return 0;
    },
  },
  {
    name: 'requests list',
    args: [],
    summary: 'Lists requests, newest first.',
    options: optionsOf('listRequests'),
    examples: ['requests list --last 1h --status 5xx', 'requests list --id req_... --json'],
    async run(input, context) {
      const { api, out } = context;
      const client = api();
      const query = { limit: 50, ...(await queryFrom('listRequests', input, context)) };
      const list = await client.all('listRequests', { query });
      const names = await namesFor(list, client, out);
      out.list(list, {
        TIME: ({ time }) => time,
        STATUS: ({ status }) => status,
        ACTION: ({ action }) => action,
        SCORE: ({ threatScore }) => threatScore,
        ID: ({ id }) => id,
        KEY: ({ keyId }) => keyId,
        NAME: ({ keyId }) => names?.get(keyId),
        MODEL: ({ provider, model }) => model && `${provider}/${model}`,
        ROUTE: ({ route }) => route,
        MS: ({ latencyMs }) => latencyMs,
        USD: ({ costUsd }) => costUsd,
        ERROR: ({ errorCode }) => errorCode,
      });
      return 0;
    },
  },
  {
    name: 'threats list',
    args: [],
    summary: 'Lists findings, newest request first.',
    options: optionsOf('listThreats'),
    examples: ['threats list --last 24h', 'threats list --key key_... --limit 500 --json'],
    async run(input, context) {
      const { api, out } = context;
      const client = api();
      const query = { limit: 50, ...(await queryFrom('listThreats', input, context)) };
      const list = await client.all('listThreats', { query });
      const names = await namesFor(list, client, out);
      out.list(list, {
        TIME: ({ time }) => time,
        TYPE: ({ type }) => type,
        ACTION: ({ action }) => action,
        SEVERITY: ({ severity }) => severity,
        SCORE: ({ score }) => score,
        RULE: ruleName,
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
      const threat = await api().call('markThreat', { params: { id: input.arg(0) }, body: { mark } });
      if (out.json) out.thing(threat);
      out.say(`${threat.id}: ${threat.mark ?? 'not marked'}`);
      return 0;
    },
  },
  {
    name: 'sessions',
    args: [],
    summary: 'Lists sessions, latest start first.',
    options: optionsOf('listSessions'),
    examples: ['sessions --last 24h', 'sessions --end-user ann'],
    async run(input, context) {
      const { api, out } = context;
      const client = api();
      const query = { limit: 50, ...(await queryFrom('listSessions', input, context)) };
      const list = await client.all('listSessions', { query });
      const names = await namesFor(list, client, out);
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
      const deletion = await api().call('deleteEndUser', { params: { id: input.arg(0) } });
      if (out.json) out.thing(deletion);
      else out.thing(deletion.deleted);
      return 0;
    },
  },
];
