import type { Server } from './server-form.ts';

export const TRUST_NAMES: Readonly<Record<Server['trust'], string>> = {
  trusted: 'Trusted',
  public: 'Public',
  private: 'Private',
};
export const CHANGE_NAMES: Readonly<Record<Server['onChange'], string>> = {
  block: 'Withheld',
  flag: 'Flagged',
  off: 'Served',
};

/** Whether the gateway calls a server now. */
export function healthOf({ state, circuit = 'closed' }: Pick<Server, 'state' | 'circuit'>): string {
  if (state === 'disabled') return 'Disabled';
  return { closed: 'Active', half_open: 'Trying again', open: 'Failing' }[circuit];
}
