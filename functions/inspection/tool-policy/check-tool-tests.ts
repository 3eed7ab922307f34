import { GatewayError, toParam } from '../../kernel/errors/index.ts';
import type { PolicySettings, ThreatType, ToolPolicy, ToolRule, ToolRuleExample } from '../../kernel/model/index.ts';
import { FLAG_FROM } from '../../kernel/policies/index.ts';
import { type CallWords, kindOf, loadCallWords } from '../tool-calls/index.ts';
import { CallArguments, type FoundValue } from './call-arguments.ts';
import { type CompiledRule, CompiledToolPolicy } from './compile-tool-policy.ts';
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
    checkRule(rule, (example) => tryExample(alone, example, words, typesIn), place);
  }
}

/** What a rule says about a call. `because`: about its arguments, with the form of their values and without the values. */
interface Tried {
  readonly violates: boolean;
  readonly because: string;
}

function checkRule({ tests }: ToolRule, tryIt: (example: ToolRuleExample) => Tried, path: PropertyKey[]): void {
  for (const [kind, expected] of [['match', true] as const, ['noMatch', false] as const]) {
    for (const [at, example] of (tests?.[kind] ?? []).entries()) {
      const { violates, because } = tryIt(example);
      if (violates === expected) continue;
      const param = toParam([...path, kind, at]);
      const problem = violates ? 'the call violates the rule' : 'the call does not violate the rule';
      throw new GatewayError('invalid_value', `'${param}': ${problem}: ${because}.`, { param });
    }
  }
}

function tryExample(
  policy: CompiledToolPolicy,
  { messages, call }: ToolRuleExample,
  words: CallWords,
  typesIn: TypesIn,
): Tried {
  const transcript = new Transcript([], words);
  const made: { readonly tool: string; readonly written: string }[] = [];
  for (const { role, content = '', name, calls = [] } of messages) {
    const madeBy = made.filter(({ tool }) => tool === name).map(({ written }) => written);
    const author = role === 'developer' ? 'system' : role;
    if (content !== '') transcript.add({ author, text: content, tool: name, madeBy });
    for (const { name: tool, arguments: args } of calls) {
      transcript.addCall({ tool });
      made.push({ tool, written: typeof args === 'string' ? args : JSON.stringify(args) });
    }
  }
  const { name: tool, arguments: written } = call;
  const text = typeof written === 'string' ? written : JSON.stringify(written);
  const [rule] = policy.rulesFor(tool, transcript.effectOf(tool));
  if (rule === undefined) return { violates: false, because: 'the rule is not for this tool' };
  const { violations, reservations } = decideCall(policy, { tool, arguments: text, transcript, typesIn });
  // Nothing was spent before an example.
  const exceeded = reservations.find(({ amount, max }) => amount > max);
  const sum = exceeded && { argument: exceeded.arg, reason: `brings the sum above ${exceeded.max}` };
  const [violation = sum] = violations;
  const args = new CallArguments(text);
  if (violation !== undefined) return { violates: true, because: sentenceOf(violation, rule, args) };
  const isWaiting = rule.after !== undefined && !policy.hasOccurred(rule.after, transcript);
  return { violates: false, because: isWaiting ? "'messages' have nothing of 'after'" : formsOf(rule, args) };
}

function sentenceOf(
  { argument, reason }: { readonly argument: string | null; readonly reason: string },
  rule: CompiledRule,
  args: CallArguments,
): string {
  if (argument === null) return `it ${reason}`;
  const found = pathsOf(rule).flatMap(({ path }) => args.at(path).values.find((one) => one.path === argument) ?? []);
  const form = found[0] === undefined || 'fault' in found[0] ? '' : ` (${formOf(found[0])})`;
  return `its argument "${argument}"${form} ${reason}`;
}

/** The arguments that a rule looks at, by name and form. */
function formsOf(rule: CompiledRule, args: CallArguments): string {
  const paths = pathsOf(rule);
  if (paths.length === 0) return "the user's message asks for it";
  const forms = paths.map(({ argument, path }) => {
    const [first, ...more] = args.at(path).values;
    if (first === undefined) return `argument "${argument}" has no value`;
    return `argument "${argument}" fits (${formOf(first)}${more.length > 0 ? `, and ${more.length} more` : ''})`;
  });
  return [...new Set(forms)].join(', ');
}

function pathsOf({ conditions, total }: CompiledRule) {
  const { arg, path } = total ?? {};
  return arg === undefined || path === undefined ? conditions : [...conditions, { argument: arg, path }];
}

function formOf(found: FoundValue): string {
  if (!('value' in found)) return found.fault;
  const { value } = found;
  if (typeof value !== 'string') return typeof value;
  const kind = kindOf(value);
  const length = `text of ${value.length} characters`;
  return kind === 'name' || kind === 'text' ? length : `${kind} as a ${length}`;
}

/** Finds types in texts by the built-in rules; loaded for the rules with `without`. */
async function loadDetectors(): Promise<TypesIn> {
  const { createInspector } = await import('../detectors/index.ts');
  const inspector = createInspector();
  return (text) =>
    new Set(inspector.inspect(text, 'output').flatMap(({ rule, score }) => (score >= FLAG_FROM ? [rule.type] : [])));
}
