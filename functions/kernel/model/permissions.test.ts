import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isPermitted, PERMISSIONS, readPermission } from './permissions.ts';

describe('a permission', () => {
  const some = fc.subarray([...PERMISSIONS]);
  const one = fc.constantFrom(...PERMISSIONS);

  it('that is excluded is never granted, to an administrator neither', () => {
    fc.assert(
      fc.property(some, some, one, (permissions, others, wanted) => {
        expect(
          isPermitted(
            { permissions: [...permissions, 'admin', wanted], excludePermissions: [...others, wanted] },
            wanted,
          ),
        ).toBe(false);
      }),
    );
  });

  it('that is not excluded is granted by its own name, by admin or by one that includes it, and by nothing else', () => {
    const including: Readonly<Record<string, readonly string[]>> = {
      analytics: ['security', 'operator'],
      approvals: ['security'],
    };
    fc.assert(
      fc.property(some, some, one, (permissions, excluded, wanted) => {
        const excludePermissions = excluded.filter((name) => name !== wanted);
        const granted = permissions.some((name) => [wanted, 'admin', ...(including[wanted] ?? [])].includes(name));
        expect(isPermitted({ permissions, excludePermissions }, wanted)).toBe(granted);
      }),
    );
  });

  it.each(PERMISSIONS)('is read by its name: %s', (name) => expect(readPermission(name)).toBe(name));

  it.each([
    ['/v1/chat/completions', 'chat_completions'],
    ['/v1/completions', 'completions'],
    ['/v1/embeddings', 'embeddings'],
    ['/v1/images/generations', 'images'],
    ['/v1/images/edits', 'images'],
    ['/v1/audio/transcriptions', 'audio'],
    ['/v1/audio/translations', 'audio'],
    ['/v1/audio/speech', 'audio'],
    ['/v1/analytics', 'analytics'],
    ['/v1/admin', 'admin'],
  ])('is read by its path: %s', (path, name) => expect(readPermission(path)).toBe(name));

  it.each(['', 'Admin', '/v1/admin/', 'v1/admin', 'constructor', '__proto__', 'toString'])(
    'is not read from %j',
    (text) => expect(readPermission(text)).toBeUndefined(),
  );
});
