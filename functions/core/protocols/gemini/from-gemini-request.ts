import type { JsonDocument } from '../../base/json-document.ts';
import type { ChatMessage, ChatRequest, ContentPart, ToolCall, ToolChoice, ToolDefinition } from '../../model/chat.ts';
import { checkBody, namesByPlace, noteUnplaced, type Unplaced } from '../bodies/request-body.ts';
import { GEMINI_PLACES, inCamelCase } from './gemini-names.ts';
import { type GeminiContent, type GeminiPart, type GeminiRequest, geminiRequestSchema } from './gemini-schema.ts';

/** The original request, and a copy with member names in one spelling. */
export interface GeminiBody {
  readonly sent: Readonly<Record<string, unknown>>;
  readonly read: GeminiRequest;
}

/** Members that `ChatRequest` can represent, by place; all others go to `extra`. */
const PLACED = namesByPlace({
  request: 'contents systemInstruction tools toolConfig generationConfig',
  settings: 'temperature topP candidateCount maxOutputTokens stopSequences',
  // Google ignores the role of a system instruction.
  system: 'role parts',
  content: 'role parts',
  // A signature proves reasoning to the model that wrote it; other models cannot use it.
  text: 'text thought thoughtSignature',
  inlineData: 'mimeType data',
  image: 'inlineData fileData thoughtSignature',
  fileData: 'fileUri mimeType',
  call: 'functionCall thoughtSignature',
  functionCall: 'name args id',
  result: 'functionResponse',
  functionResponse: 'name response id',
  tool: 'functionDeclarations',
  declaration: 'name description parameters parametersJsonSchema',
  toolConfig: 'functionCallingConfig',
  calling: 'mode allowedFunctionNames',
});
const MODES = new Set(['AUTO', 'ANY', 'NONE', 'MODE_UNSPECIFIED']);
const ROLES = new Set([undefined, 'user', 'model', 'function']);

/** Checks a body of generateContent. @throws GatewayError that names the field */
export function checkGeminiRequest(document: JsonDocument): GeminiBody {
  const read = checkBody(geminiRequestSchema, { value: inCamelCase(document.value) }, GEMINI_PLACES);
  return { sent: document.value as GeminiBody['sent'], read };
}

/** Converts the request to `ChatRequest`. Members that it cannot represent go to `extra` under their path. */
export function fromGeminiRequest({ read }: GeminiBody, model: string, stream: boolean): ChatRequest {
  const extra: Unplaced = {};
  const { generationConfig: settings = {}, toolConfig = {}, systemInstruction = { parts: [] } } = read;
  noteUnplaced(read, PLACED.request, '', extra);
  noteUnplaced(settings, PLACED.settings, 'generationConfig', extra);
  noteUnplaced(toolConfig, PLACED.toolConfig, 'toolConfig', extra);
  noteUnplaced(systemInstruction, PLACED.system, 'systemInstruction', extra);
  const tools = (read.tools ?? []).flatMap((tool, at): ToolDefinition[] => {
    noteUnplaced(tool, PLACED.tool, `tools[${at}]`, extra);
    return (tool.functionDeclarations ?? []).map((one, index) => {
      noteUnplaced(one, PLACED.declaration, `tools[${at}].functionDeclarations[${index}]`, extra);
      return toTool(one);
    });
  });
  const { parts: prompt } = systemInstruction;
  const system = prompt.flatMap((part, at) => toParts(part, `systemInstruction.parts[${at}]`, extra));
  const calls = new CallNames();
  const messages = read.contents.flatMap((content, at) => toMessages(content, `contents[${at}]`, calls, extra));
  const toolChoice = toToolChoice(toolConfig.functionCallingConfig, extra);
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

/** Creates ids for calls without one. A result belongs to the oldest open call of its name. */
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

function toMessages(content: GeminiContent, path: string, calls: CallNames, extra: Unplaced): ChatMessage[] {
  const { role, parts } = content;
  noteUnplaced(content, PLACED.content, path, extra);
  if (!ROLES.has(role)) extra[`${path}.role`] = role;
  const results: ChatMessage[] = [];
  const own: ContentPart[] = [];
  const toolCalls: ToolCall[] = [];
  for (const [at, part] of parts.entries()) {
    const place = `${path}.parts[${at}]`;
    if (part.functionCall && role === 'model') {
      const { name, args = {}, id } = part.functionCall;
      noteUnplaced(part, PLACED.call, place, extra);
      noteUnplaced(part.functionCall, PLACED.functionCall, `${place}.functionCall`, extra);
      toolCalls.push({ id: id ?? calls.called(name), name, arguments: JSON.stringify(args) });
    } else if (part.functionResponse) {
      const { name, response, id } = part.functionResponse;
      noteUnplaced(part, PLACED.result, place, extra);
      noteUnplaced(part.functionResponse, PLACED.functionResponse, `${place}.functionResponse`, extra);
      const text = JSON.stringify(response);
      results.push({ role: 'tool', parts: [{ type: 'text', text }], toolCallId: id ?? calls.answered(name) });
    } else own.push(...toParts(part, place, extra));
  }
  if (own.length === 0 && toolCalls.length === 0) return results;
  const author = role === 'model' ? ('assistant' as const) : ('user' as const);
  return [...results, { role: author, parts: own, ...(toolCalls.length > 0 && { toolCalls }) }];
}

function toParts(part: GeminiPart, path: string, extra: Unplaced): ContentPart[] {
  const { text, thought, inlineData, fileData } = part;
  if (text !== undefined && thought !== true) {
    noteUnplaced(part, PLACED.text, path, extra);
    return [{ type: 'text', text }];
  }
  if (inlineData) {
    const { mimeType, data } = inlineData;
    noteUnplaced(part, PLACED.image, path, extra);
    noteUnplaced(inlineData, PLACED.inlineData, `${path}.inlineData`, extra);
    const url = `data:${mimeType};base64,${data}`;
    if (mimeType.startsWith('image/')) return [{ type: 'image', url }];
    if (mimeType.startsWith('audio/')) return [{ type: 'audio', data, format: mimeType.slice('audio/'.length) }];
    return [{ type: 'file', filename: 'file', data: url }];
  }
  if (fileData?.fileUri.startsWith('https://') && fileData.mimeType?.startsWith('image/')) {
    noteUnplaced(part, PLACED.image, path, extra);
    noteUnplaced(fileData, PLACED.fileData, `${path}.fileData`, extra);
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

/** Google writes schema types in capitals: `OBJECT`. */
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
  extra: Unplaced,
): ToolChoice | undefined {
  const { mode, allowedFunctionNames: names = [] } = config ?? {};
  const path = 'toolConfig.functionCallingConfig';
  if (config) noteUnplaced(config, PLACED.calling, path, extra);
  // `ChatRequest` can require one function, but cannot limit the choice to several.
  if (names.length > (mode === 'ANY' ? 1 : 0)) extra[`${path}.allowedFunctionNames`] = names;
  if (mode !== undefined && !MODES.has(mode)) extra[`${path}.mode`] = mode;
  if (mode === 'ANY') return names.length === 1 ? { name: names[0] as string } : 'required';
  if (mode === 'NONE') return 'none';
  return mode === 'AUTO' ? 'auto' : undefined;
}
