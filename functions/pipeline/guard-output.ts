import {
  CallInspector,
  type InspectionReport,
  inspectResponse,
  type Policy,
  type TextInspector,
} from '../inspection/index.ts';
import { toParam } from '../kernel/errors/index.ts';
import type { JsonEdit } from '../kernel/json/index.ts';
import type { ChatMessage } from '../kernel/model/index.ts';
import { type CpuBudget, runInSlices, type Scheduler, type Steps } from '../kernel/tasks/index.ts';
import { readOutput } from '../translation/index.ts';
import type { GuardRequest, GuardResult } from './inspection-schemas.ts';

type InspectedResponse = ReturnType<typeof inspectResponse> extends Steps<infer Inspected> ? Inspected : never;
type InspectedCall = NonNullable<GuardResult['calls']>[number];

export interface OutputDeps {
  readonly policy: Policy;
  readonly inspector: TextInspector;
  readonly report: InspectionReport;
  readonly scheduler: Scheduler;
  readonly budget?: CpuBudget;
  /** Counts what the shadow policy would do with the calls. */
  readonly shadow?: ReturnType<Policy['tallyShadow']>;
  /** What the session remembers for tool calls. */
  readonly memory?: ConstructorParameters<typeof CallInspector>[2]['memory'];
}

/** The response of a guard request after its inspection. Its decisions are those on all findings so far. */
export interface InspectedOutput {
  readonly texts: readonly { readonly output: string; readonly field: string }[];
  readonly response: InspectedResponse;
  /** The decision on each call, to be taken once; undefined if the output is no message. */
  calls(): Promise<GuardResult['calls']>;
  /** What later requests of the session need to know. */
  readonly learn: () => ReturnType<CallInspector['learn']>;
  /** The redactions. */
  edits(): JsonEdit[];
}

/** Inspects a response that the caller received elsewhere: its texts, and its calls beside the conversation before it. */
export async function inspectGivenOutput(body: GuardRequest, deps: OutputDeps): Promise<InspectedOutput> {
  const { policy, inspector, report, scheduler, budget, memory } = deps;
  const { before, ...given } = await runInSlices(readOutput(body), scheduler);
  const texts = given.texts.map((text) => ({ ...text, field: toParam(text.path) }));
  const context = contextOf(before.messages, body.system);
  const steps = inspectResponse({ texts, context }, policy, inspector, report);
  const response = await runInSlices(steps, scheduler, budget);
  report.inspectedOutput('output');
  for (const { path, what } of given.skipped) report.skipped(`${toParam(path)}: ${what}`);
  const calls = new CallInspector(before, body.messages !== undefined, {
    sender: undefined,
    policy,
    report,
    scheduler,
    inspector,
    memory,
  });
  if (given.calls.length > 0) await calls.prepare();
  return {
    texts: texts.map(({ text, field }) => ({ output: text, field })),
    response,
    learn: () => calls.learn(),
    async calls() {
      if (typeof body.output === 'string') return undefined;
      const inspected: InspectedCall[] = [];
      for (const { id, ...call } of given.calls) {
        const own = response.findingsIn(call.field);
        await runInSlices(calls.inspectReceived({ ...call, id }, [report.findings, own]), scheduler);
        const action = own.action as InspectedCall['action'];
        inspected.push({ id, name: call.name, action, findings: [...own.shownThreats] });
      }
      await calls.tallyShadow(deps.shadow);
      return inspected;
    },
    edits: () =>
      response.redacted.flatMap((text, at): JsonEdit[] => {
        const { path, text: sent } = texts[at] as (typeof texts)[number];
        return text === sent ? [] : [{ kind: 'replace', path, json: JSON.stringify(text) }];
      }),
  };
}

/** What the response is compared with: the operator's prompts, and what the others wrote. */
function contextOf(messages: readonly ChatMessage[], system: string | undefined) {
  const isPrompt = ({ role }: ChatMessage) => role === 'system' || role === 'developer';
  const prompts = messages.filter(isPrompt).map(textOf);
  return {
    prompts: system ? [system, ...prompts] : prompts,
    known: messages.filter((message) => !isPrompt(message)).map(textOf),
  };
}

function textOf({ parts }: ChatMessage): string {
  return parts.map((part) => ('text' in part ? part.text : '')).join('\n');
}
