import { describe, expect, it } from '@jest/globals';
import { usesIn } from './wording.mjs';

const found = (file: string, content: string) => usesIn(file, content).map(({ line, words }) => [line, words]);

describe('words that have a standard term', () => {
  it('are found in prose, and not in code, inline code or links', () => {
    const page = 'A key stands here.\n\n```sh\necho told\n```\n\n`answer` is a [field](answer.md) of nobody.\n';
    expect(found('docs/page.md', page)).toEqual([
      [1, 'stands'],
      [7, 'nobody'],
    ]);
  });

  it('are found in comments of any code', () => {
    const code =
      "/** Whoever asks. */\nconst told = 1; // Not `told`, but he.\n/*\n * The answer.\n */\nconst a = 'stands https://x //';\n";
    expect(found('test/page.test.ts', code)).toEqual([
      [1, 'Whoever'],
      [4, 'answer'],
      [2, 'he'],
    ]);
  });

  it('are found in strings, templates and JSX text of the product alone', () => {
    const code = "throw new Error('Nobody is there');\nconst b = `It stands`;\nconst c = 'told';\n";
    expect(found('functions/a.ts', code)).toEqual([
      [2, 'stands'],
      [1, 'Nobody'],
    ]);
    expect(found('functions/a.test.ts', code)).toEqual([]);
    expect(found('functions/inspection/detectors/a.ts', code)).toEqual([]);
    expect(found('dashboard/src/a.tsx', '<Text>What it told us</Text>\n')).toEqual([[1, 'told']]);
  });
});
