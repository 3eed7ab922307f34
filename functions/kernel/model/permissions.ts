/** What a key may do; also accepted as a path. */
export const PERMISSIONS = [
  'chat_completions',
  'completions',
  'embeddings',
  'images',
  'audio',
  'mcp',
  'batches',
  'analytics',
  'approvals',
  'security',
  'operator',
  'admin',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

const BY_PATH: Readonly<Record<string, Permission>> = {
  '/v1/chat/completions': 'chat_completions',
  '/v1/completions': 'completions',
  '/v1/embeddings': 'embeddings',
  '/v1/images/generations': 'images',
  '/v1/images/edits': 'images',
  '/v1/audio/transcriptions': 'audio',
  '/v1/audio/translations': 'audio',
  '/v1/audio/speech': 'audio',
  '/v1/analytics': 'analytics',
  '/v1/approvals': 'approvals',
  '/v1/admin': 'admin',
};

/** The permission of an identifier or path; undefined for other text. */
export function readPermission(text: string): Permission | undefined {
  if ((PERMISSIONS as readonly string[]).includes(text)) return text as Permission;
  return Object.hasOwn(BY_PATH, text) ? BY_PATH[text] : undefined;
}

export interface Grants {
  readonly permissions: readonly Permission[];
  readonly excludePermissions: readonly Permission[];
}

/** What a permission grants besides itself. */
const INCLUDED: Readonly<Partial<Record<Permission, readonly Permission[]>>> = {
  security: ['analytics', 'approvals'],
  operator: ['analytics'],
  admin: PERMISSIONS,
};

/** `admin` grants everything, `security` and `operator` some others; an exclusion wins over any grant. */
export function isPermitted(grants: Grants, wanted: Permission): boolean {
  if (grants.excludePermissions.includes(wanted)) return false;
  return grants.permissions.some((one) => one === wanted || INCLUDED[one]?.includes(wanted));
}
