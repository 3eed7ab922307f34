import { GatewayError } from '../../kernel/errors/index.ts';
import { isObject } from '../../kernel/json/index.ts';
import { type ChatMessage, EFFORTS, type Meaning, type OtherField, type Warning } from '../../kernel/model/index.ts';

/** The caller's names are in warnings and errors, which must stay short. */
const MAX_FIELD_CHARS = 200;
const MAX_WARNINGS = 50;

/** One translation of a request for a provider. What is dropped or adjusted becomes a warning, or an error if it is strict. */
export class Translation {
  readonly provider: string;
  private readonly strict: boolean;
  private readonly byPlace = new Map<string, Warning>();

  constructor(provider: string, strict = false) {
    this.provider = provider;
    this.strict = strict;
  }

  /** One for each place: `messages[].content[].cache_control` is reported once. */
  get warnings(): readonly Warning[] {
    return [...this.byPlace.values()];
  }

  /** @throws GatewayError `invalid_value` if the translation is strict */
  dropped(field: string, reason = 'it has no equivalent'): void {
    this.warn('field_dropped', field, this.withoutField(field, reason));
  }

  /** As `dropped`, for what a client only repeats of a response. It is never an error: a response must not make the next request fail. */
  notRepeated(field: string, reason: string): void {
    this.add('field_dropped', field, this.withoutField(field, reason));
  }

  /** @throws GatewayError `invalid_value` if the translation is strict */
  adjusted(field: string, reason: string): void {
    this.warn(
      'field_adjusted',
      field,
      `The provider ${this.provider} gets another value of \`${shorten(field)}\`: ${reason}.`,
    );
  }

  /** A part of a tool's result that the provider takes only after the result. @throws GatewayError `invalid_value` if the translation is strict */
  follows(field: string): void {
    this.adjusted(field, 'results of tools cannot hold it there, so it follows the result');
  }

  /** A part of the response that the gateway's model lacks. It is never an error, since the response is billed. */
  lost(part: string): void {
    const message = `The response of the provider ${this.provider} has a part \`${part}\`, which has no equivalent and is left out.`;
    this.add('field_dropped', part, message);
  }

  /** The error for a field that changes the result. `reason` is the gateway's text, never the caller's. */
  refused(field: string, reason: string, details?: OtherField['details']): GatewayError {
    const message = `The provider ${this.provider} does not support this value of \`${shorten(field)}\`: ${reason}.`;
    return new GatewayError('invalid_value', message, { param: shorten(field), ...(details && { details }) });
  }

  private withoutField(field: string, reason: string): string {
    return `The provider ${this.provider} gets no \`${shorten(field)}\`: ${reason}.`;
  }

  private warn(code: Warning['code'], field: string, message: string): void {
    if (this.strict) {
      throw new GatewayError('invalid_value', `${message} The header X-Svc-Translation is strict.`, {
        param: shorten(field),
      });
    }
    this.add(code, field, message);
  }

  private add(code: Warning['code'], field: string, message: string): void {
    const place = `${code} ${field.replace(/\[\d+\]/g, '[]')}`;
    if (this.byPlace.size < MAX_WARNINGS && !this.byPlace.has(place)) {
      this.byPlace.set(place, { code, field: shorten(field), message });
    }
  }
}

function shorten(field: string): string {
  return field.length <= MAX_FIELD_CHARS ? field : `${field.slice(0, MAX_FIELD_CHARS)}...`;
}

/** What a provider's API has for a meaning. */
export interface TargetField<Context> {
  /** The equivalent, for the documentation: the fields and, where it is limited, the models. */
  readonly as?: string;
  /** The provider's fields for a value; undefined if this value has no equivalent. */
  readonly set?: (value: unknown, context: Context, field: OtherField) => object | undefined;
  /** What happens to a value without an equivalent. */
  readonly otherwise: 'dropped' | 'refused';
  /** Why it has none. */
  readonly reason?: string;
}

/** What a provider's API has for each meaning that has an equivalent in some API. */
export type TargetFields<Context> = Readonly<Record<Exclude<Meaning, 'hint' | 'essential'>, TargetField<Context>>>;

/**
 * The provider's fields for those without a member in `ChatRequest`.
 * @throws GatewayError `invalid_value` for a field that changes the result and has no equivalent
 */
export function fieldsFor<Context>(
  others: readonly OtherField[],
  target: TargetFields<Context>,
  context: Context,
  translation: Translation,
): Record<string, unknown> {
  const all: Record<string, unknown> = {};
  for (const field of others) {
    const { path, meaning, value, instead } = field;
    if (meaning === 'essential') throw refusedField(field, translation);
    if (meaning === 'hint' && instead !== undefined) {
      translation.adjusted(path, instead);
      continue;
    }
    const { set, otherwise, reason }: TargetField<Context> =
      meaning === 'hint' ? { otherwise: 'dropped' } : target[meaning];
    const found = set?.(value, context, field);
    if (found !== undefined) {
      merge(all, found);
      if (isOtherThinking(value, meaning, found))
        translation.adjusted(path, 'it has no such budget or level of thinking');
    } else if (otherwise === 'refused') throw translation.refused(path, reason ?? 'it has no equivalent');
    else translation.dropped(path, reason);
  }
  return all;
}

/** Whether what a provider gets is not the budget or level that was asked for. A level that becomes a budget is none of these. */
function isOtherThinking(value: unknown, meaning: Meaning, found: object): boolean {
  if (meaning !== 'thinking' && meaning !== 'reasoning_effort') return false;
  const { budget, effort } = (isObject(value) ? value : { effort: value }) as { budget?: unknown; effort?: unknown };
  const sent = leavesOf(found);
  const levels = sent.filter((one) => (EFFORTS as readonly unknown[]).includes(one));
  if (budget === 0 || effort === 'none')
    return sent.some((one) => typeof one === 'number' && one > 0) || levels.some((one) => one !== 'none');
  if (effort !== undefined) return levels.length > 0 && !levels.includes(effort);
  return budget !== undefined && !sent.includes(budget);
}

function leavesOf(value: unknown): unknown[] {
  return isObject(value) ? Object.values(value).flatMap(leavesOf) : [value];
}

/**
 * Reports the reasoning of earlier messages, for a provider that cannot take it: models that sign theirs refuse any other. What they signed
 * is sent instead.
 */
export function dropReasoning(messages: readonly ChatMessage[], translation: Translation): void {
  for (const [at, { reasoning, signed }] of messages.entries()) {
    if (reasoning !== undefined && signed === undefined)
      translation.notRepeated(`messages[${at}].reasoning`, 'it takes no unsigned reasoning');
  }
}

/** @throws GatewayError `invalid_value` that names the first field that changes the result and has no equivalent in any other API */
export function refuseEssential(others: readonly OtherField[], translation: Translation): void {
  const field = others.find(({ meaning }) => meaning === 'essential');
  if (field !== undefined) throw refusedField(field, translation);
}

function refusedField(
  { path, instead = 'it has no equivalent', details }: OtherField,
  translation: Translation,
): GatewayError {
  return translation.refused(path, instead, details);
}

/** Adds the members of `from`; objects under the same name are merged. Nested objects, which may be the caller's, are copied. */
export function merge(into: Record<string, unknown>, from: object): void {
  for (const [name, value] of Object.entries(from)) {
    const there = Object.hasOwn(into, name) ? into[name] : undefined;
    const isBoth = isObject(there) && isObject(value);
    const merged = isBoth ? { ...there } : value;
    if (isBoth) merge(merged as Record<string, unknown>, value);
    // An assignment to `__proto__` would change the prototype.
    Object.defineProperty(into, name, { value: merged, writable: true, enumerable: true, configurable: true });
  }
}
