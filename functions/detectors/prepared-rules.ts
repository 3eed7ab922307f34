import type { PreparedRules } from '../core/inspect/rules/rule-library.ts';
import codes from './patterns.generated.json' with { type: 'json' };

/** What spares a start the compiling of the built-in rules. A bundle has them linked as well, in the place of this: scripts/linked-patterns.mjs */
export const PREPARED_RULES: PreparedRules = { codes };
