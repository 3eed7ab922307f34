import type { JsonDocument } from '../../json/json-document.ts';
import type { ChatMessage, ChatRequest, ContentPart, ToolCall, ToolChoice, ToolDefinition } from '../../model/chat.ts';
import { toValidationError } from '../first-fault.ts';
import { inCamelCase } from './gemini-names.ts';
import {
  type GeminiContent,
  type GeminiPart,
  type GeminiRequest,
  geminiRequestSchema,
} from './gemini-request-schema.ts';

/** A request as it was sent, and as it is read: with names in one spelling. */
export interface GeminiBody {
  readonly sent: Readonly<Record<string, unknown>>;
  readonly read: GeminiRequest;
}

const KNOWN = new Set(['contents', 'systemInstruction', 'tools', 'toolConfig', 'generationConfig']);
const KNOWN_SETTINGS = new Set(['temperature', 'topP', 'candidateCount', 'maxOutputTokens', 'stopSequences']);

/** Checks a body of generateContent. @throws GatewayError that names the field */
export function checkGeminiRequest(document: JsonDocument): GeminiBody {
  const value = inCamelCase(document.value);
  const result = geminiRequestSchema.safeParse(value);
  if (!result.success) throw toValidationError(result.error, value);
  return { sent: document.value as GeminiBody['sent'], read: result.data };
}

/** The request in the gateway's own model; what that has no place for is in `extra` under its path. */
export function toChatRequest({ read }: GeminiBody, model: string, stream: boolean): ChatRequest {
  const extra: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(read)) if (!KNOWN.has(name)) extra[name] = value;
  const { generationConfig: settings = {} } = read;
  for (const [name, value] of Object.entries(settings)) {
    if (!KNOWN_SETTINGS.has(name)) extra[`generationConfig.${name}`] = value;
  }
  const tools = (read.tools ?? []).flatMap(({ functionDeclarations = [], ...rest }, at): ToolDefinition[] => {
    for (const [name, value] of Object.entries(rest)) extra[`tools[${at}].${name}`] = value;
    return functionDeclarations.map(toTool);
  });
  const { parts: prompt = [] } = read.systemInstruction ?? {};
  const system = prompt.flatMap((part, at) => toParts(part, `systemInstruction.parts[${at}]`, extra));
  const calls = new CallNames();
  const messages = read.contents.flatMap((content, at) => toMessages(content, `contents[${at}]`, calls, extra));
  const toolChoice = toToolChoice(read.toolConfig?.functionCallingConfig, extra);
  return {
    model,
    messages: [...(system.length > 0 ? [{ role: 'system' as const, parts: system }] : []), ...messages],
    stream,
    includeUsage: true,
    choiceCount: settings.candidateCount ?? 1,
    extra,
    ...(tools.length > 0 && { tools }),
    ...(toolChoice !== undefined && { toolChoice }),
    ...(settings.maxOutputTokens !== undefined && { maxOutputTokens: settings.maxOutputTokens }),
    ...(settings.temperature !== undefined && { temperature: settings.temperature }),
    ...(settings.topP !== undefined && { topP: settings.topP }),
    ...(settings.stopSequences && settings.stopSequences.length > 0 && { stop: settings.stopSequences }),
  };
}

/** Ids for calls that have none: a result belongs to the oldest open call of its name. */
class CallNames {
  private made = 0;
  private readonly open = new Map<string, string[]>();

  called(name: string): string {
    this.made += 1;
    const id = `call_${this.made}`;
    this.open.set(name, [...(this.open.get(name) ?? []), id]);
    return id;
  }

  answered(name: string): string {
    return this.open.get(name)?.shift() ?? this.called(name);
  }
}

function toMessages(
  { role, parts }: GeminiContent,
  path: string,
  calls: CallNames,
  extra: Record<string, unknown>,
): ChatMessage[] {
  const results: ChatMessage[] = [];
  const said: ContentPart[] = [];
  const toolCalls: ToolCall[] = [];
  for (const [at, part] of parts.entries()) {
    if (part.functionCall) {
      const { name, args = {}, id } = part.functionCall;
      toolCalls.push({ id: id ?? calls.called(name), name, arguments: JSON.stringify(args) });
    } else if (part.functionResponse) {
      const { name, response, id } = part.functionResponse;
      const text = JSON.stringify(response);
      results.push({ role: 'tool', parts: [{ type: 'text', text }], toolCallId: id ?? calls.answered(name) });
    } else said.push(...toParts(part, `${path}.parts[${at}]`, extra));
  }
  if (said.length === 0 && toolCalls.length === 0) return results;
  const own = role === 'model' ? ('assistant' as const) : ('user' as const);
  return [...results, { role: own, parts: said, ...(toolCalls.length > 0 && { toolCalls }) }];
}

function toParts(part: GeminiPart, path: string, extra: Record<string, unknown>): ContentPart[] {
  const { text, thought, inlineData, fileData } = part;
  if (text !== undefined && thought !== true) return [{ type: 'text', text }];
  if (inlineData) {
    const { mimeType, data } = inlineData;
    const url = `data:${mimeType};base64,${data}`;
    if (mimeType.startsWith('image/')) return [{ type: 'image', url }];
    if (mimeType.startsWith('audio/')) return [{ type: 'audio', data, format: mimeType.slice('audio/'.length) }];
    return [{ type: 'file', filename: 'file', data: url }];
  }
  if (fileData?.fileUri.startsWith('https://') && fileData.mimeType?.startsWith('image/')) {
    return [{ type: 'image', url: fileData.fileUri }];
  }
  extra[path] = part;
  return [];
}

function toTool({
  name,
  description,
  parameters,
  parametersJsonSchema,
}: { name: string; description?: string | undefined } & Record<string, unknown>): ToolDefinition {
  const schema = (parametersJsonSchema ?? parameters) as Record<string, unknown> | undefined;
  return {
    name,
    ...(description && { description }),
    ...(schema && { parameters: lowerTypes(schema) as Record<string, unknown> }),
  };
}

/** Google writes the types of a schema in capitals: `OBJECT`. */
function lowerTypes(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(lowerTypes);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [
      name,
      name === 'type' && typeof value === 'string' ? value.toLowerCase() : lowerTypes(value),
    ]),
  );
}

function toToolChoice(
  config: NonNullable<GeminiRequest['toolConfig']>['functionCallingConfig'],
  extra: Record<string, unknown>,
): ToolChoice | undefined {
  const { mode, allowedFunctionNames: names = [] } = config ?? {};
  if (names.length > 1) extra['toolConfig.functionCallingConfig.allowedFunctionNames'] = names;
  if (mode === 'ANY') return names.length === 1 ? { name: names[0] as string } : 'required';
  if (mode === 'NONE') return 'none';
  return mode === 'AUTO' ? 'auto' : undefined;
}
