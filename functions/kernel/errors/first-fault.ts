import type * as z from 'zod';
import { GatewayError } from './errors.ts';

type Issue = z.core.$ZodIssue;

/** The error of a failed validation, which names the first field at fault: `messages[2].content`. */
export function toValidationError(error: z.ZodError, value: unknown): GatewayError {
  const issue = deepestIssue(error.issues[0] as Issue);
  if (issue.code === 'unrecognized_keys') {
    const param = toParam([...issue.path, issue.keys[0] as string]);
    return new GatewayError('invalid_value', `Unknown field '${shorten(param)}'.`, { param: shorten(param) });
  }
  const param = shorten(toParam(issue.path));
  const missing = valueAt(value, issue.path) === undefined;
  if (missing) return new GatewayError('missing_field', `Missing required field '${param}'.`, { param });
  const subject = param === '' ? 'The request body' : `'${param}'`;
  return new GatewayError('invalid_value', `${subject}: ${issue.message}.`, param === '' ? {} : { param });
}

/** `messages[2].content[0].text`, and `args["items[*].price"].max` for a name that reads like a path. */
export function toParam(path: readonly PropertyKey[]): string {
  return path.map(toStep).join('');
}

const PATH_LIKE = /[.[\]]/;

function toStep(step: PropertyKey, at: number): string {
  if (typeof step === 'number') return `[${step}]`;
  const name = String(step);
  if (at === 0) return name;
  return PATH_LIKE.test(name) ? `[${JSON.stringify(name)}]` : `.${name}`;
}

/** The fault in the alternative of a union that matched the value furthest, or that alone is of the value's type; with the full path. */
export function deepestIssue(issue: Issue): Issue {
  if (issue.code === 'invalid_key') return { ...issue, message: issue.issues[0]?.message ?? issue.message };
  if (issue.code !== 'invalid_union') return issue;
  const inner = issue.errors.flatMap((issues) => (issues[0] ? [deepestIssue(issues[0])] : []));
  const ofType = inner.filter(({ code, path }) => code !== 'invalid_type' || path.length > 0);
  const best = ofType.sort((a, b) => b.path.length - a.path.length)[0];
  if (!best || (best.path.length === 0 && ofType.length > 1)) return issue;
  return { ...best, path: [...issue.path, ...best.path] } as Issue;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, step) => (at as Record<PropertyKey, unknown> | null | undefined)?.[step], value);
}

/** A path may contain a key that the caller chose, so its length is limited. */
function shorten(param: string): string {
  return param.length <= 120 ? param : `${param.slice(0, 120)}…`;
}
