import { isObject } from '../../base/json.ts';
import { type IdRules, namedAt, namedIn } from '../bodies/named-resources.ts';
import type { NamedId } from '../protocol.ts';

const RULES: IdRules = {
  members: { file_id: 'File', container: 'Container' },
  // `input` is a called tool's.
  free: new Set(['metadata', 'input', 'input_schema', 'schema', 'citations']),
};

/** The ids by which a request names what Anthropic keeps: files, containers, skills of the account. */
export function namedInMessages(value: unknown): NamedId[] {
  if (!isObject(value)) return [];
  const { container, diagnostics } = value;
  const named = namedIn(value, RULES);
  if (isObject(diagnostics)) {
    named.push(...namedAt(diagnostics.previous_message_id, 'Message', 'diagnostics.previous_message_id'));
  }
  if (!isObject(container)) return named;
  named.push(...namedAt(container.id, 'Container', 'container.id'));
  const skills = Array.isArray(container.skills) ? container.skills : [];
  skills.forEach((skill: unknown, at) => {
    // Anthropic's own have names that everybody knows.
    if (!isObject(skill) || skill.type === 'anthropic') return;
    named.push(...namedAt(skill.skill_id, 'Skill', `container.skills[${at}].skill_id`));
  });
  return named;
}

/** Whether a later request may name the message that answers this one. */
export function isDiagnosed(value: unknown): boolean {
  return isObject(value) && isObject(value.diagnostics);
}

/**
 * The ids that an answer gives, whole or one event: the container that it ran in, files that its code wrote.
 * @param isDiagnosed whether the message's own id is one that later requests name
 */
export function givenInMessages(piece: Readonly<Record<string, unknown>>, isDiagnosed: boolean): string[] {
  const { message, delta, content_block } = piece;
  const holder = isObject(message) ? message : isObject(delta) ? delta : piece;
  const { id, container, content } = holder;
  const named = [
    ...namedAt(isDiagnosed ? id : undefined, '', ''),
    ...namedAt(isObject(container) ? container.id : undefined, '', ''),
    ...namedIn(content_block ?? content, RULES),
  ];
  return named.map((one) => one.id);
}
