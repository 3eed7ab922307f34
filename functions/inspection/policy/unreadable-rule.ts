import type { Action, Skipped } from '../../kernel/model/index.ts';
import type { Rule } from '../matching/index.ts';

const ID = 'files/unreadable';

/** Parts of a conversation that the provider stores: they are not in the request and were inspected before. */
const KEPT_BY_PROVIDER = new Set([
  'earlier turns',
  'template',
  'item_reference',
  'compaction',
  'container',
  'encrypted',
]);

/**
 * The rule for a policy's `unreadable`. Its score is 0, since an image or a recording is no evidence of an attack: it does not change
 * `threat_score`.
 */
export function unreadableRule(action: Action): Rule {
  return {
    id: ID,
    type: 'obfuscation',
    category: 'unreadable',
    severity: 'low',
    score: 0,
    view: 'raw',
    patterns: [],
    surfaces: ['user', 'tool'],
    message: 'This content cannot be read, so it was not inspected.',
    owasp: 'LLM01:2025',
    atlas: null,
    forcedAction: action,
  };
}

export function isUnreadableRule(id: string): boolean {
  return id === ID;
}

/** Skipped content that is in the request, or that the request names for the provider to fetch. */
export function isUnreadable({ what }: Skipped): boolean {
  return !KEPT_BY_PROVIDER.has(what);
}
