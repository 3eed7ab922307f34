import { readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  InspectionReport,
  inspectInput,
  policyOf,
  Redaction,
  type TextInspector,
} from '../../functions/inspection/index.ts';
import { readJsonDocument } from '../../functions/kernel/json/index.ts';
import { runInSlices, type Scheduler } from '../../functions/kernel/tasks/index.ts';
import { loadApi } from '../../functions/translation/index.ts';

/** 150 KB of prose, commands, code and JSON; bench/first-request.md has what it saves. */
const PAGES = ['clients', 'operations', 'providers', 'keys', 'deploy', 'policies', 'findings', 'webhooks'];
/** Paragraphs of a request: the prompt, a tool's definition, the user's message, a tool's result. */
const SHARES = [6, 3, 2, 4] as const;
const OF_REQUEST = SHARES.reduce((sum, share) => sum + share, 0);

/**
 * Inspects the pages of a documentation folder as requests, in slices, so that the first request of a coding agent finds compiled code and
 * most of the automata's states. Takes about 0.4 seconds of CPU. Without the folder nothing is inspected.
 */
export async function warmUp(inspector: TextInspector, docs: string, scheduler: Scheduler): Promise<void> {
  const pages = await Promise.all(PAGES.map((name) => readFile(path.join(docs, `${name}.md`), 'utf8').catch(() => '')));
  const paragraphs = pages.flatMap((page) => page.split('\n\n'));
  const take = (count: number) => paragraphs.splice(0, count).join('\n\n');
  const api = (await loadApi('anthropic-messages'))();
  while (paragraphs.length >= OF_REQUEST) {
    const [system = '', description = '', question = '', content = ''] = SHARES.map(take);
    const document = readJsonDocument(JSON.stringify(requestOf({ system, description, question, content })));
    const own = await runInSlices(api.texts(api.check(document)), scheduler);
    const input = {
      document,
      own,
      past: Promise.resolve(0),
      policy: policyOf({}),
      redaction: new Redaction('warm up'),
    };
    const progress = { inspection: new InspectionReport(), times: { now: 0, spent: () => {} } };
    await inspectInput(progress, input, { inspector, scheduler, inspectionCpuMs: Number.POSITIVE_INFINITY });
  }
}

function requestOf({ system, description, question, content }: Record<string, string>) {
  const path = { type: 'string', description: 'The absolute path of the file.' };
  return {
    model: 'echo',
    max_tokens: 1,
    system,
    tools: [
      { name: 'read_file', description, input_schema: { type: 'object', properties: { path }, required: ['path'] } },
    ],
    messages: [
      { role: 'user', content: question },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'call_1', name: 'read_file', input: { path: '/README.md' } }],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content }] },
    ],
  };
}
