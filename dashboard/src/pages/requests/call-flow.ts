import type { RequestDetail } from '../../api/client.ts';

export type ToolCall = NonNullable<RequestDetail['toolCalls']>[number];
export type CallFinding = RequestDetail['findings'][number];
type Argument = ToolCall['arguments'][number];

/** A source of values, with the arguments of a call that have one of its values. */
export interface ValueSource {
  readonly from: Argument['from'];
  readonly text: string;
  readonly arguments: readonly string[];
}

/** The sources of a call's arguments, in the order of the arguments. */
export function sourcesOf(call: ToolCall): ValueSource[] {
  const sources = new Map<string, ValueSource & { readonly arguments: string[] }>();
  for (const argument of call.arguments) {
    const text = sourceText(argument);
    const known = sources.get(text);
    if (known === undefined) sources.set(text, { from: argument.from, text, arguments: [argument.argument] });
    else known.arguments.push(argument.argument);
  }
  return [...sources.values()];
}

/** Where the value of an argument is. Messages count from 1. */
export function sourceText({ from, message, tool, field = '' }: Argument): string {
  if (from === 'none') return 'Nowhere in the conversation';
  const place = message === undefined ? '' : ` (message ${message + 1})`;
  if (from === 'user') return `The user${place}`;
  const whole = `${tool == null ? 'a document' : `the result of ${tool}`}${place}`;
  if (from === 'field') return field === '' ? `A field of ${whole}` : `Field "${field}" of ${whole}`;
  return field === '' ? `Text of ${whole}` : `Text in field "${field}" of ${whole}`;
}

/** Findings on a call of the response. Records have no ids of calls: two calls of a tool that were not allowed have the findings of both. */
export function findingsOn<F extends Pick<CallFinding, 'origin' | 'location'>>(
  call: ToolCall,
  findings: readonly F[],
): F[] {
  if (call.action === 'allow') return [];
  return findings.filter(({ origin, location }) => location.part === 'output' && origin?.call === call.tool);
}
