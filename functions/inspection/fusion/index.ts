export type { Evidence, TextRange } from './evidence.ts';
export { fuseSteps, isOfLastTurn, weigh } from './fuse.ts';
export { opensNarration } from './passage-wording.ts';
export { isClassifierFinding } from './score-shifts.ts';
