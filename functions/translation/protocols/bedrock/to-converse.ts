import { isObject } from '../../../kernel/json/index.ts';
import { eventFrame } from './event-frames.ts';

type Json = Record<string, unknown>;

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html#API_runtime_Converse_ResponseSyntax */
const REASONS: ReadonlySet<unknown> = new Set([
  'end_turn',
  'tool_use',
  'max_tokens',
  'stop_sequence',
  'model_context_window_exceeded',
]);

/** A whole message of the Messages API as a response of Converse. `svc` is where SDKs show members that they do not know. */
export function toConverseResponse(json: string, latencyMs: number): string {
  const { content, stop_reason: reason, usage, svc } = JSON.parse(json) as Json;
  const blocks = Array.isArray(content) ? content.filter(isObject) : [];
  return JSON.stringify({
    output: { message: { role: 'assistant', content: blocks.flatMap(toBlock) } },
    stopReason: toStopReason(reason, svc),
    usage: toUsage(isObject(usage) ? usage : {}),
    metrics: { latencyMs: Math.round(latencyMs) },
    ...additional(svc),
  });
}

function additional(svc: unknown): object {
  return svc === undefined ? {} : { additionalModelResponseFields: { svc } };
}

/** Bedrock's word for what the gateway has cut is that of its guardrails. */
function toStopReason(reason: unknown, svc: unknown): string {
  if (REASONS.has(reason)) return reason as string;
  if (reason !== 'refusal') return 'end_turn';
  return isObject(svc) && svc.action === 'block' ? 'guardrail_intervened' : 'content_filtered';
}

function toUsage(usage: Json): object {
  const count = (name: string) => (typeof usage[name] === 'number' ? (usage[name] as number) : undefined);
  const [inputTokens = 0, outputTokens = 0] = [count('input_tokens'), count('output_tokens')];
  const [read, written] = [count('cache_read_input_tokens'), count('cache_creation_input_tokens')];
  return {
    inputTokens,
    outputTokens,
    totalTokens: inputTokens + outputTokens + (read ?? 0) + (written ?? 0),
    ...(read !== undefined && { cacheReadInputTokens: read }),
    ...(written !== undefined && { cacheWriteInputTokens: written }),
  };
}

/** Blocks of other types are results of tools that Converse cannot ask for. */
function toBlock(block: Json): Json[] {
  switch (block.type) {
    case 'text': {
      const citations = Array.isArray(block.citations) ? block.citations.filter(isObject) : [];
      if (citations.length === 0) return [{ text: block.text }];
      return [{ citationsContent: { content: [{ text: block.text }], citations: citations.map(toCitation) } }];
    }
    case 'tool_use':
      return [{ toolUse: { toolUseId: block.id, name: block.name, input: block.input } }];
    case 'thinking': {
      const signature = block.signature !== '' && { signature: block.signature };
      return [{ reasoningContent: { reasoningText: { text: block.thinking, ...signature } } }];
    }
    case 'redacted_thinking':
      return [{ reasoningContent: { redactedContent: toBlob(block.data) } }];
    default:
      return [];
  }
}

function toBlob(data: unknown): string {
  return Buffer.from(String(data)).toString('base64');
}

/** Places of the Messages API by those of Converse: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_CitationLocation.html */
const LOCATIONS: Readonly<Record<string, readonly [name: string, start: string, end: string]>> = {
  char_location: ['documentChar', 'start_char_index', 'end_char_index'],
  page_location: ['documentPage', 'start_page_number', 'end_page_number'],
  content_block_location: ['documentChunk', 'start_block_index', 'end_block_index'],
  search_result_location: ['searchResultLocation', 'start_block_index', 'end_block_index'],
};

function toCitation(citation: Json): Json {
  const { type, cited_text: text, document_title: ofDocument, title = ofDocument, source } = citation;
  const place = LOCATIONS[String(type)];
  const { document_index: documentIndex, search_result_index: searchResultIndex } = citation;
  const holder = type === 'search_result_location' ? { searchResultIndex } : { documentIndex };
  return {
    ...(typeof title === 'string' && { title }),
    ...(typeof source === 'string' && { source }),
    sourceContent: [{ text }],
    ...(place && { location: { [place[0]]: { ...holder, start: citation[place[1]], end: citation[place[2]] } } }),
  };
}

/** Makes the frames of ConverseStream of the events of one streamed message. */
export class ConverseStreamWriter {
  private readonly latencyMs: () => number;
  private usage: Json = {};

  constructor(latencyMs: () => number) {
    this.latencyMs = latencyMs;
  }

  /** The frames of an event; none for those that Converse lacks. */
  framesOf(json: string): Uint8Array[] {
    const event = JSON.parse(json) as Json;
    const { type, index: contentBlockIndex } = event;
    switch (type) {
      case 'message_start': {
        const { usage } = objectIn(event.message);
        this.count(usage);
        return [write('messageStart', { role: 'assistant' })];
      }
      case 'content_block_start':
        return begin(objectIn(event.content_block), contentBlockIndex);
      case 'content_block_delta':
        return deltasOf(objectIn(event.delta)).map((delta) => write('contentBlockDelta', { contentBlockIndex, delta }));
      case 'content_block_stop':
        return [write('contentBlockStop', { contentBlockIndex })];
      case 'message_delta': {
        this.count(event.usage);
        const { stop_reason: reason } = objectIn(event.delta);
        if (reason == null) return [];
        return [write('messageStop', { stopReason: toStopReason(reason, event.svc), ...additional(event.svc) })];
      }
      case 'message_stop': {
        const metrics = { latencyMs: Math.round(this.latencyMs()) };
        return [write('metadata', { usage: toUsage(this.usage), metrics })];
      }
      default:
        return [];
    }
  }

  /** Counts are cumulative. */
  private count(usage: unknown): void {
    if (!isObject(usage)) return;
    const known = Object.entries(usage).filter(([, value]) => value != null);
    this.usage = { ...this.usage, ...Object.fromEntries(known) };
  }
}

/** A member that a server may have left out. */
function objectIn(value: unknown): Json {
  return isObject(value) ? value : {};
}

function write(type: string, fields: object): Uint8Array {
  return eventFrame(type, JSON.stringify(fields));
}

/** Only tool calls have a start in Converse; content that a block begins with is a piece of it. */
function begin(block: Json, contentBlockIndex: unknown): Uint8Array[] {
  const piece = (delta: Json) => [write('contentBlockDelta', { contentBlockIndex, delta })];
  switch (block.type) {
    case 'tool_use': {
      const { id: toolUseId, name, input } = block;
      const start = write('contentBlockStart', { contentBlockIndex, start: { toolUse: { toolUseId, name } } });
      const isGiven = isObject(input) && Object.keys(input).length > 0;
      return isGiven ? [start, ...piece({ toolUse: { input: JSON.stringify(input) } })] : [start];
    }
    case 'text':
      return block.text ? piece({ text: block.text }) : [];
    case 'thinking':
      return block.thinking ? piece({ reasoningContent: { text: block.thinking } }) : [];
    case 'redacted_thinking':
      return piece({ reasoningContent: { redactedContent: toBlob(block.data) } });
    default:
      return [];
  }
}

function deltasOf(delta: Json): Json[] {
  switch (delta.type) {
    case 'text_delta':
      return [{ text: delta.text }];
    case 'input_json_delta':
      return [{ toolUse: { input: delta.partial_json } }];
    case 'thinking_delta':
      return [{ reasoningContent: { text: delta.thinking } }];
    case 'signature_delta':
      return delta.signature === '' ? [] : [{ reasoningContent: { signature: delta.signature } }];
    case 'citations_delta':
      return isObject(delta.citation) ? [{ citation: toCitation(delta.citation) }] : [];
    default:
      return [];
  }
}
