interface NamedRule {
  readonly rule: string;
  readonly policyRule?: string | undefined;
}

/** A rule as output names it, with that of a policy's `tools` which a call violates: `tool-misuse/tool-policy (account)`. */
export function ruleName({ rule, policyRule }: NamedRule): string {
  return policyRule === undefined ? rule : `${rule} (${policyRule})`;
}
