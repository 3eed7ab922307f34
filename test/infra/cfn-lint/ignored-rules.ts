export interface IgnoredRule {
  readonly rule: string;
  /** Only findings with this text; all of the rule's without it. */
  readonly message?: string;
  readonly reason: string;
}

/** Findings of cfn-lint that are no faults. One that no template has any more fails the run. */
export const IGNORED_RULES: readonly IgnoredRule[] = [
  { rule: 'I1022', reason: 'CDK writes Fn::Join where Fn::Sub would do' },
  { rule: 'W3005', reason: "CDK repeats a dependency that a property implies, to add the role's policy to it" },
  {
    rule: 'W6001',
    message: ':ExportsOutputRefFirstAdminKey',
    reason: 'the command of this output names a secret of the data stack',
  },
];
