import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { InspectedResponse, responseDetectors } from '../../functions/core/inspect/output/inspect-response.ts';
import { Policy } from '../../functions/core/inspect/policy.ts';
import { SecurityReport } from '../../functions/core/inspect/security-report.ts';
import type { Action } from '../../functions/core/model/threat.ts';
import { table, withInterval } from './figures.ts';
import type { Section } from './section.ts';

/** A model's response, with its system prompt if it has one. */
interface ResponseRow {
  readonly output: string;
  readonly system?: string;
  readonly label: string;
  readonly category: string;
  readonly kind?: string;
}

interface Judged {
  readonly row: ResponseRow;
  readonly action: Action;
}

const FILE = path.join('dev-requests', 'outputs.jsonl');

/** Responses, inspected as by `POST /v1/guard` under the default policy. */
export const OUTPUTS: Section = {
  name: 'outputs',
  write: ({ data, inspector }) => {
    const policy = new Policy({});
    const judged = readRows(path.join(data, FILE)).map((row): Judged => {
      const report = new SecurityReport();
      const detectors = responseDetectors({ prompts: row.system ? [row.system] : [], known: [] }, policy);
      new InspectedResponse(row.output, policy, report).add(inspector.inspect(row.output, 'output', detectors));
      return { row, action: report.action };
    });
    return `## Responses (\`dev-requests/outputs\`)

Model responses that leak, exfiltrate or carry payloads, and look-alikes of them, inspected as by \`POST /v1/guard\` under the
default policy. \`Flagged\` is any action, \`acted\` a redaction or a block.

${outputTable(judged)}`;
  },
};

function readRows(file: string): ResponseRow[] {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : gunzipSync(readFileSync(`${file}.gz`)).toString('utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ResponseRow);
}

function outputTable(judged: readonly Judged[]): string {
  const isHarmless = ({ row }: Judged) => row.label === 'benign';
  const kinds = Map.groupBy(judged, ({ row }) => `${row.category}${row.kind ? ` | ${row.kind}` : ' | '}`);
  const rows = [...kinds].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, own]) => figures(name, own));
  return table(
    ['Category', 'Kind', 'Responses', 'Flagged', 'Acted'],
    [
      ...rows,
      figures(
        '**all that are harmful** | ',
        judged.filter((one) => !isHarmless(one)),
      ),
      figures('**look-alikes, false alarms** | ', judged.filter(isHarmless)),
    ],
  );
}

function figures(name: string, judged: readonly Judged[]): (string | number)[] {
  const share = (counts: (action: Action) => boolean) =>
    withInterval(judged.filter(({ action }) => counts(action)).length / judged.length, judged.length);
  const acted = share((action) => action === 'redact' || action === 'block');
  return [...name.split(' | '), judged.length, share((action) => action !== 'allow'), acted];
}
