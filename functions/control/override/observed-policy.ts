import type { PolicySettings } from '../../kernel/model/index.ts';

type Types = Readonly<Record<string, { readonly action: string } | undefined>>;

/** By the policy and for its lifetime, so that each is compiled once. */
const made = new WeakMap<PolicySettings, PolicySettings>();

/**
 * The policy with every action reduced to `flag`, those of its rules and tools included. What could not be inspected passes. Limits, captures
 * and a shadow policy stay.
 */
export function observedPolicy(settings: PolicySettings): PolicySettings {
  const known = made.get(settings);
  if (known !== undefined) return known;
  const observed = observe(settings);
  made.set(settings, observed);
  return observed;
}

function observe(settings: PolicySettings): PolicySettings {
  const { preset, input, output, rules, bannedTopics, tools, unreadable } = settings;
  // Under `strict` contact details in requests are findings, under `monitor` they are only recorded.
  const contacts = preset === 'strict' && input?.pii === undefined ? { pii: { action: 'flag' } } : {};
  return {
    ...settings,
    // It flags all types from the same score as the other presets.
    preset: 'monitor',
    input: { ...contacts, ...flagged(input) },
    output: { ...flagged(output) },
    ...(rules && { rules: rules.map((rule) => ({ ...rule, action: 'flag' })) }),
    ...(bannedTopics && { bannedTopics: bannedTopics.map((topic) => ({ ...topic, action: 'flag' })) }),
    ...(tools && { tools: flaggedTools(tools) }),
    ...(unreadable === 'block' && { unreadable: 'flag' }),
    onDetectorFailure: 'pass',
  } as PolicySettings;
}

function flagged(types: Types = {}): Types {
  return Object.fromEntries(
    Object.entries(types).map(([type, rule]) => [
      type,
      rule === undefined || rule.action === 'off' ? rule : { ...rule, action: 'flag' },
    ]),
  );
}

function flaggedTools(tools: NonNullable<PolicySettings['tools']>): object {
  const { unlisted, pin, rules } = tools;
  return {
    ...tools,
    ...(unlisted === 'block' && { unlisted: 'flag' }),
    ...(pin === 'block' && { pin: 'flag' }),
    ...(rules && { rules: rules.map((rule) => ({ ...rule, action: 'flag' })) }),
  };
}
