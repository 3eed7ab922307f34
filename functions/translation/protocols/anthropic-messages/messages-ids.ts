import { isObject } from '../../../kernel/json/index.ts';
import type { Steps } from '../../../kernel/tasks/index.ts';
import { FREE_MEMBERS, type IdRules, namedAt, namedIn, namedInPart } from '../bodies/named-ids.ts';
import type { NamedId } from '../protocol.ts';
import { MESSAGES_PLACES } from './messages-request-texts.ts';

const RULES: IdRules = {
  members: { file_id: 'File', container: 'Container', user_profile_id: 'User profile', workspace_id: 'Workspace' },
  places: MESSAGES_PLACES,
  harmless: `container.id container.skills[].skill_id diagnostics.previous_message_id thread.previous_message_id
    mcp_servers[].authorization_token messages[].content[].source messages[].content[].caller.tool_id *.tab_id *.download_id
    *.state_changes`,
  free: FREE_MEMBERS,
};

/**
 * By these codes Anthropic's clients send the whole conversation again: in a new thread, or without one.
 * https://platform.claude.com/docs/en/build-with-claude/message-threads
 */
const THREAD_NOT_FOUND = { error_code: 'thread_not_found' };
export const THREAD_UNSUPPORTED = { error_code: 'thread_unsupported_request' };

/** The ids in a request that name resources stored at Anthropic: files, containers, skills of the account. */
export function* namedInMessages(value: unknown): Steps<NamedId[]> {
  if (!isObject(value)) return [];
  const { container, diagnostics, thread } = value;
  const named = yield* namedIn(value, RULES);
  if (isObject(thread)) {
    const previous = namedAt(thread.previous_message_id, 'Message', 'thread.previous_message_id');
    named.push(...previous.map((one) => ({ ...one, continues: true as const, details: THREAD_NOT_FOUND })));
  }
  if (isObject(diagnostics)) {
    const compared = namedAt(diagnostics.previous_message_id, 'Message', 'diagnostics.previous_message_id');
    named.push(...compared.map((one) => ({ ...one, isCompared: true as const })));
  }
  if (!isObject(container)) return named;
  named.push(...namedAt(container.id, 'Container', 'container.id'));
  const skills = Array.isArray(container.skills) ? container.skills : [];
  skills.forEach((skill: unknown, at) => {
    // Anthropic's own skills have public names.
    if (!isObject(skill) || skill.type === 'anthropic') return;
    named.push(...namedAt(skill.skill_id, 'Skill', `container.skills[${at}].skill_id`));
  });
  return named;
}

/** Whether a later request may name the response message by id. */
export function isDiagnosed(value: unknown): boolean {
  return isObject(value) && isObject(value.diagnostics);
}

/**
 * The ids in a response, whole or one event: its container, and files that its code wrote. @param isDiagnosed whether later requests may
 * name the message by id
 */
export function idsInMessagesResponse(piece: Readonly<Record<string, unknown>>, isDiagnosed: boolean): string[] {
  const { message, delta, content_block } = piece;
  const holder = isObject(message) ? message : isObject(delta) ? delta : piece;
  const { id, container, content } = holder;
  const named = [
    ...namedAt(isDiagnosed ? id : undefined, '', ''),
    ...namedAt(isObject(container) ? container.id : undefined, '', ''),
    ...namedInPart(content_block ?? content, RULES),
  ];
  return named.map((one) => one.id);
}
