import type { NamedId } from '../protocol.ts';
import { type ResponsesRequest, typeOfItem } from './responses-request-schema.ts';

/** What a model is given a file by; elsewhere, in a citation say, the id of a file only tells of one. */
const GIVES_FILE = new Set<unknown>(['input_image', 'input_file', 'computer_screenshot']);

/** Where a tool runs: files are put there by their ids. */
const MOUNTS = new Set(['container', 'environment']);

/** Items that a request holds whole; an id in one of them is only its name. */
const HELD_WHOLE = new Set(['message', 'function_call', 'custom_tool_call']);

/** Whether the provider may know an item of this type by its id alone: an image that it made, what it thought, a reference. */
function isKnownById(type: string): boolean {
  return !HELD_WHOLE.has(type) && !type.endsWith('_output');
}

/** Whether an item's id comes back in the next request even where nothing is stored; reasoning does with its own text, encrypted. */
export function isKnownUnstored(type: string): boolean {
  return isKnownById(type) && type !== 'response' && type !== 'reasoning';
}

/** The ids by which a request names what its provider keeps: an earlier response, items of one, files. */
export function namedIds({ previous_response_id: previous, input, tools, prompt }: ResponsesRequest): NamedId[] {
  const named: NamedId[] = [];
  if (previous != null) {
    named.push({ id: previous, what: 'Previous response', param: 'previous_response_id', continues: true });
  }
  if (Array.isArray(input)) {
    input.forEach((item, at) => {
      const { id, encrypted_content: encrypted } = item as { id?: unknown; encrypted_content?: unknown };
      if (typeof id === 'string' && encrypted == null && isKnownById(typeOfItem(item))) {
        named.push({ id, what: 'Item', param: `input[${at}].id` });
      }
      addFiles(item, `input[${at}]`, named);
    });
  }
  addFiles(prompt, 'prompt', named);
  addFiles(tools, 'tools', named);
  return named;
}

/** @param under the name of the member in which the value stands */
function addFiles(value: unknown, path: string, named: NamedId[], under = ''): void {
  if (typeof value !== 'object' || value === null) return;
  const { type, file_id: id, file_ids: ids } = value as { type?: unknown; file_id?: unknown; file_ids?: unknown };
  const gives = GIVES_FILE.has(type) || under === 'input_image_mask';
  if (typeof id === 'string' && gives) named.push({ id, what: 'File', param: `${path}.file_id` });
  for (const each of MOUNTS.has(under) && Array.isArray(ids) ? ids : []) {
    named.push({ id: String(each), what: 'File', param: `${path}.file_ids` });
  }
  for (const [name, member] of Object.entries(value)) {
    addFiles(member, Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`, named, name);
  }
}
