import type { CallPart, ResponseCalls, ResponsePiece } from '../../kernel/model/index.ts';
import type { Steps } from '../../kernel/tasks/index.ts';
import type { MadeCall } from '../tool-calls/index.ts';
import type { PendingCall } from './call-sums.ts';

/** A call of a response. */
export interface PlacedCall extends MadeCall {
  /** Null if its API has none. */
  readonly id: string | null;
  /** The place of its arguments in the response. */
  readonly field: string;
  /** Whether no part of it was sent. */
  readonly isHeld: boolean;
}

/** What happens to a call: it is sent, a text is sent instead of it, or it waits until a sum has room for it or a person approves it. */
export type Verdict = 'send' | { readonly text: string } | { readonly pending: PendingCall };

/** What comes of a call that waited. `onSent`: called once the client gets the call. */
export type Decision = { readonly onSent: () => void } | { readonly text: string; readonly isBlocked: boolean };

/** Why a call cannot be inspected: the CPU budget is used up, it changes its name, or it has no end although the response has one. */
export type Uninspected = 'costly' | 'renamed' | 'incomplete';

/** What inspects the calls of a response. */
interface Inspector {
  /** Whether calls can be inspected. */
  readonly isReady: boolean;
  prepare(): Promise<void>;
  /** Whether a call of this tool may be removed, so that it waits until it is complete. `''`: its name is not known yet. */
  mayRemove(tool: string): boolean;
  /** Reports what is wrong with a call. */
  inspect(call: PlacedCall): Steps<Verdict>;
  /** Reserves what a call takes of sums, and asks a person if that is needed. */
  decide(call: PlacedCall, pending: PendingCall): Promise<Decision>;
  /** Reports a call that cannot be inspected, and that it is removed if it is held. @returns the text to send instead of it */
  skip(call: Pick<PlacedCall, 'name' | 'field' | 'isHeld'>, why: Uninspected): string;
  /** Reports that the provider has executed calls of the response: they cannot be removed. */
  skipHosted(): void;
}

interface Call {
  id: string | null;
  readonly field: string;
  name: string;
  /** Of the pieces. */
  text: string;
  /** Whole texts that differ by more than white space, by their compact form: each may be the one that a client takes. */
  readonly wholes: Map<string, string>;
  /** Whole arguments of a call that has no text. */
  value: unknown;
  /** Whether its pieces wait until it is inspected. */
  isHeld: boolean;
  /** All versions of the arguments that have come; undefined once a piece has changed them. */
  arguments: string | undefined;
  /** The arguments as inspected; undefined before. */
  inspected: string | undefined;
  /** What it waits for. */
  pending: PendingCall | undefined;
  /** Called once it is sent. */
  onSent: (() => void) | undefined;
}

interface Queued {
  readonly piece: ResponsePiece;
  readonly parts: readonly CallPart[];
}

/** Providers send one, or one with other white space. */
const MAX_VERSIONS = 4;
const MENTIONS = /"(?:[a-z_]{1,40}_call|mcp_approval_request|tool_calls|tool_use|functionCall)"/;

/**
 * Holds the tool calls of a response until they are complete, and replaces those that may not be sent by a text. Pieces keep their order:
 * those after a held call wait for it. Calls that cannot be removed flow on, and are reported once they are complete.
 */
export class CallGate {
  private readonly calls: ResponseCalls;
  private readonly inspector: Inspector;
  private readonly known = new Map<string, Call>();
  private readonly texts = new Map<string, string>();
  private readonly queue: Queued[] = [];
  private isOverspent = false;

  constructor(calls: ResponseCalls, inspector: Inspector) {
    this.calls = calls;
    this.inspector = inspector;
  }

  /** Whether a call was removed for good, and not until it is approved. */
  isBlocked = false;

  /** Whether a call was removed: blocked, or not approved yet. */
  get hasRemoved(): boolean {
    return this.texts.size > 0;
  }

  /** Whether a piece of this JSON may be pushed. */
  isReadyFor(json: string): boolean {
    return this.inspector.isReady || !MENTIONS.test(json);
  }

  prepare(): Promise<void> {
    return this.inspector.prepare();
  }

  /** Takes a piece. @returns those that may be sent now */
  *pushSteps(piece: ResponsePiece): Steps<ResponsePiece[]> {
    if (piece.slots.some(({ call }) => call === 'provider')) this.inspector.skipHosted();
    const parts = this.calls.read(piece);
    for (const part of parts) yield* this.take(part);
    this.queue.push({ piece, parts });
    return this.release();
  }

  /** Whether pieces wait for a store or a person. */
  get isAsking(): boolean {
    return [...this.known.values()].some(({ pending }) => pending !== undefined);
  }

  /** Decides on the calls that wait. @returns the pieces that may be sent now */
  async ask(): Promise<ResponsePiece[]> {
    for (const [id, call] of this.known) {
      const { pending } = call;
      if (pending === undefined) continue;
      const decision = await this.inspector.decide({ ...call, arguments: call.inspected as string }, pending);
      if ('onSent' in decision) {
        call.onSent = decision.onSent;
        // One that was not held may have been sent.
        if (!this.queue.some(({ parts }) => parts.some((part) => part.id === id))) call.onSent();
      } else if (decision.isBlocked) this.block(id, decision.text);
      else this.texts.set(id, decision.text);
      call.pending = undefined;
    }
    return this.release();
  }

  /**
   * Removes the held calls that are incomplete when the response ends: a client may run what has begun. `isCut`: the response has no end
   * of its provider, and another one, or an error, follows.
   */
  end(isCut: boolean): ResponsePiece[] {
    for (const [id, call] of this.known) {
      if (!waits(call)) continue;
      if (isCut) this.texts.set(id, '');
      else this.block(id, this.inspector.skip(call, 'incomplete'));
      call.isHeld = false;
    }
    return this.release();
  }

  private *take({ id, field, name = '', callId, starts, text, whole, ends }: CallPart): Steps<void> {
    const known = this.known.get(id);
    const call = known ?? this.begin(id, field, name);
    if (known !== undefined && (starts === true || (name !== '' && name !== call.name))) this.rename(id, call, name);
    if (text !== undefined || whole !== undefined) call.arguments = undefined;
    if (text !== undefined) call.text += text;
    if (typeof whole === 'string') this.addWhole(id, call, whole);
    else if (whole !== undefined) call.value = whole;
    call.id ??= callId ?? null;
    // What comes after the end waits too.
    if (call.inspected !== undefined && call.inspected !== argumentsIn(call)) call.inspected = undefined;
    if (ends) yield* this.inspect(id, call);
  }

  /**
   * Takes the name of a call that had none. A call that is named twice is removed if it may be by any of its names: some clients take the
   * last one, others join them.
   */
  private rename(id: string, call: Call, name: string): void {
    if (call.name === '' && call.inspected === undefined) {
      call.name = name;
      call.isHeld = this.inspector.mayRemove(name);
    } else if (
      [call.name, name, call.name + name].some((one) => this.inspector.mayRemove(one)) &&
      !this.texts.has(id)
    ) {
      this.block(id, this.inspector.skip({ ...call, isHeld: true }, 'renamed'));
      call.isHeld = false;
      call.pending = undefined;
      call.onSent = undefined;
    }
  }

  /** Each version is inspected with all before it: a call with too many is not. */
  private addWhole(id: string, call: Call, whole: string): void {
    const form = compact(whole);
    if (whole === '' || call.wholes.size > MAX_VERSIONS || call.wholes.has(form)) return;
    call.wholes.set(form, whole);
    if (call.wholes.size <= MAX_VERSIONS || this.texts.has(id)) return;
    const text = this.inspector.skip(call, 'costly');
    if (!call.isHeld) return;
    this.block(id, text);
    call.isHeld = false;
    call.pending = undefined;
    call.onSent = undefined;
  }

  private begin(id: string, field: string, name: string): Call {
    const isHeld = this.inspector.mayRemove(name);
    const call: Call = {
      id: null,
      field,
      name,
      text: '',
      wholes: new Map(),
      arguments: undefined,
      value: undefined,
      isHeld,
      inspected: undefined,
      pending: undefined,
      onSent: undefined,
    };
    this.known.set(id, call);
    return call;
  }

  /** Inspects a complete call. A later piece may repeat it, with other arguments too. */
  private *inspect(id: string, call: Call): Steps<void> {
    const args = argumentsIn(call);
    if (call.inspected === args || this.texts.has(id)) return;
    call.inspected = args;
    if (this.isOverspent) {
      const text = this.inspector.skip(call, 'costly');
      if (call.isHeld) this.block(id, text);
      return;
    }
    const verdict = yield* this.inspector.inspect({ ...call, arguments: args });
    if (yield) this.isOverspent = true;
    if (verdict === 'send') return;
    if ('pending' in verdict) call.pending = verdict.pending;
    else this.block(id, verdict.text);
  }

  private block(id: string, text: string): void {
    this.isBlocked = true;
    this.texts.set(id, text);
  }

  private release(): ResponsePiece[] {
    const out: ResponsePiece[] = [];
    for (let head = this.queue[0]; head !== undefined && !this.isWaiting(head); head = this.queue[0]) {
      this.queue.shift();
      const { piece, parts } = head;
      for (const { id } of parts) this.known.get(id)?.onSent?.();
      if (this.hasRemoved) out.push(...this.calls.remove(piece, { parts, textOf: (id) => this.texts.get(id) }));
      else out.push(piece);
    }
    return out;
  }

  private isWaiting({ parts }: Queued): boolean {
    return parts.some(({ id }) => {
      const call = this.known.get(id) as Call;
      return call.pending !== undefined || waits(call);
    });
  }
}

function compact(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}

/** Arguments of which there are several versions are no JSON. */
function argumentsIn(call: Call): string {
  call.arguments ??= joined(call);
  return call.arguments;
}

function joined({ text, wholes, value }: Call): string {
  const versions = [...wholes.values()];
  if (text !== '' && !wholes.has(compact(text))) versions.push(text);
  return versions.length > 0 ? versions.join('\n') : JSON.stringify(value ?? {});
}

function waits({ isHeld, inspected }: Call): boolean {
  return isHeld && inspected === undefined;
}
