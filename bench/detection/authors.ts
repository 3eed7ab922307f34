import path from 'node:path';
import { InspectionReport, inspectResponse, Policy } from '../../functions/inspection/index.ts';
import { finish } from '../../functions/kernel/tasks/index.ts';
import { readLines } from '../../training/read-sets.ts';
import { type BenchRequest, type JudgedRequest, judgeRequest } from './judge-request.ts';
import type { BenchContext } from './section.ts';

/** An author of whole requests, conversations and responses, with other scenes, voices and wordings than the others. */
export interface Author {
  readonly name: string;
  readonly folder: string;
  readonly about: string;
  /** Many rows were read while rules were written, so that its figures flatter. */
  readonly isSeen: boolean;
}

export const AUTHORS: readonly Author[] = [
  { name: 'A', folder: 'dev-requests', about: 'agents and assistants', isSeen: true },
  { name: 'B', folder: 'requests-b', about: 'software teams', isSeen: false },
  { name: 'C', folder: 'requests-c', about: 'offices, 26 languages', isSeen: false },
];

interface AuthorRow {
  readonly label: string;
  readonly category: string;
  /** Of an attack in one position: `a` to `f`, as the sets' manifests say; author A has none. */
  readonly attack_kind?: string;
}
interface RequestRow extends AuthorRow {
  readonly request: BenchRequest;
}
/** A model's response, with its system prompt if it has one. */
interface ResponseRow extends AuthorRow {
  readonly output: string;
  readonly system?: string;
}
export type JudgedRow = AuthorRow & Pick<JudgedRequest, 'action'>;

/** What the default policy does with everything that an author wrote. */
export interface AuthorResults {
  readonly author: Author;
  /** One planted text in each. */
  readonly attacks: readonly JudgedRow[];
  /** The same requests with a harmless text in its place. */
  readonly twins: readonly JudgedRow[];
  readonly ordinary: readonly JudgedRow[];
  readonly badTalks: readonly JudgedRow[];
  readonly lookAlikeTalks: readonly JudgedRow[];
  readonly badResponses: readonly JudgedRow[];
  readonly lookAlikeResponses: readonly JudgedRow[];
}

/** Inspects an author's requests with all turns so far, and responses as `POST /v1/guard` does. */
export function judgeAuthor(author: Author, { data, inspector }: BenchContext): AuthorResults {
  const read = <T>(set: string) => readLines(path.join(data, author.folder), set).map((line) => JSON.parse(line) as T);
  const requests = (set: string): JudgedRow[] =>
    read<RequestRow>(set).map((row) => ({ ...row, ...judgeRequest(row.request, inspector) }));
  const policy = new Policy({});
  const responses = read<ResponseRow>('outputs').map((row): JudgedRow => {
    const report = new InspectionReport();
    const context = { prompts: row.system ? [row.system] : [], known: [] };
    finish(inspectResponse({ texts: [{ text: row.output, field: 'output' }], context }, policy, inspector, report));
    return { ...row, action: report.findings.action };
  });
  const [attacks, twins] = byLabel(requests('attack_positions'));
  const [badTalks, lookAlikeTalks] = byLabel(requests('multi_turn'));
  const [badResponses, lookAlikeResponses] = byLabel(responses);
  const ordinary = requests('benign_agents');
  return { author, attacks, twins, ordinary, badTalks, lookAlikeTalks, badResponses, lookAlikeResponses };
}

function byLabel(rows: readonly JudgedRow[]): [bad: JudgedRow[], harmless: JudgedRow[]] {
  return [rows.filter(({ label }) => label !== 'benign'), rows.filter(({ label }) => label === 'benign')];
}
