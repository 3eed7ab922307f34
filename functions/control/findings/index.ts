/** Findings in OCSF for a SIEM. */
export { exportFindings, type FindingTarget } from './export-findings.ts';
export type { OcsfFinding } from './to-ocsf.ts';
