import { type KeyForm, NEW_KEY } from './key-form.ts';

export interface KeyTemplate {
  readonly id: string;
  readonly name: string;
  readonly note: string;
  /** What differs from an empty form. */
  readonly changes: Partial<KeyForm>;
}

/** Starting points for a new key. Every field can still be changed. */
export const KEY_TEMPLATES: readonly [KeyTemplate, ...KeyTemplate[]] = [
  {
    id: 'application',
    name: 'Application',
    note: 'Chat for a service: 1,000 requests an hour.',
    changes: {},
  },
  {
    id: 'agent',
    name: 'Coding agent',
    note: 'Chat with many calls in a row: 3,000 requests an hour, 8 at a time, 20 US dollars a day.',
    changes: { requests: 3000, maxConcurrent: 8, usd: 20, usdPeriod: 'day' },
  },
  {
    id: 'evaluation',
    name: 'Evaluation',
    note: 'Batches of test texts, attacks included: the preset monitor, 10,000 requests an hour, 50 US dollars a month.',
    changes: {
      permissions: ['chat_completions', 'completions', 'embeddings'],
      requests: 10_000,
      maxConcurrent: 32,
      usd: 50,
      usdPeriod: 'month',
      policy: JSON.stringify({ preset: 'monitor' }, null, 2),
    },
  },
  {
    id: 'analytics',
    name: 'Analytics reader',
    note: 'Reads totals and findings, and signs in to the dashboard. Calls no model.',
    changes: { permissions: ['analytics'] },
  },
];

/** The form of a template; the name that is already entered stays. */
export function fromTemplate(id: string, name: string): KeyForm {
  const template = KEY_TEMPLATES.find((one) => one.id === id) ?? KEY_TEMPLATES[0];
  return { ...NEW_KEY, ...template.changes, name };
}
