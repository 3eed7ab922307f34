export interface IgnoredRule {
  readonly rule: string;
  readonly reason: string;
}

/** Findings of cfn-lint that are no faults. One that no template has any more fails the run. */
export const IGNORED_RULES: readonly IgnoredRule[] = [
  { rule: 'I1022', reason: 'CDK writes Fn::Join where Fn::Sub would do' },
  { rule: 'W3005', reason: "CDK repeats a dependency that a property implies, to add the role's policy to it" },
  { rule: 'W3011', reason: 'webFunction.keepRevisions keeps replaced revisions; the newest goes with the stack' },
];
