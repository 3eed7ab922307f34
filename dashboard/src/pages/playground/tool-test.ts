import type { Settings } from '../policy/policy-settings.ts';
import type { ToolRule } from '../policy/tool-settings.ts';

/** A call after a conversation, as the tests of rules for tools have it. */
export interface CallExample {
  readonly messages: readonly object[];
  readonly call: { readonly name: string; readonly arguments: string };
}

/** What a rule should say about a call: that it violates the rule, or not. */
export type Expected = keyof NonNullable<ToolRule['tests']>;

interface AskedCall {
  readonly id?: string;
  readonly function?: { readonly name?: string; readonly arguments?: string };
}

interface Message {
  readonly role?: string;
  readonly content?: unknown;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly AskedCall[];
}

/** The tool calls of an inspected output, each after its conversation; none without calls. */
export function examplesOf(body: object): CallExample[] {
  const { messages = [], output } = body as { readonly messages?: readonly Message[]; readonly output?: Message };
  const before = toExampleMessages(messages);
  return callsOf(output).map((call) => ({ messages: before, call }));
}

function toExampleMessages(messages: readonly Message[]): object[] {
  const names = new Map<string, string>();
  return messages.map((message) => {
    const { role, content, tool_call_id, tool_calls = [] } = message;
    for (const { id = '', function: of } of tool_calls) names.set(id, of?.name ?? '');
    const text = textOf(content);
    const name = names.get(tool_call_id ?? '');
    const calls = callsOf(message);
    return { role, ...(text !== '' && { content: text }), ...(name && { name }), ...(calls.length > 0 && { calls }) };
  });
}

function callsOf(message: Message | undefined): CallExample['call'][] {
  return (message?.tool_calls ?? []).map(({ function: of }) => ({
    name: of?.name ?? '',
    arguments: of?.arguments ?? '{}',
  }));
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  return parts.flatMap((part) => (part as { readonly text?: string }).text ?? []).join('\n');
}

/** The settings of a policy in which a rule for tools has another test. */
export function withTest(settings: Settings, ruleId: string, expected: Expected, example: CallExample): Settings {
  const { rules = [], ...tools } = (settings.tools ?? {}) as { readonly rules?: readonly ToolRule[] };
  const changed = rules.map((rule) =>
    rule.id === ruleId
      ? { ...rule, tests: { ...rule.tests, [expected]: [...(rule.tests?.[expected] ?? []), example] } }
      : rule,
  );
  return { ...settings, tools: { ...tools, rules: changed } };
}
