import { LRUCache } from 'lru-cache';
import { isAttackType, SURFACES, type Surface } from '../../kernel/model/index.ts';
import type { Steps } from '../../kernel/tasks/index.ts';
import { SentenceScorer } from '../classification/index.ts';
import {
  type ConcatenatedReading,
  compareFindings,
  type Finding,
  type HiddenTextInspector,
  planStream,
  type Reading,
  type ResponseDetector,
  type Rule,
  type RuleCodes,
  RuleLibrary,
  type Signal,
  type StreamPlan,
  type TextClassifier,
  TextInspector,
  TextStream,
  withoutDecoding,
} from '../matching/index.ts';
import type { TextViews } from '../views/index.ts';
import { boundaryRanges, type Pieces } from './boundary-ranges.ts';

/** Cached plans for each surface; policies with the same acting rules share one. */
const MAX_PLANS = 32;

/**
 * Inspects texts by a list of rules. Patterns are linked on the first text; what a surface or a set of acting rules needs besides is built
 * on first use.
 */
export class Inspector extends TextInspector {
  private readonly surfaces = new Map<Surface, SurfacePlans>();
  private readonly rules: readonly Rule[];
  private readonly documented: readonly Rule[];
  private readonly library: RuleLibrary;
  private readonly classifier: TextClassifier | undefined;

  /** Throws if two rules share an id. */
  constructor(rules: readonly Rule[], classifier?: TextClassifier, codes?: RuleCodes) {
    super();
    const ids = new Set<string>();
    for (const { id } of rules) {
      if (ids.has(id)) throw new Error(`two rules have the id ${id}`);
      ids.add(id);
    }
    this.rules = rules;
    this.documented = rules.filter(({ documented }) => documented !== undefined);
    this.library = new RuleLibrary(rules, codes);
    this.classifier = classifier;
  }

  /**
   * All findings in a whole text, ordered by position; ranges in UTF-16 code units of the text. Includes the classifier's findings at any
   * score, or in a response only at a high one. `detectors` look for what is specific to this request.
   */
  inspectSteps(
    text: string,
    surface: Surface,
    detectors: readonly ResponseDetector[] = [],
    { isClassified = true, isReadWhole = false, pieces }: Partial<ConcatenatedReading> = {},
  ): Steps<Finding[]> {
    const { hiddenText } = this.plansOf(surface);
    const open = () => new TextStream(hiddenText.plan, hiddenText, this.detectorsFor(surface, detectors));
    if (isClassified) return open().inspectWhole(text);
    return pieces === undefined || isReadWhole ? open().readWhole(text) : readBoundaries(text, pieces, open);
  }

  findExamples(text: string, surface: Surface): Finding[] {
    const rules = this.documented.filter(({ surfaces }) => surfaces.includes(surface));
    return rules.flatMap((rule) => examplesOf(rule, text)).sort(compareFindings);
  }

  /** Builds what the first text on each surface would otherwise wait for. */
  warmUp(): void {
    for (const surface of SURFACES) this.inspect('warm up', surface);
  }

  /** Inspects a text that arrives in pieces; only rules for which `acts` holds keep text from being settled. */
  open(
    surface: Surface,
    acts: (rule: Rule) => boolean,
    detectors: readonly ResponseDetector[] = [],
    _isNew?: (finding: Finding) => boolean,
    reading: Reading = 'whole',
  ): TextStream {
    const plans = this.plansOf(surface);
    if (reading === 'shallow') return new TextStream(plans.planFor(acts), plans.hiddenText, [], withoutDecoding());
    const all = reading === 'unclassified' ? detectors : this.detectorsFor(surface, detectors, acts);
    return new TextStream(plans.planFor(acts), plans.hiddenText, all);
  }

  /** Responses are scored sentence by sentence, since they arrive in pieces. */
  private detectorsFor(
    surface: Surface,
    detectors: readonly ResponseDetector[],
    acts: (rule: Rule) => boolean = () => false,
  ): readonly ResponseDetector[] {
    const rules = surface === 'output' ? this.classifier?.rulesFor(surface) : undefined;
    if (this.classifier === undefined || rules === undefined || rules.length === 0) return detectors;
    return [...detectors, new SentenceScorer(this.classifier, rules.some(acts))];
  }

  /** The rules for signals that no pattern matches. */
  rulesForSignal(signal: Signal, surface: Surface): readonly Rule[] {
    return this.plansOf(surface).hiddenText.plan.signals.get(signal) ?? [];
  }

  private classify(text: TextViews, surface: Surface): Finding[] {
    if (this.classifier === undefined || surface === 'output' || this.classifier.rulesFor(surface).length === 0)
      return [];
    const verdicts = this.classifier.classify(text.shown('folded'), surface);
    const positions = text.positions('folded');
    return verdicts.map(({ rule, score, start, end }) => ({
      rule,
      score,
      start: positions.rawStart(start),
      end: positions.rawEnd(end),
      decodedFrom: [],
    }));
  }

  private plansOf(surface: Surface): SurfacePlans {
    let plans = this.surfaces.get(surface);
    if (plans === undefined) {
      const rules = this.rules.filter((rule) => rule.surfaces.includes(surface));
      plans = new SurfacePlans(rules, this.library, (text) => this.classify(text, surface));
      this.surfaces.set(surface, plans);
    }
    return plans;
  }
}

/** The findings around the boundaries of a joined text. */
function* readBoundaries(text: string, pieces: Pieces, open: () => TextStream): Steps<Finding[]> {
  const findings: Finding[] = [];
  for (const range of boundaryRanges(text, pieces)) {
    for (const finding of yield* open().readWhole(text.slice(range.start, range.end)))
      findings.push({ ...finding, start: range.start + finding.start, end: range.start + finding.end });
    if (yield) break;
  }
  return findings;
}

function examplesOf(rule: Rule, text: string): Finding[] {
  return (rule.documented?.(text) ?? []).map((range) => ({ rule, score: 0, ...range, decodedFrom: [] }));
}

class SurfacePlans {
  private readonly rules: readonly Rule[];
  private readonly library: RuleLibrary;
  private readonly plans = new LRUCache<string, StreamPlan>({ max: MAX_PLANS });
  /** By function identity, so that a policy in use does not check every rule again. */
  private readonly byFunction = new WeakMap<(rule: Rule) => boolean, StreamPlan>();
  private readonly classify: HiddenTextInspector['classify'];
  private whole: HiddenTextInspector | undefined;

  constructor(rules: readonly Rule[], library: RuleLibrary, classify: HiddenTextInspector['classify']) {
    this.rules = rules;
    this.library = library;
    this.classify = classify;
  }

  /** Inspects whole texts and text hidden in others; no rule acts. */
  get hiddenText(): HiddenTextInspector {
    this.whole ??= new SurfaceTextInspector(this.rules, this.library, this.classify);
    return this.whole;
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
      plan = planStream(this.rules, acts, this.library);
      this.plans.set(acting, plan);
    }
    return plan;
  }
}

class SurfaceTextInspector implements HiddenTextInspector {
  readonly plan: StreamPlan;
  readonly classify: HiddenTextInspector['classify'];
  private readonly rules: readonly Rule[];
  private readonly library: RuleLibrary;
  private attacksPlan: StreamPlan | undefined;

  constructor(rules: readonly Rule[], library: RuleLibrary, classify: HiddenTextInspector['classify']) {
    this.plan = planStream(rules, () => false, library);
    this.classify = classify;
    this.rules = rules;
    this.library = library;
  }

  get attacks(): StreamPlan {
    this.attacksPlan ??= planStream(this.rules.filter(isForAttacks), () => false, this.library);
    return this.attacksPlan;
  }
}

function isForAttacks(rule: Rule): boolean {
  return rule.patterns.length === 0 || isAttackType(rule.type);
}
