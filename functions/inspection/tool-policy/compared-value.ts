import { formsOf, kindOf } from '../tool-calls/index.ts';

/**
 * How a value is compared: without regard to case and white space, and to how addresses, accounts and amounts are written. Accents and
 * look-alike letters stay different: `paypäl.example` is another host than `paypal.example`.
 */
export interface ComparedValue {
  /** Each is the whole value: equal to a whole entry of a list, or a whole field. */
  readonly keys: readonly string[];
  /** How people may write it in a text. */
  readonly forms: readonly string[];
  /** Account and telephone numbers: without the characters that group them. */
  readonly packed: string | undefined;
}

/** The characters with which people group account and telephone numbers. */
export const GROUPING = /[\s()./-]/g;

const NOT_ASCII = /[^\x20-\x7e]/;
const WEB = /^https?:\/\//;
const SCHEME = /^[a-z][a-z0-9+.-]*:/;
/** An IP address or a version is no telephone number, though its digits look like one. */
const DOTTED = /\./;
const FRENCH_PHONE = /^\d\d(?:\.\d\d){4}$/;

/** Full-width letters and digits become plain ones, as browsers and banks read them. */
export function normalise(text: string): string {
  const composed = NOT_ASCII.test(text) ? text.normalize('NFKC') : text;
  return composed.toLowerCase().replace(/\s+/g, ' ').trim();
}

/** Compares a string or a number of a call or result. */
export function compared(value: string | number): ComparedValue {
  const text = normalise(String(value));
  const amount = typeof value === 'number' ? value : amountOf(text);
  const keys = amount === undefined ? [text] : [text, `\0${amount}`];
  const forms = amount === undefined ? [text] : [...new Set([text, ...amountForms(amount)])];
  const kind = NOT_ASCII.test(text) ? 'text' : kindOf(text);
  if (kind === 'number' || kind === 'text') return { keys, forms, packed: undefined };
  if (kind === 'date') return { keys, forms: formsOf(text, kind), packed: undefined };
  if (kind === 'url' && !WEB.test(text) && SCHEME.test(text)) return { keys, forms, packed: undefined };
  const isGrouped = kind === 'account' || (kind === 'phone' && (!DOTTED.test(text) || FRENCH_PHONE.test(text)));
  if (kind === 'phone' && !isGrouped) return { keys, forms, packed: undefined };
  const ofKind = formsOf(text, kind);
  const withPrefix = kind === 'url' ? ofKind.map((form) => `www.${form}`) : [];
  return {
    keys: [...keys, ...ofKind],
    forms: [...forms, ...ofKind, ...withPrefix],
    packed: isGrouped ? text.replace(GROUPING, '') : undefined,
  };
}

/** `1200`, `1200.5`, `1200,50`: no leading zeros, which ids have, and not `1.200`, which is one amount or another. */
const PLAIN_AMOUNT = /^(-?(?:0|[1-9]\d{0,7}))(?:[.,](\d{1,2}))?$/;
/** `1,200.50`, `1.200,50`, `1 200`, `1.200.000`. */
const GROUPED_AMOUNT = /^(-?[1-9]\d{0,2})([., '])(\d{3}(?:\2\d{3}){0,3})(?:(?!\2)[.,](\d{1,2}))?$/;

/** A text as a number, if all readers take it for the same one. */
function amountOf(text: string): number | undefined {
  const [, whole, decimals] = PLAIN_AMOUNT.exec(text) ?? [];
  if (whole !== undefined) return Number(`${whole}.${decimals ?? '0'}`);
  const [, first, separator, groups, rest] = GROUPED_AMOUNT.exec(text) ?? [];
  if (first === undefined || groups === undefined) return undefined;
  const isAmbiguous = groups.length === 3 && rest === undefined && (separator === '.' || separator === ',');
  return isAmbiguous ? undefined : Number(`${first}${groups.replace(/\D/g, '')}.${rest ?? '0'}`);
}

/** How people write an amount; only itself if two decimals do not say it exactly. */
function amountForms(amount: number): string[] {
  const fixed = amount.toFixed(2);
  return Number(fixed) !== amount || Math.abs(amount) >= 1e15 ? [] : formsOf(fixed, 'number');
}

/** A number as tools read it; undefined for everything that one tool reads as another number than the next. */
export function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string') return undefined;
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,2})?$/.test(value) ? Number(value) : undefined;
}
