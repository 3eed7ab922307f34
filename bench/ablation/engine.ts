import { gatherEvidence } from '../../functions/inspection/across-texts/gather-evidence.ts';
import { ALL_RULES, createInspector } from '../../functions/inspection/detectors/index.ts';
import codes from '../../functions/inspection/detectors/patterns.generated.json' with { type: 'json' };
import type { Evidence } from '../../functions/inspection/fusion/evidence.ts';
import { fuse } from '../../functions/inspection/fusion/fuse.ts';
import { Inspector } from '../../functions/inspection/inspector/index.ts';
import { toEvidence } from '../detection/classifier-score.ts';
import { FLAG_FROM } from '../detection/figures.ts';
import { soleText } from '../detection/judge.ts';
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
      for (const { finding } of evidence) noted.add(`rules/${finding.rule.id.split('/', 1)[0]}`);
      return { found: flaggedTypes(evidence), noted: [...noted] };
    };
  }

  private evidenceOf({ text, surface, classifierScore }: InspectedText): readonly Evidence[] {
    const sole = soleText(text, surface);
    if (classifierScore === undefined) return gatherEvidence([sole], this.deployed);
    const byRules = gatherEvidence([sole], this.rules);
    return classifierScore === 'none' ? byRules : [...byRules, ...toEvidence(classifierScore, sole)];
  }
}

function flaggedTypes(evidence: readonly Evidence[]): string[] {
  const flagged = fuse(evidence, 0).filter(({ finding }) => finding.score >= FLAG_FROM);
  return [...new Set(flagged.map(({ finding }) => finding.rule.type))];
}
