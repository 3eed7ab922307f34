import { isObject, type JsonDocument } from '../../../kernel/json/index.ts';
import type {
  ChatMessage,
  ChatRequest,
  ContentPart,
  Effort,
  OtherField,
  Thinking,
  ToolCall,
  ToolChoice,
  ToolDefinition,
} from '../../../kernel/model/index.ts';
import { type Defaults, fieldTable, noteOthers } from '../bodies/field-table.ts';
import { checkBody } from '../bodies/request-body.ts';
import { GEMINI_PLACES, inCamelCase } from './gemini-names.ts';
import {
  type GeminiContent,
  type GeminiPart,
  type GeminiRequest,
  geminiRequestSchema,
  mediaPartSchema,
} from './gemini-schema.ts';

/** The original request, and a copy with member names in one spelling. */
export interface GeminiBody {
  readonly sent: Readonly<Record<string, unknown>>;
  readonly read: GeminiRequest;
}

/** The fields of a request, by kind of object. */
export const GEMINI_FIELDS = fieldTable({
  request: {
    read: 'contents systemInstruction tools toolConfig generationConfig',
    no_effect: 'svc model',
    service_tier: 'serviceTier',
    hint: 'labels safetySettings store',
    essential: 'cachedContent',
  },
  generationConfig: {
    read: 'temperature topP candidateCount maxOutputTokens stopSequences responseMimeType responseSchema responseJsonSchema thinkingConfig',
    top_k: 'topK',
    seed: 'seed',
    presence_penalty: 'presencePenalty',
    frequency_penalty: 'frequencyPenalty',
    hint: 'audioTimestamp enableAffectiveDialog enableEnhancedCivicAnswers mediaResolution',
    essential: 'imageConfig logprobs responseLogprobs responseModalities speechConfig',
  },
  thinkingConfig: { read: 'thinkingBudget thinkingLevel', hint: 'includeThoughts' },
  // Google ignores the role of a system instruction.
  systemInstruction: { read: 'role parts' },
  content: { read: 'role parts' },
  // A signature proves reasoning to the model that wrote it; other models cannot use it.
  text: { read: 'text', no_effect: 'thought thoughtSignature' },
  media: { read: 'inlineData fileData', no_effect: 'thoughtSignature', hint: 'mediaResolution videoMetadata' },
  inlineData: { read: 'mimeType data', hint: 'displayName' },
  fileData: { read: 'fileUri mimeType', hint: 'displayName' },
  call: { read: 'functionCall', no_effect: 'thought thoughtSignature' },
  functionCall: { read: 'name args id' },
  result: { read: 'functionResponse', no_effect: 'thoughtSignature' },
  functionResponse: { read: 'name response id parts', hint: 'scheduling willContinue' },
  tool: {
    read: 'functionDeclarations',
    hint: 'codeExecution googleMaps googleSearch googleSearchRetrieval urlContext',
    essential: 'computerUse fileSearch mcpServers',
  },
  declaration: {
    read: 'name description parameters parametersJsonSchema',
    hint: 'behavior response responseJsonSchema',
  },
  toolConfig: { read: 'functionCallingConfig', hint: 'includeServerSideToolInvocations retrievalConfig' },
  functionCallingConfig: { read: 'mode allowedFunctionNames', hint: 'streamFunctionCallArguments' },
});
/** Values that hold without the field too. */
const DEFAULTS: Defaults = {
  presencePenalty: (value) => value === 0,
  frequencyPenalty: (value) => value === 0,
  responseLogprobs: (value) => value === false,
  responseModalities: (value) => Array.isArray(value) && value.every((one) => one === 'TEXT'),
  includeThoughts: (value) => value === false,
};
/** https://ai.google.dev/api/generate-content#ThinkingConfig */
const LEVELS: ReadonlyMap<unknown, Effort> = new Map<unknown, Effort>([
  ['MINIMAL', 'minimal'],
  ['LOW', 'low'],
  ['MEDIUM', 'medium'],
  ['HIGH', 'high'],
]);
const MODES = new Set(['AUTO', 'ANY', 'NONE', 'VALIDATED', 'MODE_UNSPECIFIED']);
const ROLES = new Set([undefined, 'user', 'model', 'function']);

/** Checks a body of generateContent. @throws GatewayError that names the field */
export function checkGeminiRequest(document: JsonDocument): GeminiBody {
  const read = checkBody(geminiRequestSchema, { value: inCamelCase(document.value) }, GEMINI_PLACES);
  return { sent: document.value as GeminiBody['sent'], read };
}

/** Converts the request to `ChatRequest`. */
export function fromGeminiRequest({ read }: GeminiBody, model: string, stream: boolean): ChatRequest {
  const reader = new GeminiReader();
  const { generationConfig: settings = {}, toolConfig = {}, systemInstruction } = read;
  reader.note(read, 'request', '');
  reader.readSettings(settings);
  reader.note(toolConfig, 'toolConfig', 'toolConfig');
  const { allowedFunctionNames: allowed = [] } = toolConfig.functionCallingConfig ?? {};
  const declared = (read.tools ?? []).flatMap((tool, at) => reader.readTools(tool, `tools[${at}]`));
  // `ChatRequest` can require one function; a choice of several is what is left of the tools.
  const tools = allowed.length === 0 ? declared : declared.filter(({ name }) => allowed.includes(name));
  if (systemInstruction !== undefined) reader.readSystem(systemInstruction);
  for (const [at, content] of read.contents.entries()) reader.readContent(content, `contents[${at}]`);
  const toolChoice = reader.readToolChoice(toolConfig.functionCallingConfig);
  const { messages, others, callersNames } = reader;
  return {
    model,
    messages,
    stream,
    includeUsage: true,
    choiceCount: settings.candidateCount ?? 1,
    others,
    callersNames,
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

/** Reads a request part by part. */
class GeminiReader {
  readonly messages: ChatMessage[] = [];
  readonly others: OtherField[] = [];
  readonly callersNames: Record<string, string> = {
    messages: 'contents',
    tool_choice: 'toolConfig.functionCallingConfig.mode',
    n: 'generationConfig.candidateCount',
    temperature: 'generationConfig.temperature',
    top_p: 'generationConfig.topP',
  };
  private readonly calls = new CallNames();

  note(object: object, kind: keyof typeof GEMINI_FIELDS, path: string): void {
    noteOthers(object, GEMINI_FIELDS[kind], path, this.others, DEFAULTS);
  }

  readSettings(settings: NonNullable<GeminiRequest['generationConfig']>): void {
    const path = 'generationConfig';
    this.note(settings, 'generationConfig', path);
    const { responseMimeType: type, responseSchema, responseJsonSchema, thinkingConfig } = settings;
    const schema = responseJsonSchema ?? (responseSchema === undefined ? undefined : lowerTypes(responseSchema));
    if (type !== undefined && type !== 'text/plain' && type !== 'application/json') {
      this.others.push({ path: `${path}.responseMimeType`, meaning: 'essential', value: type });
    } else if (type === 'application/json' || schema !== undefined) {
      const place = responseJsonSchema ? 'responseJsonSchema' : schema ? 'responseSchema' : 'responseMimeType';
      const value = schema === undefined ? {} : { schema };
      this.others.push({ path: `${path}.${place}`, meaning: 'response_format', value });
    }
    if (isObject(thinkingConfig)) {
      this.note(thinkingConfig, 'thinkingConfig', `${path}.thinkingConfig`);
      const value = toThinking(thinkingConfig);
      if (value !== undefined) this.others.push({ path: `${path}.thinkingConfig`, meaning: 'thinking', value });
    }
  }

  readTools(tool: NonNullable<GeminiRequest['tools']>[number], path: string): ToolDefinition[] {
    this.note(tool, 'tool', path);
    return (tool.functionDeclarations ?? []).map((one, index) => {
      this.note(one, 'declaration', `${path}.functionDeclarations[${index}]`);
      return toTool(one);
    });
  }

  readSystem(instruction: NonNullable<GeminiRequest['systemInstruction']>): void {
    this.note(instruction, 'systemInstruction', 'systemInstruction');
    const path = 'systemInstruction.parts';
    const read = instruction.parts.flatMap((part, at) => this.readPart(part, `${path}[${at}]`));
    if (read.length > 0) this.add({ role: 'system', parts: [] }, 'systemInstruction', read);
  }

  readContent(content: GeminiContent, path: string): void {
    const { role, parts } = content;
    this.note(content, 'content', path);
    if (!ROLES.has(role)) this.others.push({ path: `${path}.role`, meaning: 'essential', value: role });
    const own: ReadPart[] = [];
    const toolCalls: ToolCall[] = [];
    const callPaths: string[] = [];
    const thoughts: ReadThought[] = [];
    for (const [at, part] of parts.entries()) {
      const place = `${path}.parts[${at}]`;
      if (part.functionCall && role === 'model') {
        const { name, args = {}, id } = part.functionCall;
        this.note(part, 'call', place);
        this.note(part.functionCall, 'functionCall', `${place}.functionCall`);
        toolCalls.push({ id: id ?? this.calls.called(name), name, arguments: JSON.stringify(args) });
        callPaths.push(`${place}.functionCall.args`);
      } else if (part.functionResponse) this.readResult(part, part.functionResponse, place);
      else if (role === 'model' && isUnsignedThought(part)) {
        this.note(part, 'text', place);
        thoughts.push({ text: part.text, path: place });
      } else own.push(...this.readPart(part, place));
    }
    if (own.length === 0 && toolCalls.length === 0) {
      for (const { text, path: place } of thoughts) this.others.push({ path: place, meaning: 'hint', value: text });
      return;
    }
    const author = role === 'model' ? ('assistant' as const) : ('user' as const);
    const [thought] = thoughts;
    if (thought !== undefined) this.callersNames[`messages[${this.messages.length}].reasoning`] = thought.path;
    for (const [index, callPath] of callPaths.entries())
      this.callersNames[`messages[${this.messages.length}].tool_calls[${index}].function.arguments`] = callPath;
    const reasoning = thoughts.map(({ text }) => text).join('');
    const message = {
      ...(reasoning !== '' && { reasoning }),
      ...(toolCalls.length > 0 && { toolCalls }),
    };
    this.add({ role: author, parts: [], ...message }, path, own);
  }

  readToolChoice(config: NonNullable<GeminiRequest['toolConfig']>['functionCallingConfig']): ToolChoice | undefined {
    const { mode, allowedFunctionNames: names = [] } = config ?? {};
    const path = 'toolConfig.functionCallingConfig';
    if (config) this.note(config, 'functionCallingConfig', path);
    if (mode !== undefined && !MODES.has(mode)) {
      this.others.push({ path: `${path}.mode`, meaning: 'essential', value: mode });
    }
    if (mode === 'ANY') return names.length === 1 ? { name: names[0] as string } : 'required';
    if (mode === 'NONE') return 'none';
    return mode === 'AUTO' || mode === 'VALIDATED' ? 'auto' : undefined;
  }

  private readResult(part: GeminiPart, result: NonNullable<GeminiPart['functionResponse']>, path: string): void {
    const { name, response, id, parts: media = [] } = result;
    this.note(part, 'result', path);
    this.note(result, 'functionResponse', `${path}.functionResponse`);
    const text = { part: { type: 'text', text: JSON.stringify(response) }, path } as const;
    const read = media.flatMap((one, at) => this.readResultMedia(one, `${path}.functionResponse.parts[${at}]`));
    this.callersNames[`messages[${this.messages.length}].tool_call_id`] = `${path}.functionResponse`;
    this.add({ role: 'tool', parts: [], toolCallId: id ?? this.calls.answered(name) }, path, [text, ...read]);
  }

  private readResultMedia(media: object, path: string): ReadPart[] {
    const { success, data } = mediaPartSchema.safeParse(media);
    if (success) return this.readPart(data as GeminiPart, path);
    this.others.push({ path, meaning: 'essential', value: media });
    return [];
  }

  private add(message: ChatMessage, path: string, read: readonly ReadPart[]): void {
    const place = `messages[${this.messages.length}]`;
    this.callersNames[place] = path;
    if (message.role !== 'tool') this.callersNames[`${place}.content`] = `${path}.parts`;
    for (const [at, { path: from }] of read.entries()) {
      // Most parts have the same index in both, and a body may have 100,000.
      if (from !== `${path}.parts[${at}]`) this.callersNames[`${place}.content[${at}]`] = from;
    }
    this.messages.push({ ...message, parts: read.map(({ part }) => part) });
  }

  private readPart(part: GeminiPart, path: string): ReadPart[] {
    const { text, thought, inlineData, fileData } = part;
    if (text !== undefined && thought !== true) {
      this.note(part, 'text', path);
      return [{ part: { type: 'text', text }, path }];
    }
    if (inlineData) {
      this.note(part, 'media', path);
      this.note(inlineData, 'inlineData', `${path}.inlineData`);
      return [{ part: toMedia(inlineData), path }];
    }
    if (fileData?.fileUri.startsWith('https://') && fileData.mimeType?.startsWith('image/')) {
      this.note(part, 'media', path);
      this.note(fileData, 'fileData', `${path}.fileData`);
      return [{ part: { type: 'image', url: fileData.fileUri }, path }];
    }
    // A signed thought of an earlier response; only its model can continue it.
    this.others.push({ path, meaning: text !== undefined ? 'hint' : 'essential', value: part });
    return [];
  }
}

interface ReadThought {
  readonly text: string;
  readonly path: string;
}

/** Whether it is reasoning as the gateway returns it of models that sign none, or a summary by Google's. */
function isUnsignedThought(part: GeminiPart): part is GeminiPart & { readonly text: string } {
  const { thoughtSignature: signature } = part as { readonly thoughtSignature?: unknown };
  return part.thought === true && part.text !== undefined && !signature;
}

/** A part, and where the caller wrote it. */
interface ReadPart {
  readonly part: ContentPart;
  readonly path: string;
}

export function toMedia({ mimeType, data }: NonNullable<GeminiPart['inlineData']>): ContentPart {
  const url = `data:${mimeType};base64,${data}`;
  if (mimeType.startsWith('image/')) return { type: 'image', url };
  if (mimeType.startsWith('audio/')) return { type: 'audio', data, format: mimeType.slice('audio/'.length) };
  return { type: 'file', filename: 'file', data: url };
}

/** undefined where the request leaves it to the model. A negative budget does, too. */
function toThinking({ thinkingBudget: budget, thinkingLevel }: Record<string, unknown>): Thinking | undefined {
  const effort = LEVELS.get(String(thinkingLevel).toUpperCase());
  if (effort !== undefined) return { effort };
  return typeof budget === 'number' && budget >= 0 ? { budget } : undefined;
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
