import { GatewayError, toParam } from '../../kernel/errors/index.ts';
import type { PolicySettings, ThreatType, ToolPolicy, ToolRule, ToolRuleExample } from '../../kernel/model/index.ts';
import { FLAG_FROM } from '../policy/index.ts';
import { type CallWords, loadCallWords } from '../tool-calls/index.ts';
import { CompiledToolPolicy } from './compile-tool-policy.ts';
import { decideCall } from './decide-call.ts';
import { Transcript } from './transcript.ts';

type TypesIn = (text: string) => ReadonlySet<ThreatType>;

/**
 * Runs the tests of a policy's rules for tools, and of its shadow's; to be called before a policy is stored. `path` is the policy's place in
 * the request.
 * @throws GatewayError `invalid_value` that names the first failed test
 */
export async function checkToolTests(settings: PolicySettings | undefined, path: readonly PropertyKey[] = []) {
  await checkTests(settings?.tools, [...path, 'tools']);
  await checkTests(settings?.shadow?.tools, [...path, 'shadow', 'tools']);
}

async function checkTests(tools: ToolPolicy | undefined, path: readonly PropertyKey[]): Promise<void> {
  const rules = tools?.rules ?? [];
  const tested = rules.filter(({ tests }) => (tests?.match?.length ?? 0) + (tests?.noMatch?.length ?? 0) > 0);
  if (tested.length === 0) return;
  const words = await loadCallWords();
  const readsTypes = tested.some(({ args = {} }) => Object.values(args).some(({ without }) => without !== undefined));
  const typesIn = readsTypes ? await loadDetectors() : () => new Set<ThreatType>();
  for (const rule of tested) {
    const alone = new CompiledToolPolicy({ ...tools, unlisted: 'allow', rules: [rule] });
    const place = [...path, 'rules', rules.indexOf(rule), 'tests'];
    checkRule(rule, (example) => violates(alone, example, words, typesIn), place);
  }
}

function checkRule({ tests }: ToolRule, violatesIt: (example: ToolRuleExample) => boolean, path: PropertyKey[]): void {
  for (const [kind, expected] of [['match', true] as const, ['noMatch', false] as const]) {
    const failed = (tests?.[kind] ?? []).findIndex((example) => violatesIt(example) !== expected);
    if (failed < 0) continue;
    const param = toParam([...path, kind, failed]);
    const problem = expected ? 'the call does not violate the rule' : 'the call violates the rule';
    throw new GatewayError('invalid_value', `'${param}': ${problem}.`, { param });
  }
}

function violates(policy: CompiledToolPolicy, { messages, call }: ToolRuleExample, words: CallWords, typesIn: TypesIn) {
  const transcript = new Transcript([], words);
  for (const { role, content = '', name, calls = [] } of messages) {
    if (content !== '') transcript.add({ author: role === 'developer' ? 'system' : role, text: content, tool: name });
    for (const { name: tool } of calls) transcript.addCall({ tool });
  }
  const { name: tool, arguments: written } = call;
  const args = typeof written === 'string' ? written : JSON.stringify(written);
  const { violations, reservations } = decideCall(policy, { tool, arguments: args, transcript, typesIn });
  // Nothing was spent before an example.
  return violations.length > 0 || reservations.some(({ amount, max }) => amount > max);
}

/** Finds types in texts by the built-in rules; loaded for the rules with `without`. */
async function loadDetectors(): Promise<TypesIn> {
  const { createInspector } = await import('../detectors/index.ts');
  const inspector = createInspector();
  return (text) =>
    new Set(inspector.inspect(text, 'output').flatMap(({ rule, score }) => (score >= FLAG_FROM ? [rule.type] : [])));
}
