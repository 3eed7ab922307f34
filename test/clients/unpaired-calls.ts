type Json = Readonly<Record<string, unknown>>;

/** A call or a result in a request, by id; those of Gemini have names. */
interface Paired {
  readonly kind: 'call' | 'result';
  readonly id: string;
}

/**
 * What each provider refuses: a call without its result, or a result without its call. OpenAI: "No tool output found for function call",
 * "must be followed by tool messages"; Anthropic and Bedrock: "`tool_use` ids were found without `tool_result` blocks"; Gemini: "the number of
 * function response parts is equal to the number of function call parts".
 */
export function unpairedIn(body: unknown): string | undefined {
  const { messages, input, contents } = body as Json;
  const turns = [messages, input, contents].find((list) => Array.isArray(list)) as readonly Json[] | undefined;
  // Of a reference to a stored item the call is not known.
  const refers = turns?.some(({ type }) => type === 'item_reference') === true;
  const open: string[] = [];
  for (const { kind, id } of (turns ?? []).flatMap(pairsIn)) {
    if (kind === 'call') open.push(id);
    else if (refers && !open.includes(id)) continue;
    else if (!open.includes(id)) return `result of ${id} without its call`;
    else open.splice(open.indexOf(id), 1);
  }
  return open.length === 0 ? undefined : `call ${open[0]} without its result`;
}

function pairsIn(turn: Json): Paired[] {
  const of = (kind: Paired['kind'], id: unknown): Paired => ({ kind, id: String(id) });
  if (turn.role === 'tool') return [of('result', turn.tool_call_id)];
  if (turn.type === 'function_call') return [of('call', turn.call_id)];
  if (turn.type === 'function_call_output') return [of('result', turn.call_id)];
  const calls = listOf(turn.tool_calls).map(({ id }) => of('call', id));
  const parts = [...listOf(turn.content), ...listOf(turn.parts)].flatMap((part) => {
    const { toolUse, toolResult, functionCall, functionResponse } = part as Record<string, Json | undefined>;
    if (part.type === 'tool_use') return [of('call', part.id)];
    if (part.type === 'tool_result') return [of('result', part.tool_use_id)];
    if (toolUse) return [of('call', toolUse.toolUseId)];
    if (toolResult) return [of('result', toolResult.toolUseId)];
    if (functionCall) return [of('call', functionCall.name)];
    return functionResponse ? [of('result', functionResponse.name)] : [];
  });
  return [...calls, ...parts];
}

function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
