import { describe, expect, it } from '@jest/globals';
import { evidenceOf } from './call-evidence.ts';
import { valuesOf } from './call-values.ts';
import { Conversation } from './conversation.ts';
import { patchedFiles } from './patched-files.ts';

const CODEX = `*** Begin Patch
*** Update File: test/fees.test.js
*** Move to: test/fee.test.js
@@
-  assert.equal(feeFor({ priceCents: 1500 }), 40);
+  assert.equal(feeFor({ priceCents: 1500 }), 50);
*** Add File: docs/fees.md
+See https://fees.example/new and mail ops@fees.example.
*** End Patch`;
const DIFF = 'diff --git a/src/a.js b/src/a.js\n--- a/src/a.js\n+++ b/src/a.js\n@@ -1 +1 @@\n-1500\n+1600\n';

describe('the files of a patch', () => {
  it.each([
    ['in the form of Codex', CODEX, ['test/fees.test.js', 'test/fee.test.js', 'docs/fees.md']],
    ['as a diff of Git', DIFF, ['src/a.js']],
    ['as a diff that adds a file', '--- /dev/null\n+++ b/src/new.js\n@@ -0,0 +1 @@\n+x', ['src/new.js']],
    ['of a text that has one further down', `Please apply:\n${CODEX}`, []],
    ['of a text with a line', '--- \nKim', []],
  ])('%s', (_, text, files) => expect(patchedFiles(text)).toEqual(files));
});

describe('the values of a patch', () => {
  const textsOf = (input: string, effect: 'write' | 'send') =>
    valuesOf({ input }, undefined, effect).map(({ text }) => text);

  it('are what leads out of the workspace: other numbers and names decide nothing', () => {
    expect(textsOf(CODEX, 'write')).toEqual(['https://fees.example/new', 'ops@fees.example']);
    expect(textsOf(CODEX.replace('docs/fees.md', '/etc/cron.d/fees'), 'write')).toContain('/etc/cron.d/fees');
  });

  it('are all of them if the tool sends it', () => {
    expect(textsOf(DIFF, 'send')).toContain('1500');
  });
});

it.each([{ input: DIFF }, DIFF])('a patch of the workspace harms by none of its values: %#', (args) => {
  const conversation = new Conversation([]);
  const models = { orders: () => 0, defers: () => 0, wording: () => 0 } as never;
  expect(evidenceOf(conversation, { tool: 'apply_patch', arguments: args }, models).isHarmless).toBe(true);
});
