import type { CreateKey } from '../../api/client.ts';
import type { Form } from '../../components/field-form.ts';
import { newKeyForm } from './key-form.ts';

export interface KeyTemplate {
  readonly id: string;
  readonly name: string;
  readonly note: string;
  /** What differs from the API's defaults. */
  readonly changes: Partial<CreateKey>;
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
    changes: {
      rateLimit: { requests: 3000, period: 'hour' },
      maxConcurrent: 8,
      budget: { usd: 20, period: 'day' },
    },
  },
  {
    id: 'evaluation',
    name: 'Evaluation',
    note: 'Batches of test texts, attacks included: the preset monitor, 10,000 requests an hour, 50 US dollars a month.',
    changes: {
      permissions: ['chat_completions', 'completions', 'embeddings'],
      rateLimit: { requests: 10_000, period: 'hour' },
      maxConcurrent: 32,
      budget: { usd: 50, period: 'month' },
      policy: { preset: 'monitor' },
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
export function fromTemplate(id: string, name: string): Form {
  const template = KEY_TEMPLATES.find((one) => one.id === id) ?? KEY_TEMPLATES[0];
  return newKeyForm({ ...template.changes, name });
}
