import { gatherEvidence } from '../../functions/inspection/across-texts/gather-evidence.ts';
import { ALL_RULES, createInspector } from '../../functions/inspection/detectors/index.ts';
import codes from '../../functions/inspection/detectors/patterns.generated.json' with { type: 'json' };
import type { Evidence } from '../../functions/inspection/fusion/evidence.ts';
import { fuse } from '../../functions/inspection/fusion/fuse.ts';
import { Inspector } from '../../functions/inspection/inspector.ts';
import { FLAG_FROM } from '../detection/figures.ts';
import { soleText } from '../detection/judge.ts';
import { toEvidence } from '../detection/judgement.ts';
import { switchOff } from '../detection/without.ts';
import type { InspectedText } from './texts.ts';
import { tracePart } from './trace.ts';

/**
 * The engine without some parts. This module is loaded once for each engine (see `load-engine.ts`), because a part is switched off for all
 * inspectors of a module graph.
 */
export class Engine {
  private readonly deployed: Inspector;
  private readonly rules: Inspector;

  constructor(withoutParts: readonly string[]) {
    for (const part of withoutParts) switchOff(part);
    this.deployed = createInspector();
    this.rules = new Inspector(ALL_RULES, undefined, codes);
  }

  /** The types of the findings that the default policy flags. */
  find(text: InspectedText): string[] {
    return flaggedTypes(this.evidenceOf(text));
  }

  /** The same, and the parts that do something with the text. Cannot be undone. */
  traced(): (text: InspectedText) => { found: string[]; noted: string[] } {
    let noted = new Set<string>();
    tracePart((part) => noted.add(part));
    return (text) => {
      noted = new Set();
      const evidence = this.evidenceOf(text);
      const families = evidence.map(({ finding }) => `rules/${finding.rule.id.split('/', 1)[0]}`);
      return { found: flaggedTypes(evidence), noted: [...noted.union(new Set(families))] };
    };
  }

  private evidenceOf({ text, surface, judgement }: InspectedText): readonly Evidence[] {
    const sole = soleText(text, surface);
    if (judgement === undefined) return gatherEvidence([sole], this.deployed);
    const byRules = gatherEvidence([sole], this.rules);
    return judgement === 'none' ? byRules : [...byRules, ...toEvidence(judgement, sole)];
  }
}

function flaggedTypes(evidence: readonly Evidence[]): string[] {
  const flagged = fuse(evidence, 0).filter(({ finding }) => finding.score >= FLAG_FROM);
  return [...new Set(flagged.map(({ finding }) => finding.rule.type))];
}
