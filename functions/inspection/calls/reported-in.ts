import { FLAG_FROM } from '../../kernel/policies/index.ts';
import type { Steps } from '../../kernel/tasks/index.ts';
import type { Finding, TextInspector } from '../matching/index.ts';

/** The findings in a text of a call that would be reported. All of it is inspected: the end of a CPU budget would hide the rest. */
export function* reportedIn(inspector: TextInspector, text: string): Steps<readonly Finding[]> {
  const steps = inspector.inspectSteps(text, 'output', []);
  for (let step = steps.next(false); ; step = steps.next(false)) {
    if (step.done) return step.value.filter(({ score }) => score >= FLAG_FROM);
    yield;
  }
}

/** The passwords, keys and so on in a text of a call. */
export function* secretsIn(inspector: TextInspector, text: string): Steps<readonly string[]> {
  const found = yield* reportedIn(inspector, text);
  return found.flatMap(({ rule, start, end }) => (rule.type === 'secret' ? [text.slice(start, end)] : []));
}
