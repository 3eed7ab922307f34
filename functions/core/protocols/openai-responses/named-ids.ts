import type { NamedId } from '../protocol.ts';
import { type ResponsesRequest, typeOfItem } from './responses-request-schema.ts';

/** What a model is given a file by; elsewhere, in a citation say, the id of a file only tells of one. */
const GIVES_FILE = new Set<unknown>(['input_image', 'input_file', 'computer_screenshot']);

/** Where a tool runs: files are put there by their ids. */
const MOUNTS = new Set(['container', 'environment']);

/** What runs in a container that it names; a citation only tells of one. */
const RUNS_IN = new Set<unknown>(['container_reference', 'code_interpreter_call']);

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

/** The containers that an item of an answer ran in: who has their ids reads what lies in them. */
export function containersOf({ container_id: id, environment }: Readonly<Record<string, unknown>>): string[] {
  const { container_id: within } = (environment ?? {}) as { container_id?: unknown };
  return [id, within].filter((each) => typeof each === 'string' && each !== '') as string[];
}

/** The ids by which a request names what its provider keeps: an earlier response, items of one, files, containers. */
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
      addKept(item, `input[${at}]`, named);
    });
  }
  addKept(prompt, 'prompt', named);
  addKept(tools, 'tools', named);
  return named;
}

/** Files and containers in a value. @param under the name of the member in which it stands */
function addKept(value: unknown, path: string, named: NamedId[], under = ''): void {
  // `"container": "cntr_..."`; what makes a new one is an object.
  if (under === 'container' && typeof value === 'string') named.push({ id: value, what: 'Container', param: path });
  if (typeof value !== 'object' || value === null) return;
  const { type, file_id: id, file_ids: ids } = value as { type?: unknown; file_id?: unknown; file_ids?: unknown };
  const gives = GIVES_FILE.has(type) || under === 'input_image_mask';
  if (typeof id === 'string' && gives) named.push({ id, what: 'File', param: `${path}.file_id` });
  for (const each of MOUNTS.has(under) && Array.isArray(ids) ? ids : []) {
    named.push({ id: String(each), what: 'File', param: `${path}.file_ids` });
  }
  const { container_id: container } = value as { container_id?: unknown };
  if (typeof container === 'string' && RUNS_IN.has(type)) {
    named.push({ id: container, what: 'Container', param: `${path}.container_id` });
  }
  for (const [name, member] of Object.entries(value)) {
    addKept(member, Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`, named, name);
  }
}
