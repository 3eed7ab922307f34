import { GatewayError } from '../../../kernel/errors/index.ts';
import { isObject, readObject } from '../../../kernel/json/index.ts';
import type { Steps } from '../../../kernel/tasks/index.ts';
import type { DroppedField, OpenedRequest } from '../protocol.ts';
import { headersForBetas, NO_LATENCY, NO_METADATA, NO_TIER, refuseGuardrail } from './bedrock-envelope.ts';
import { AT_ONCE } from './check-converse.ts';
import type {
  ConverseBody,
  ConverseContent,
  ConverseDocument,
  ConverseImage,
  ConverseSearchResult,
  GuardContent,
  ResultContent,
} from './converse-schema.ts';

/** If a request has no limit: a length that every model supports. */
const DEFAULT_MAX_TOKENS = 4_096;
/** Members of the Messages API that Converse has in another place, or whose results it cannot return. */
const NOT_ADDITIONAL: ReadonlySet<string> = new Set(
  'model messages system stream tools max_tokens temperature top_p stop_sequences mcp_servers container thread'.split(
    ' ',
  ),
);
const OFFICE = 'application/vnd.openxmlformats-officedocument';
/** Formats whose bytes are no text. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  doc: 'application/msword',
  docx: `${OFFICE}.wordprocessingml.document`,
  xls: 'application/vnd.ms-excel',
  xlsx: `${OFFICE}.spreadsheetml.sheet`,
};
const UTF8 = new TextDecoder('utf-8', { fatal: true });

type Json = Record<string, unknown>;

/** A body of Converse as one of the Messages API, made in steps. @throws GatewayError that names a field without an equivalent */
export function* fromConverseBody(
  body: ConverseBody,
  model: string,
  stream: boolean,
): Steps<{ readonly body: Json } & Pick<OpenedRequest, 'headers' | 'dropped'>> {
  const reader = new ConverseReader();
  const { inferenceConfig: { maxTokens, temperature, topP, stopSequences } = {}, toolConfig, outputConfig } = body;
  reader.readSettings(body);
  const { anthropic_beta: betas, ...additional } = body.additionalModelRequestFields ?? {};
  const system = body.system && (yield* reader.readBlocks(body.system, 'system'));
  const messages: Json[] = [];
  for (const [at, { role, content }] of body.messages.entries()) {
    messages.push({ role, content: yield* reader.readBlocks(content, `messages[${at}].content`) });
    if (at % AT_ONCE === AT_ONCE - 1) yield;
  }
  const read: Json = {
    model,
    max_tokens: maxTokens ?? DEFAULT_MAX_TOKENS,
    ...(stream && { stream }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(stopSequences !== undefined && { stop_sequences: stopSequences }),
    ...(system !== undefined && system.length > 0 && { system }),
    messages,
    ...(toolConfig && reader.readTools(toolConfig)),
    ...(outputConfig && { output_config: reader.readOutput(outputConfig) }),
  };
  for (const [name, value] of Object.entries(additional)) {
    const field = `additionalModelRequestFields.${name}`;
    if (Object.hasOwn(read, name) || NOT_ADDITIONAL.has(name)) throw unsupported(field, 'Converse has its own field');
    Object.defineProperty(read, name, { value, writable: true, enumerable: true, configurable: true });
  }
  return {
    body: read,
    ...headersForBetas(betas, 'additionalModelRequestFields.anthropic_beta'),
    dropped: reader.dropped,
  };
}

function unsupported(param: string, reason: string): GatewayError {
  return new GatewayError('invalid_value', `The field ${param} is not supported: ${reason}.`, { param });
}

class ConverseReader {
  readonly dropped: DroppedField[] = [];

  /** Settings of Amazon Bedrock alone. */
  readSettings(body: ConverseBody): void {
    if (body.guardrailConfig !== undefined) refuseGuardrail('guardrailConfig');
    if (body.promptVariables !== undefined) {
      throw unsupported('promptVariables', 'prompts that AWS keeps are not inspected. Send the messages');
    }
    if (body.requestMetadata !== undefined) this.drop('requestMetadata', NO_METADATA);
    if (body.performanceConfig?.latency === 'optimized') this.drop('performanceConfig', NO_LATENCY);
    if ((body.serviceTier?.type ?? 'default') !== 'default') this.drop('serviceTier', NO_TIER);
    if (body.additionalModelResponseFieldPaths?.length) {
      this.drop('additionalModelResponseFieldPaths', 'a response has `svc` as its only additional field');
    }
  }

  /** Blocks of the Messages API, with each cache point as the `cache_control` of the block before it. */
  *readBlocks(blocks: readonly ConverseContent[], path: string): Steps<Json[]> {
    const read: Json[] = [];
    for (const [at, block] of blocks.entries()) {
      if (at % AT_ONCE === AT_ONCE - 1) yield;
      if (block.cachePoint === undefined) read.push(...(yield* this.readBlock(block, `${path}[${at}]`)));
      else this.markCache(read.at(-1), block.cachePoint, `${path}[${at}]`);
    }
    return read;
  }

  readTools({ tools, toolChoice }: NonNullable<ConverseBody['toolConfig']>): Json {
    const read: Json[] = [];
    for (const [at, { toolSpec, cachePoint }] of tools.entries()) {
      if (toolSpec !== undefined) {
        const { inputSchema, ...rest } = toolSpec;
        read.push({ ...rest, input_schema: inputSchema.json });
      } else if (cachePoint !== undefined) this.markCache(read.at(-1), cachePoint, `toolConfig.tools[${at}]`);
    }
    return { tools: read, ...(toolChoice && { tool_choice: toChoice(toolChoice) }) };
  }

  readOutput({ textFormat, effort }: NonNullable<ConverseBody['outputConfig']>): Json {
    const { schema, ...others } = textFormat?.structure.jsonSchema ?? {};
    for (const name of Object.keys(others)) {
      this.drop(`outputConfig.textFormat.structure.jsonSchema.${name}`, 'models get the schema alone');
    }
    const format = schema !== undefined && { format: { type: 'json_schema', schema: readSchema(schema) } };
    return { ...(effort !== undefined && { effort }), ...format };
  }

  private *readBlock(block: ConverseContent, path: string): Steps<Json[]> {
    const { text, guardContent, toolUse, toolResult, reasoningContent, citationsContent } = block;
    if (text !== undefined) return [toText(text)];
    if (guardContent !== undefined) return [this.readGuarded(guardContent, path)];
    if (toolUse !== undefined) {
      const { toolUseId: id, name, input } = toolUse;
      return [{ type: 'tool_use', id, name, input }];
    }
    if (toolResult !== undefined) {
      const { toolUseId, content, status } = toolResult;
      const read: Json[] = [];
      for (const [at, part] of content.entries()) {
        if (at % AT_ONCE === AT_ONCE - 1) yield;
        read.push(toResultPart(part));
      }
      const isError = status === 'error' && { is_error: true };
      return [{ type: 'tool_result', tool_use_id: toolUseId, content: read, ...isError }];
    }
    if (reasoningContent !== undefined) return [toThinking(reasoningContent, path)];
    if (citationsContent !== undefined) {
      const { content, citations = [] } = citationsContent;
      if (citations.length > 0) this.drop(`${path}.citationsContent.citations`, 'models get the text alone');
      return content.map((cited) => toText(cited.text));
    }
    return [toFile(block)];
  }

  private readGuarded({ text, image }: GuardContent, path: string): Json {
    this.drop(`${path}.guardContent`, 'the gateway inspects all content: this is sent as any other');
    return image === undefined ? toText(text?.text ?? '') : toImage(image);
  }

  private markCache(last: Json | undefined, { ttl }: NonNullable<ConverseContent['cachePoint']>, path: string): void {
    if (last === undefined) this.drop(path, 'a cache point needs content before it');
    else last.cache_control = { type: 'ephemeral', ...(ttl && { ttl }) };
  }

  private drop(field: string, reason: string): void {
    this.dropped.push({ field, reason });
  }
}

function toText(text: string): Json {
  return { type: 'text', text };
}

function toResultPart(part: ResultContent): Json {
  if (part.text !== undefined) return toText(part.text);
  return part.json === undefined ? toFile(part) : toText(JSON.stringify(part.json));
}

function toFile(part: {
  readonly image?: ConverseImage | undefined;
  readonly document?: ConverseDocument | undefined;
  readonly searchResult?: ConverseSearchResult | undefined;
}): Json {
  if (part.image !== undefined) return toImage(part.image);
  if (part.document !== undefined) return toDocument(part.document);
  const { source, title, content, citations } = part.searchResult as ConverseSearchResult;
  return {
    ...{ type: 'search_result', source, title, content: content.map(({ text }) => toText(text)) },
    ...(citations && { citations }),
  };
}

function toImage({ format, source }: ConverseImage): Json {
  return { type: 'image', source: { type: 'base64', media_type: `image/${format}`, data: source.bytes } };
}

function toDocument({ format, name, source, context, citations }: ConverseDocument): Json {
  const more = { ...(context !== undefined && { context }), ...(citations && { citations }) };
  return { type: 'document', title: name, source: toSource(source, format), ...more };
}

function toSource(source: ConverseDocument['source'], format: ConverseDocument['format']): Json {
  if ('content' in source) return { type: 'content', content: source.content.map(({ text }) => toText(text)) };
  if ('text' in source) return { type: 'text', media_type: 'text/plain', data: source.text };
  const media_type = MEDIA_TYPES[format ?? ''];
  if (media_type !== undefined) return { type: 'base64', media_type, data: source.bytes };
  return { type: 'text', media_type: 'text/plain', data: decode(source.bytes, 'document') };
}

function decode(base64: string, param: string): string {
  try {
    return UTF8.decode(Buffer.from(base64, 'base64'));
  } catch {
    throw unsupported(param, 'its bytes must be UTF-8 text');
  }
}

function toThinking(
  { reasoningText, redactedContent = '' }: NonNullable<ConverseContent['reasoningContent']>,
  path: string,
): Json {
  if (reasoningText !== undefined) {
    const { text: thinking, signature = '' } = reasoningText;
    return { type: 'thinking', thinking, signature };
  }
  return { type: 'redacted_thinking', data: decode(redactedContent, `${path}.reasoningContent.redactedContent`) };
}

function toChoice({ any, tool }: NonNullable<NonNullable<ConverseBody['toolConfig']>['toolChoice']>): Json {
  if (tool !== undefined) return { type: 'tool', name: tool.name };
  return { type: any === undefined ? 'auto' : 'any' };
}

function readSchema(text: string): Json {
  const schema = readObject(text);
  if (isObject(schema)) return schema;
  throw unsupported('outputConfig.textFormat.structure.jsonSchema.schema', 'it must be the JSON of a schema');
}
