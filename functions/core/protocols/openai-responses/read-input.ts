import type { ChatMessage, ChatRole, ContentPart, ToolCall } from '../../model/chat.ts';
import { type Notes, noteRest } from './notes.ts';
import {
  type CallOutputItem,
  type FunctionCallItem,
  type MessageItem,
  type ResponsesItem,
  type ResponsesPart,
  typeOfItem,
} from './responses-request-schema.ts';

/** Members that are read, and those that change nothing of an answer: ids, states, and hints to caches. */
const MEMBERS: Readonly<Record<string, ReadonlySet<string>>> = Object.fromEntries(
  Object.entries({
    message: 'type role content id status phase',
    function_call: 'type call_id name arguments id status',
    function_call_output: 'type call_id output id status',
    input_text: 'type text prompt_cache_breakpoint',
    // Counts of the tokens that a model once wrote, and what it cited: what comes back with an answer refuses no second turn.
    output_text: 'type text logprobs annotations',
    refusal: 'type refusal',
    input_image: 'type image_url detail prompt_cache_breakpoint',
    input_file: 'type file_data filename prompt_cache_breakpoint',
    input_audio: 'type input_audio',
  }).map(([type, names]) => [type, new Set(names.split(' '))]),
);
const DEFAULTS: Readonly<Record<string, (value: unknown) => boolean>> = {
  caller: (value) => (value as { type?: unknown }).type === 'direct',
};

/** Reads the items of an input into messages: what the model said and called in one turn is one message, as in a chat. */
export class InputReader {
  readonly messages: ChatMessage[] = [];
  private readonly notes: Notes;

  constructor(notes: Notes) {
    this.notes = notes;
  }

  /** A message of one text. @param path where the text stands */
  say(role: ChatRole, text: string, path: string): void {
    this.notes.callersNames[`messages[${this.messages.length}].content`] = path;
    this.add({ role, parts: [{ type: 'text', text }] }, path);
  }

  read(item: ResponsesItem, path: string): void {
    const type = typeOfItem(item);
    if (type === 'message') this.readMessage(item as unknown as MessageItem, path);
    else if (type === 'function_call') this.readCall(item as unknown as FunctionCallItem, path);
    else if (type === 'function_call_output') this.readOutput(item as unknown as CallOutputItem, path);
    else this.notes.untranslatable.push(path);
  }

  private readMessage(item: MessageItem, path: string): void {
    this.noteRest(item, 'message', path);
    const { content } = item;
    // Servers of chat completions know the older name; OpenAI itself gets the body as it is.
    const role = item.role === 'developer' ? 'system' : item.role;
    const parts = this.toParts(content, `${path}.content`);
    const last = this.messages.at(-1);
    // Results of tools have to follow the message that holds the calls.
    if (role === 'assistant' && last?.role === 'assistant' && last.toolCalls) {
      this.messages[this.messages.length - 1] = { ...last, parts: [...last.parts, ...parts] };
    } else this.add({ role, parts }, path);
  }

  private readCall(item: FunctionCallItem, path: string): void {
    this.noteRest(item, 'function_call', path);
    const call: ToolCall = { id: item.call_id, name: item.name, arguments: item.arguments };
    const last = this.messages.at(-1);
    if (last?.role !== 'assistant') this.add({ role: 'assistant', parts: [], toolCalls: [call] }, path);
    else this.messages[this.messages.length - 1] = { ...last, toolCalls: [...(last.toolCalls ?? []), call] };
    const at = this.messages.length - 1;
    const index = (this.messages[at]?.toolCalls?.length ?? 1) - 1;
    this.notes.callersNames[`messages[${at}].tool_calls[${index}].function`] = path;
  }

  private readOutput(item: CallOutputItem, path: string): void {
    this.noteRest(item, 'function_call_output', path);
    const { call_id: toolCallId, output } = item;
    const parts = this.toParts(output, `${path}.output`);
    this.notes.callersNames[`messages[${this.messages.length}].content`] = `${path}.output`;
    this.notes.callersNames[`messages[${this.messages.length}].tool_call_id`] = `${path}.call_id`;
    this.add({ role: 'tool', parts, toolCallId }, path);
  }

  private add(message: ChatMessage, path: string): void {
    this.notes.callersNames[`messages[${this.messages.length}]`] = path;
    this.messages.push(message);
  }

  private toParts(content: string | readonly ResponsesPart[], path: string): ContentPart[] {
    if (typeof content === 'string') return [{ type: 'text', text: content }];
    return content.flatMap((part, at) => this.toPart(part, `${path}[${at}]`));
  }

  private toPart(part: ResponsesPart, path: string): ContentPart[] {
    const read = partOf(part);
    if (read === undefined) {
      this.notes.untranslatable.push(path);
      return [];
    }
    this.noteRest(part, part.type, path);
    return [read];
  }

  private noteRest(object: object, type: string, path: string): void {
    noteRest(object, path, { known: MEMBERS[type] ?? new Set(), defaults: DEFAULTS }, this.notes);
  }
}

/** undefined for what the gateway's own model has no place for: files that the provider holds, and files by address. */
function partOf(part: ResponsesPart): ContentPart | undefined {
  switch (part.type) {
    case 'input_text':
    case 'output_text':
      return { type: 'text', text: part.text as string };
    case 'refusal':
      return { type: 'refusal', text: part.refusal as string };
    case 'input_image': {
      const { image_url: url, detail } = part;
      if (typeof url !== 'string') return undefined;
      return { type: 'image', url, ...(typeof detail === 'string' && { detail }) };
    }
    case 'input_audio':
      return { type: 'audio', ...(part.input_audio as { data: string; format: string }) };
    case 'input_file': {
      const { file_data: data, filename } = part;
      if (typeof data !== 'string') return undefined;
      return { type: 'file', data, ...(typeof filename === 'string' && { filename }) };
    }
    default:
      return undefined;
  }
}
