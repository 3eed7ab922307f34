import { isObject } from '../../../kernel/json/index.ts';
import type { Steps } from '../../../kernel/tasks/index.ts';
import { FREE_MEMBERS, type IdRules, namedAt, namedIn, OPENAI_IDS } from '../bodies/named-ids.ts';
import type { NamedId } from '../protocol.ts';
import { isLookedUp } from './responses-ids.ts';
import { RESPONSES_PLACES } from './responses-request-texts.ts';

const RULES: IdRules = {
  members: {
    ...OPENAI_IDS,
    // `"container": "cntr_..."`; a request for a new container is an object.
    container: 'Container',
    skill_id: 'Skill',
    tunnel_id: 'Tunnel',
    approval_request_id: 'Approval request',
  },
  places: RESPONSES_PLACES,
  harmless: `previous_response_id conversation conversation.id prompt.id input[].id *.connector_id *.caller_id *.skills
    *.network_policy input[].acknowledged_safety_checks[].id input[].pending_safety_checks[].id`,
  free: FREE_MEMBERS,
  maps: new Set(['variables']),
};

/** The ids in a request that name resources stored at the provider: an earlier response, a conversation, items, files, containers. */
export function* namedIds(value: unknown): Steps<NamedId[]> {
  if (!isObject(value)) return [];
  const { previous_response_id: previous, conversation, prompt, input } = value;
  const items = Array.isArray(input) ? input.filter(isObject) : [];
  return [
    ...namedAt(previous, 'Previous response', 'previous_response_id').map((one) => ({
      ...one,
      continues: true as const,
    })),
    ...namedAt(conversation, 'Conversation', 'conversation'),
    ...(isObject(conversation) ? namedAt(conversation.id, 'Conversation', 'conversation.id') : []),
    ...(isObject(prompt) ? namedAt(prompt.id, 'Prompt', 'prompt.id') : []),
    ...items.flatMap((item, at) => (isLookedUp(item) ? namedAt(item.id, 'Item', `input[${at}].id`) : [])),
    ...(yield* namedIn(value, RULES)),
  ];
}
