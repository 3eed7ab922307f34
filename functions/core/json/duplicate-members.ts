import { stringEnd } from './json-document.ts';

/**
 * How many members all objects of a JSON value have together.
 * @throws RangeError for a value nested deeper than `maxDepth`
 */
export function countMembers(value: unknown, maxDepth: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (maxDepth === 0) throw new RangeError('JSON is nested too deep');
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object') count += countMembers(item, maxDepth - 1);
    return count;
  }
  for (const name in value) {
    count += 1;
    const member = (value as Record<string, unknown>)[name];
    if (typeof member === 'object') count += countMembers(member, maxDepth - 1);
  }
  return count;
}

/** Whether an object of a JSON text names a member twice, where its parsed value has `members`. */
export function hasDuplicateMembers(text: string, members: number): boolean {
  // Every member has one colon of its own; the colons within strings are counted only where the sums differ.
  return countColons(text) !== members && countColonsOutsideStrings(text) !== members;
}

function countColons(text: string): number {
  let count = 0;
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) count += 1;
  return count;
}

function countColonsOutsideStrings(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = stringEnd(text, at) - 1;
    else if (code === 0x3a) count += 1;
  }
  return count;
}
