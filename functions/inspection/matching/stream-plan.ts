import { ATTACK_TYPES, type ThreatType } from '../../kernel/model/index.ts';
import { type TextViews, VIEWS, type View } from '../views/index.ts';
import type { Finding } from './finding.ts';
import { isLateSignal, type Rule, type Signal } from './rule.ts';
import type { CompiledRules, RuleLibrary } from './rule-library.ts';

/** The rules of one view: those that hold text back until they are certain, and those that only watch. */
export interface ViewPlan {
  readonly view: View;
  readonly holding: CompiledRules | undefined;
  readonly watching: CompiledRules | undefined;
}

/** How a text of one surface is inspected when a given set of its rules acts. */
export interface StreamPlan {
  readonly views: readonly ViewPlan[];
  readonly signals: ReadonlyMap<Signal, readonly Rule[]>;
}

/** `library` contains the rules, and maybe others. */
export function planStream(rules: readonly Rule[], acts: (rule: Rule) => boolean, library: RuleLibrary): StreamPlan {
  const signals = new Map<Signal, Rule[]>();
  for (const rule of rules) {
    if (rule.signal !== undefined) signals.set(rule.signal, [...(signals.get(rule.signal) ?? []), rule]);
  }
  // A disguise is found with the attack in it, so it is found in time only if all attacks are.
  const disguiseActs = [...signals].some(([signal, reporting]) => !isLateSignal(signal) && reporting.some(acts));
  const holds = (rule: Rule) => acts(rule) || (disguiseActs && isHideable(rule));
  const patterned = rules.filter((rule) => rule.patterns.length > 0 || rule.cues !== undefined);
  const views = VIEWS.flatMap((view) => {
    const reading = patterned.filter((rule) => rule.view === view);
    const holding = reading.filter(holds);
    const watching = reading.filter((rule) => !holds(rule));
    if (reading.length === 0) return [];
    const compiled = (rules: readonly Rule[]) => (rules.length === 0 ? undefined : library.compiled(rules, view));
    return [{ view, holding: compiled(holding), watching: compiled(watching) }];
  });
  return { views, signals };
}

const HIDEABLE: ReadonlySet<ThreatType> = new Set(ATTACK_TYPES.filter((type) => type !== 'obfuscation'));

/** Whether hiding a match is an attack by itself: a card number with a soft hyphen in it is only typography. */
export function isHideable({ type, inDefinitions }: Rule): boolean {
  return HIDEABLE.has(type) && inDefinitions !== 'only';
}

/** Inspects the text that is hidden (encoded or disguised) in a text of one surface. */
export interface HiddenTextInspector {
  /** The surface's rules, none of which acts. */
  readonly plan: StreamPlan;
  /** The same with rules for attacks only, for other readings of a text. */
  readonly attacks: StreamPlan;
  /** The classifier's findings in a whole text. */
  readonly classify: (text: TextViews) => readonly Finding[];
}
