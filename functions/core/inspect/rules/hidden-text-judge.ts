import type { Finding } from '../finding.ts';
import type { TextViews } from '../views/text-views.ts';
import type { StreamPlan } from './stream-plan.ts';

/** Inspects the text that is hidden (encoded or disguised) in a text of one surface. */
export interface HiddenTextJudge {
  /** The surface's rules, none of which acts. */
  readonly plan: StreamPlan;
  /** The same without rules for what is no attack: only attacks are looked for where a text is read in another way. */
  readonly attacks: StreamPlan;
  /** The classifier's judgements of a whole text. */
  readonly judge: (text: TextViews) => readonly Finding[];
}
