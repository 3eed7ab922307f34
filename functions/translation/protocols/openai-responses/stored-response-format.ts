import { boundJson, isObject, spliceJson } from '../../../kernel/json/index.ts';
import type { ChatRequest, ResponsePiece, SecurityInfo } from '../../../kernel/model/index.ts';
import type { ResponseIdentity } from '../protocol.ts';
import { ResponsesResponseFormat } from './responses-response-format.ts';
import type { ResponsesPiece } from './responses-response-reader.ts';
import type { ResponsesRequest } from './responses-schema.ts';

/** A request of which nothing is known here. */
const UNKNOWN = { model: '' } as ResponsesRequest;

/**
 * A stored response, whole or as a stream. Its `instructions` are the system prompt of the request that created it: not inspected, but what
 * the response is compared with.
 */
export class StoredResponseFormat extends ResponsesResponseFormat {
  private readonly startingAfter: number;

  /** @param startingAfter the number of the last event of a stream that the caller has */
  constructor(request: ChatRequest, head: ResponseIdentity, startingAfter = -1) {
    super(request, head, { asked: UNKNOWN, sent: UNKNOWN }, { hasOwnPrompt: true });
    this.startingAfter = startingAfter;
  }

  override readPiece(json: string): ResponsesPiece {
    return super.readPiece(withoutMarker(json));
  }

  override release(piece: ResponsePiece, cut: boolean, svc: () => SecurityInfo): string | undefined {
    const json = super.release(piece, cut, svc);
    return this.last <= this.startingAfter ? undefined : json;
  }

  override blockedEnd(...end: Parameters<ResponsesResponseFormat['blockedEnd']>): string[] {
    const events = super.blockedEnd(...end);
    const first = this.last - events.length + 1;
    return events.filter((_, at) => first + at > this.startingAfter);
  }
}

/** The marker that a canary adds to a system prompt (`plantedText`). */
const MARKER = /(?:\n\n)?\[ref ([a-z]{16})\]$/;

const PROMPT = /"instructions"\s*:\s*"/;

/** The system prompt that a stored response repeats, whole or in an event, and the marker in it. */
export function promptOf(json: string): { readonly prompts: readonly string[]; readonly marker?: string } {
  // Most responses have none, which saves parsing them.
  if (!PROMPT.test(json)) return { prompts: [] };
  const instructions = instructionsOf(json)?.instructions;
  // A list of items is inspected like the rest.
  if (typeof instructions !== 'string') return { prompts: [] };
  const marker = MARKER.exec(instructions)?.[1];
  return { prompts: [instructions.replace(MARKER, '')], ...(marker !== undefined && { marker }) };
}

function instructionsOf(json: string): { instructions?: unknown; path: string[] } | undefined {
  let body: unknown;
  try {
    boundJson(json);
    body = JSON.parse(json);
  } catch {
    return undefined;
  }
  if (!isObject(body)) return undefined;
  if (isObject(body.response)) return { instructions: body.response.instructions, path: ['response', 'instructions'] };
  return { instructions: body.instructions, path: ['instructions'] };
}

/** A response repeats its `instructions` as the provider got them: the caller's form has no marker. */
function withoutMarker(json: string): string {
  if (!json.includes('[ref ')) return json;
  const { instructions, path = [] } = instructionsOf(json) ?? {};
  if (typeof instructions !== 'string' || !MARKER.test(instructions)) return json;
  const own = instructions.replace(MARKER, '');
  return spliceJson(json, [{ kind: 'replace', path, json: own === '' ? 'null' : JSON.stringify(own) }]);
}
