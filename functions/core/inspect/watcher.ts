import type { Finding } from './finding.ts';
import type { StreamPlan } from './stream-plan.ts';

/** Who judges the text that was hidden in a text of one surface. */
export interface Watcher {
  /** The surface's rules, none of which acts. */
  readonly plan: StreamPlan;
  /** The classifier's judgement of a text, where there is one. */
  readonly judge: (text: string) => Finding | undefined;
}
