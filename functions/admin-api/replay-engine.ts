import { createInspector, ruleOf, type TextInspector } from '../inspection/index.ts';
import type { ReplayEngine } from '../replay/index.ts';

let own: TextInspector | undefined;

/** The gateway's own engine. @param inspector an existing inspector to reuse; otherwise one is created on first use */
export function replayEngine(inspector: TextInspector | undefined): ReplayEngine {
  return {
    ruleOf,
    get inspector() {
      if (inspector !== undefined) return inspector;
      own ??= createInspector();
      return own;
    },
  };
}
