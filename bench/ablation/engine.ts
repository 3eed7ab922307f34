import { gatherEvidence } from '../../functions/inspection/across-texts/gather-evidence.ts';
import { ALL_RULES, createInspector } from '../../functions/inspection/detectors/index.ts';
import codes from '../../functions/inspection/detectors/patterns.generated.json' with { type: 'json' };
import { fuse } from '../../functions/inspection/fusion/fuse.ts';
import { Inspector } from '../../functions/inspection/inspector.ts';
import { FLAG_FROM } from '../detection/figures.ts';
import { soleText } from '../detection/judge.ts';
import { toEvidence } from '../detection/judgement.ts';
import { switchOff } from '../detection/without.ts';
import type { InspectedText } from './texts.ts';

/** The types of the findings of a text that the default policy flags. */
export type FindTypes = (text: InspectedText) => readonly string[];

/**
 * The engine without some parts. This module is loaded once for each engine (see `load-engine.ts`), because a part is switched off for all
 * inspectors of a module graph.
 */
export function createEngine(withoutParts: readonly string[]): FindTypes {
  for (const part of withoutParts) switchOff(part);
  const deployed = createInspector();
  const rules = new Inspector(ALL_RULES, undefined, codes);
  return ({ text, surface, judgement }) => {
    const sole = soleText(text, surface);
    const evidence =
      judgement === undefined
        ? gatherEvidence([sole], deployed)
        : [...gatherEvidence([sole], rules), ...(judgement === 'none' ? [] : toEvidence(judgement, sole))];
    const flagged = fuse(evidence, 0).filter(({ finding }) => finding.score >= FLAG_FROM);
    return [...new Set(flagged.map(({ finding }) => finding.rule.type))];
  };
}
