import type { Steps } from '../../kernel/tasks/index.ts';
import type { TextInspector } from '../matching/index.ts';
import { FLAG_FROM } from '../policy/index.ts';

/** The passwords, keys and so on in a text of a call. */
export function* secretsIn(inspector: TextInspector, text: string): Steps<readonly string[]> {
  const found = yield* inspector.inspectSteps(text, 'output', []);
  const secrets = found.filter(({ rule, score }) => rule.type === 'secret' && score >= FLAG_FROM);
  return secrets.map(({ start, end }) => text.slice(start, end));
}
