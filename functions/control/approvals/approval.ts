import { timingSafeEqual } from 'node:crypto';
import type { ApprovalState, ApprovalView, CallOrigin } from '../../kernel/model/index.ts';

/** How long an approval can be decided and used. */
export const VALID_MS = 60 * 60_000;

/** A tool call that waits for a person. */
export interface Approval extends Omit<ApprovalView, 'object' | 'state'> {
  /** Identifies the call of its key: tool and arguments. */
  readonly digest: string;
  /** The call as JSON, sealed with the approval's id. */
  readonly sealedCall: string;
  /** Identifies the tool and the doubtful value, however that is written; absent in approvals of earlier releases. */
  readonly valueDigest?: string | undefined;
  /** Expiry follows from `expiresAt`. */
  readonly state: Exclude<ApprovalState, 'expired'>;
}

/** The call of an approval. */
export interface AskedCall {
  /** Its id in the response; null if its API has none. */
  readonly id: string | null;
  readonly name: string;
  /** As the model wrote them. */
  readonly arguments: string;
}

/** A call to ask for. */
export interface NewApproval
  extends Pick<
    Approval,
    'keyId' | 'teamId' | 'environment' | 'sessionId' | 'endUserId' | 'requestId' | 'field' | 'policyRule' | 'reason'
  > {
  readonly origin: Pick<CallOrigin, 'call' | 'argument' | 'sources'> & Partial<Pick<CallOrigin, 'user' | 'ordered'>>;
  /** The doubtful value, or all arguments. */
  readonly value: string;
  readonly call: AskedCall;
  /** The texts of the assistant in the conversation. */
  readonly said?: (() => Iterable<string>) | undefined;
}

/** Whether it can be decided and used, and a denial holds. */
export function isValid({ expiresAt }: Pick<Approval, 'expiresAt'>, nowMs: number): boolean {
  return Date.parse(expiresAt) > nowMs;
}

/** The state at a time. What waits or was approved expires; what was denied or used stays so. */
export function stateOf(approval: Pick<Approval, 'state' | 'expiresAt'>, nowMs: number): ApprovalState {
  const { state } = approval;
  return (state === 'pending' || state === 'approved') && !isValid(approval, nowMs) ? 'expired' : state;
}

export function toApprovalView(
  { digest: _, sealedCall: __, valueDigest: ___, ...approval }: Approval,
  nowMs: number,
): ApprovalView {
  return { ...approval, object: 'approval', state: stateOf(approval, nowMs) };
}

/**
 * The same text for all ways to write the same arguments, and different texts for different ones. Text that a parser may read in several
 * ways (equal names, numbers that do not fit) differs from any other.
 */
export function canonicalArguments(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    const compact = withoutSpace(text);
    return JSON.stringify(value) === compact ? JSON.stringify(sorted(value)) : compact;
  } catch {
    return text;
  }
}

/** A JSON text without white space between its tokens. */
function withoutSpace(text: string): string {
  let compact = '';
  let isString = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '"') isString = !isString;
    if (isString && char === '\\') {
      compact += text.slice(at, at + 2);
      at += 1;
    } else if (isString || !' \t\n\r'.includes(char)) compact += char;
  }
  return compact;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}

/** Without letters and digits that look alike. */
const LETTERS = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_LENGTH = 8;
/** Of these letters. */
const CODES = /(?<![\w-])[2-9A-HJKMNP-TV-Z]{4}[- ]?[2-9A-HJKMNP-TV-Z]{4}(?![\w-])/gi;
/** Codes of one text that are looked up. */
const MAX_CODES = 10;

/** The code of an approval, `XXXX-XXXX`, from a hash of its id. */
export function codeFrom(hash: string): string {
  let rest = BigInt(`0x${hash.slice(hash.lastIndexOf('.') + 1)}`);
  let code = '';
  while (code.length < CODE_LENGTH) {
    code += LETTERS.charAt(Number(rest % BigInt(LETTERS.length)));
    rest /= BigInt(LETTERS.length);
  }
  return `${code.slice(0, CODE_LENGTH / 2)}-${code.slice(CODE_LENGTH / 2)}`;
}

/** Whether two codes are equal, without case, spaces and hyphens. Takes the same time for every code of the right length. */
export function isSameCode(one: string, other: string): boolean {
  const [a, b] = [one, other].map((code) => Buffer.from(canonicalCode(code))) as [Buffer, Buffer];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** A code in the form in which people get it, however it is written. */
export function canonicalCode(written: string): string {
  const letters = written.replace(/[\s-]/g, '').toUpperCase();
  return `${letters.slice(0, CODE_LENGTH / 2)}-${letters.slice(CODE_LENGTH / 2)}`;
}

/** What may be a code in the text of a user: words of its form with a hyphen or a digit. */
export function codesIn(text: string): readonly string[] {
  const found = [...text.matchAll(CODES)].map(([code]) => code).filter((code) => /[-\d]/.test(code));
  return found.slice(0, MAX_CODES);
}
