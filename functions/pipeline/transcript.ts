import type { CallInspector, inspectInput, OutputSettings } from '../inspection/index.ts';
import { type JsonDocument, mergeEdits, renderEdits, spliceJson, type TextEdit } from '../kernel/json/index.ts';
import { type Capture, type CaptureMode, isPrivate, type TextSlot } from '../kernel/model/index.ts';

/** The input of a request after its inspection. */
export type InspectedInput = Awaited<ReturnType<typeof inspectInput>>;
type OutputFinding = Parameters<NonNullable<OutputSettings['transcript']>['takeFinding']>[0];

/** Maximum stored length of a request's body and of each text of a response, UTF-16 code units: an item has at most 400 KB. */
const MAX_CHARS = 50_000;

/**
 * The captured texts of one request and its response, if its key's policy asks for them. `full` stores them as sent by the caller and the
 * provider; `redacted` without what the policy redacts, and without personal data and secrets for any action.
 */
export class Transcript {
  private readonly mode: CaptureMode;
  private request = '';
  private readonly texts = new Map<string, string>();
  private readonly readOnly = new Set<string>();
  private readonly hidden = new Map<string, TextEdit[]>();
  private calls: readonly CapturedCall[] = [];
  private cut: { readonly channel: string; readonly at: number } | undefined;

  constructor(mode: CaptureMode) {
    this.mode = mode;
  }

  /** Adds the request's body: as sent, and without private and redacted data. */
  takeRequest(sent: string, withoutHidden: () => string): void {
    this.request = this.mode === 'full' ? sent : withoutHidden();
  }

  /** Adds more of the response, as the provider sent it. */
  takeResponse(slots: readonly TextSlot[]): void {
    for (const { channel, text, isReadOnly, lead = '' } of slots.filter(({ repeats, isWord }) => !repeats && !isWord)) {
      if (isReadOnly) this.readOnly.add(channel);
      const known = this.texts.get(channel) ?? '';
      if (known.length <= MAX_CHARS) this.texts.set(channel, known + lead + text);
    }
  }

  /** Adds a finding in the response, with what replaces it. Text after a block is not stored. */
  takeFinding({ channel, finding, action, rest = [] }: OutputFinding, placeholder: string): void {
    if (action === 'block') this.cut ??= { channel, at: finding.start };
    if (action !== 'redact' && !isPrivate(finding.rule.type)) return;
    this.hide(channel, { start: finding.start, end: finding.end, text: placeholder });
    for (const { channel, start, end } of rest) this.hide(channel, { start, end, text: '' });
  }

  /** Adds the tool calls of the response, as the model made them. */
  takeCalls(calls: readonly CapturedCall[]): void {
    this.calls = calls;
  }

  private hide(channel: string, edit: TextEdit): void {
    this.hidden.set(channel, [...(this.hidden.get(channel) ?? []), edit]);
  }

  /** `none` until a request is added: a refused one is not captured. */
  get kept(): CaptureMode | 'none' {
    return this.request === '' ? 'none' : this.mode;
  }

  toCapture(): Capture {
    const texts = [...this.texts].flatMap(([channel, text]) => {
      if (this.mode === 'full') return [[channel, text] as const];
      if (this.cut !== undefined && this.cut.channel !== channel) return [];
      const shown = this.cut === undefined ? text : text.slice(0, this.cut.at);
      return [[channel, renderEdits(shown, 0, mergeEdits(this.hidden.get(channel) ?? []))] as const];
    });
    // A call has values that no policy has redacted.
    const made = this.mode === 'full' ? this.calls : [];
    const all = [this.request, ...texts.map(([, text]) => text), ...made.map(({ arguments: text }) => text)];
    let room = 2 * MAX_CHARS;
    const fitting = (text: string) => {
      const kept = text.slice(0, Math.min(MAX_CHARS, room));
      room -= kept.length;
      return kept;
    };
    const request = fitting(this.request);
    const answer = texts.map(([channel, text]) => ({
      channel,
      text: fitting(text),
      ...(this.readOnly.has(channel) && { isReadOnly: true as const }),
    }));
    const calls = made.map(({ name: tool, field, arguments: text }) => ({ tool, field, arguments: fitting(text) }));
    const kept = [request, ...answer.map(({ text }) => text), ...calls.map(({ arguments: text }) => text)];
    const truncated = lengthOf(kept) < lengthOf(all);
    return { mode: this.mode, request, answer, ...(calls.length > 0 && { calls }), truncated };
  }
}

type CapturedCall = CallInspector['calls'][number];

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}

/** Adds an inspected request to the transcript, if its policy captures texts. */
export function captureInput(
  transcript: Transcript | undefined,
  { text }: JsonDocument,
  inspected: InspectedInput,
): void {
  transcript?.takeRequest(text, () => spliceJson(text, inspected.hidingEdits));
}
