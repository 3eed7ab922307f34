import type { Action } from '../../model/threat.ts';
import type { Rule } from '../rule.ts';
import type { Skipped } from './request-text.ts';

const ID = 'files/unreadable';

/** State of a conversation that its provider keeps: it does not come with the request, and its parts were inspected before. */
const KEPT_BY_PROVIDER = new Set(['earlier turns', 'template', 'item_reference', 'compaction', 'encrypted']);

/**
 * What a policy's `unreadable` reports. Its score is 0, since an image or a recording says nothing about an attack: it leaves
 * `threat_score` alone.
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

/** Of what was skipped, the content that came with the request, or that it names for the provider to fetch. */
export function isUnreadable({ what }: Skipped): boolean {
  return !KEPT_BY_PROVIDER.has(what);
}
