import type {
  ChatCompletion,
  ChatDelta,
  ChatMessage,
  ChatRequest,
  OutputItem,
  SignedPart,
} from '../kernel/model/index.ts';
import type { Protocol, Target } from '../translation/index.ts';
import type { TextResponse } from './call-provider.ts';
import type { Outgoing } from './inspect-chat.ts';
import type { PipelineDeps } from './pipeline-deps.ts';
import type { RequestContext } from './request-context.ts';
import { endUserOf, ownerOf } from './response-items.ts';
import { errorName } from './session-past.ts';

/** Turns whose signed reasoning is read for a request: the last ones, as many as one call of the store returns. */
const MAX_TURNS = 100;

type SignedDeps = Pick<PipelineDeps, 'storedItems' | 'maxBodyBytes' | 'providers' | 'router'>;

/** What models have signed in earlier turns, by the entry of the turn. */
export type SignedTurns = ReadonlyMap<string, OutputItem>;

/**
 * The signed reasoning of the request's earlier turns with tool calls, if a target needs it back and the caller has another protocol. Never
 * throws: without it, the target gets the turns as those of another model.
 */
export async function findSigned(
  context: RequestContext,
  { request, document: source }: Pick<Outgoing<unknown>, 'request' | 'document'>,
  { targets, operation }: { readonly targets: readonly Target[]; readonly operation: Protocol<unknown>['operation'] },
  note: (note: string) => void,
  { storedItems, maxBodyBytes, providers, router }: SignedDeps,
): Promise<SignedTurns> {
  const { messages } = request;
  const owner = ownerOf(context);
  const needsIt = (target: Target) =>
    providers.get(target.provider)?.signs?.(target.model, { operation, source }) === true &&
    !router.isNative([target], operation);
  const entries = messages.flatMap((message) => entryOf(message) ?? []).slice(-MAX_TURNS);
  if (owner === undefined || entries.length === 0 || !targets.some(needsIt)) return new Map();
  try {
    return await storedItems.find(owner, new Set(entries), maxBodyBytes);
  } catch (error) {
    note(`signed reasoning not read: ${errorName(error)}`);
    return new Map();
  }
}

/** The request with the reasoning that this target itself has signed. */
export function withSigned(request: ChatRequest, turns: SignedTurns, { provider, model }: Target): ChatRequest {
  if (turns.size === 0) return request;
  const messages = request.messages.map((message): ChatMessage => {
    const turn = turns.get(entryOf(message) ?? '');
    const isItsOwn = turn?.provider === provider && turn.model === model;
    return isItsOwn ? { ...message, signed: turn.parts as readonly SignedPart[] } : message;
  });
  return { ...request, messages };
}

interface Turn {
  text: number;
  readonly calls: string[];
  readonly parts: SignedPart[];
}

/** Collects what a translated response has signed, while the response passes. */
export class SignedReasoning {
  private readonly target: Target;
  private readonly turns = new Map<number, Turn>();

  constructor(target: Target) {
    this.target = target;
  }

  watch(response: TextResponse): TextResponse {
    if (response.kind === 'translated') this.readWhole(response.completion);
    return response.kind === 'translated-stream' ? { ...response, deltas: this.read(response.deltas) } : response;
  }

  /** Stores it for the next turn, once, before the end of the response is sent. Never rejects: the notes list failures. */
  async keep(
    context: RequestContext,
    note: (note: string) => void,
    { storedItems }: Pick<SignedDeps, 'storedItems'>,
  ): Promise<void> {
    const owner = ownerOf(context);
    const turns = [...this.turns.values()].filter(({ parts, calls }) => parts.length > 0 && calls.length > 0);
    this.turns.clear();
    if (owner === undefined) return;
    const { provider, model } = this.target;
    try {
      for (const { calls, parts } of turns) {
        const id = entryOfCall(calls[0] as string);
        const items = [{ id, provider, model, parts }];
        await storedItems.keep(owner, { id, items, endUserId: endUserOf(context) });
      }
    } catch (error) {
      note(`signed reasoning not stored: ${errorName(error)}`);
    }
  }

  private readWhole({ choices }: ChatCompletion): void {
    for (const { index, signed = [], toolCalls = [] } of choices) {
      this.turns.set(index, { text: 0, calls: toolCalls.map(({ id }) => id), parts: [...signed] });
    }
  }

  private async *read(deltas: AsyncIterable<readonly ChatDelta[]>): AsyncGenerator<readonly ChatDelta[], void> {
    for await (const batch of deltas) {
      for (const delta of batch) this.readDelta(delta);
      yield batch;
    }
  }

  private readDelta(delta: ChatDelta): void {
    if (delta.type !== 'text' && delta.type !== 'signed' && delta.type !== 'tool_call') return;
    const turn = this.turns.get(delta.choice) ?? { text: 0, calls: [], parts: [] };
    this.turns.set(delta.choice, turn);
    if (delta.type === 'text') turn.text += delta.text.length;
    else if (delta.type === 'tool_call') turn.calls.push(delta.id);
    else turn.parts.push({ block: delta.block, text: turn.text, calls: turn.calls.length });
  }
}

/** The entry of a turn in the store; undefined if it has no tool calls. */
function entryOf({ toolCalls: [call] = [] }: Pick<ChatMessage, 'toolCalls'>): string | undefined {
  return call && entryOfCall(call.id);
}

/** Never the id of a response. */
function entryOfCall(id: string): string {
  return `call ${id}`;
}
