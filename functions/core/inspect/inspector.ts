import type { Surface } from '../model/threat.ts';
import type { TextClassifier } from '../ports/text-classifier.ts';
import { compareFindings } from './compare-findings.ts';
import type { Finding } from './finding.ts';
import type { Rule, Signal } from './rule.ts';
import { planStream, type StreamPlan } from './stream-plan.ts';
import type { TextInspector } from './text-inspector.ts';
import { TextStream } from './text-stream.ts';
import { TextView } from './view/text-view.ts';

/** Plans kept for each surface; policies that differ in no acting rule share one. */
const MAX_PLANS = 32;

/** Judges texts by a list of rules. Pattern sets are compiled when a surface, or a set of acting rules, is first used. */
export class Inspector implements TextInspector {
  private readonly surfaces = new Map<Surface, SurfacePlans>();
  private readonly rules: readonly Rule[];
  private readonly classifier: TextClassifier | undefined;

  /** Throws where two rules share an id. */
  constructor(rules: readonly Rule[], classifier?: TextClassifier) {
    const ids = new Set<string>();
    for (const { id } of rules) {
      if (ids.has(id)) throw new Error(`two rules are called ${id}`);
      ids.add(id);
    }
    this.rules = rules;
    this.classifier = classifier;
  }

  /**
   * All findings in a whole text, ordered by position; ranges in UTF-16 code units of the text. The classifier's judgement
   * is one of them, however low its score.
   */
  inspect(text: string, surface: Surface): Finding[] {
    const plan = this.plansOf(surface).watching;
    const findings = new TextStream(plan, plan).end(text);
    const judged = this.classify(text, surface);
    return judged === undefined ? findings : [...findings, judged].sort(compareFindings);
  }

  /** Inspects a text that arrives in pieces; only rules for which `acts` holds keep text from being settled. */
  open(surface: Surface, acts: (rule: Rule) => boolean): TextStream {
    const plans = this.plansOf(surface);
    return new TextStream(plans.planFor(acts), plans.watching);
  }

  /** The rules for what shows in no single text. */
  noticing(signal: Signal, surface: Surface): readonly Rule[] {
    return this.plansOf(surface).watching.signals.get(signal) ?? [];
  }

  private classify(text: string, surface: Surface): Finding | undefined {
    if (this.classifier === undefined) return undefined;
    const view = new TextView('folded');
    const judgement = this.classifier.judge(view.push(text) + view.end(), surface);
    if (judgement === undefined) return undefined;
    const { rule, score } = judgement;
    const { positions } = view;
    return {
      rule,
      score,
      start: positions.rawStart(judgement.start),
      end: positions.rawEnd(judgement.end),
      decodedFrom: [],
    };
  }

  private plansOf(surface: Surface): SurfacePlans {
    let plans = this.surfaces.get(surface);
    if (plans === undefined) {
      plans = new SurfacePlans(this.rules.filter((rule) => rule.surfaces.includes(surface)));
      this.surfaces.set(surface, plans);
    }
    return plans;
  }
}

class SurfacePlans {
  private readonly rules: readonly Rule[];
  private readonly plans = new Map<string, StreamPlan>();
  /** By the function that was asked, so that a policy in use costs no look at every rule. */
  private readonly byFunction = new WeakMap<(rule: Rule) => boolean, StreamPlan>();
  private watchingPlan: StreamPlan | undefined;

  constructor(rules: readonly Rule[]) {
    this.rules = rules;
  }

  /** The plan in which nothing acts. */
  get watching(): StreamPlan {
    this.watchingPlan ??= planStream(this.rules, () => false);
    return this.watchingPlan;
  }

  planFor(acts: (rule: Rule) => boolean): StreamPlan {
    let plan = this.byFunction.get(acts);
    if (plan === undefined) {
      plan = this.planBySet(acts);
      this.byFunction.set(acts, plan);
    }
    return plan;
  }

  private planBySet(acts: (rule: Rule) => boolean): StreamPlan {
    const acting = this.rules.map((rule) => (acts(rule) ? '1' : '0')).join('');
    let plan = this.plans.get(acting);
    if (plan === undefined) {
      plan = planStream(this.rules, acts);
      const oldest = this.plans.size >= MAX_PLANS ? this.plans.keys().next().value : undefined;
      if (oldest !== undefined) this.plans.delete(oldest);
      this.plans.set(acting, plan);
    }
    return plan;
  }
}
