import {
  type Action,
  type ModerationField,
  type ModerationReport,
  OWN_MODERATION_MODEL,
  type PolicySettings,
} from '../../kernel/model/index.ts';
import { FLAG_FROM } from '../../kernel/policies/index.ts';
import type { Evidence } from '../fusion/index.ts';
import type { Finding } from '../matching/index.ts';
import { decidingSurface, type Policy, policyOf } from '../policy/index.ts';
import { moderationResult } from './moderation-result.ts';

interface Side {
  readonly found: Finding[];
  /** Those on which the policy acts. */
  readonly acting: Finding[];
}

/** What a client requested with the field `moderation`, and the findings in the request and the response so far. */
export class RequestedModeration {
  /** The key's policy; a blocked side also blocks toxic language from the score where it is flagged. */
  readonly policy: Policy;
  private readonly model: string;
  private readonly input: Side = { found: [], acting: [] };
  private readonly output: Side = { found: [], acting: [] };

  constructor(field: ModerationField, settings: PolicySettings) {
    const { model, policy } = typeof field === 'string' ? bothSides(field) : field;
    this.model = model ?? OWN_MODERATION_MODEL;
    this.policy = policyOf(blocking(settings, policy?.input?.mode === 'block', policy?.output?.mode === 'block'));
  }

  takeInput(evidence: readonly Evidence[]): void {
    for (const { finding, text } of evidence)
      take(this.input, finding, this.policy.decide(finding, decidingSurface(text)));
  }

  takeOutput(finding: Finding, action: Action): void {
    take(this.output, finding, action);
  }

  report(): ModerationReport {
    const [input, output] = [this.input, this.output].map(({ found, acting }) => moderationResult(found, acting));
    return { model: this.model, input, output } as ModerationReport;
  }
}

function bothSides(mode: 'score' | 'block'): Exclude<ModerationField, string> {
  return { policy: { input: { mode }, output: { mode } } };
}

function take(side: Side, finding: Finding, action: Action): void {
  side.found.push(finding);
  if (action !== 'allow') side.acting.push(finding);
}

/** Derived policies by their base policy and for its lifetime, so that each is compiled once. */
const made = new WeakMap<PolicySettings, Map<string, PolicySettings>>();

function blocking(settings: PolicySettings, input: boolean, output: boolean): PolicySettings {
  if (!input && !output) return settings;
  const variants = made.get(settings) ?? new Map<string, PolicySettings>();
  made.set(settings, variants);
  const name = `${input} ${output}`;
  const toxicity = { action: 'block', threshold: FLAG_FROM } as const;
  const variant = variants.get(name) ?? {
    ...settings,
    ...(input && { input: { ...settings.input, toxicity } }),
    ...(output && { output: { ...settings.output, toxicity } }),
  };
  variants.set(name, variant);
  return variant;
}
