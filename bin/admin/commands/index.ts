import type { Command } from '../command.ts';
import { AUDIT_COMMANDS } from './audit.ts';
import { CONFIG_COMMANDS } from './config.ts';
import { END_USER_COMMANDS } from './end-users.ts';
import { EVENT_COMMANDS } from './events.ts';
import { KEY_COMMANDS } from './keys.ts';
import { POLICY_COMMANDS } from './policy.ts';
import { USAGE_COMMANDS } from './usage.ts';
import { WEBHOOK_COMMANDS } from './webhooks.ts';

/** Every command there is, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  ...KEY_COMMANDS,
  ...WEBHOOK_COMMANDS,
  ...POLICY_COMMANDS,
  ...USAGE_COMMANDS,
  ...EVENT_COMMANDS,
  ...AUDIT_COMMANDS,
  ...CONFIG_COMMANDS,
  ...END_USER_COMMANDS,
];
