export { gatherEvidence, gatherSteps } from './gather-evidence.ts';
export { isInspectedAlone, isInspectedAsName } from './name-texts.ts';
