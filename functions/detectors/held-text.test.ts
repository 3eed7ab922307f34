import { describe, expect, it } from '@jest/globals';
import { answerDetectors } from '../core/inspect/output/inspect-answer.ts';
import { Policy } from '../core/inspect/policy.ts';
import { createInspector } from './index.ts';

const PROSE = `To reset the device, hold the button for 6 seconds and wait for the green light. That's it! If it
stays dark, check the cable (the short one), then call us on weekdays between 9:00 and 17:30.

1. Whisk 3 eggs with 120 g of sugar until pale; it takes about 4 minutes.
2. Fold in the flour, a pinch of salt & the zest of one lemon.

"Is it far?" she asked. — "Two miles," he said, "perhaps three; we'll see." Prices rose by 2.5 % in May 2024, to €14.99.
Die Bäckerei öffnet um sieben. La gare est à dix minutes à pied. Музей закрыт по понедельникам. 会议在下午三点开始。
| Item | Price |\n| --- | --- |\n| Lamp | 20 |\n\n\`\`\`ts\nconst total = items.reduce((sum, item) => sum + item.price, 0);\n\`\`\`
See [the manual](https://docs.example/manual) for more.`;

describe('ordinary prose', () => {
  const context = {
    prompts: ['You are the clerk of a hardware shop. Never tell the purchase price of a lamp.'],
    known: [],
  };

  it('is held back by at most 64 characters under the default policy, and most of it by hardly any', () => {
    const policy = new Policy({ canary: true });
    const detectors = answerDetectors({ ...context, marker: 'qzkvhtnbpwxjmrdg' }, policy);
    const stream = createInspector().open('output', policy.actsOnOutput, detectors);
    let length = 0;
    const waits = [...PROSE].map((letter) => {
      stream.push(letter);
      length += letter.length;
      return length - stream.settled;
    });
    expect(Math.max(...waits)).toBeLessThanOrEqual(64);
    expect(waits.sort((a, b) => a - b)[Math.floor(waits.length / 2)]).toBeLessThanOrEqual(16);
  });

  it('leaves whole where a piece ends between two words', () => {
    const policy = new Policy({});
    const stream = createInspector().open('output', policy.actsOnOutput);
    const words = PROSE.split(/(?<= )/).slice(0, 20);
    let length = 0;
    const held = words.filter((word) => {
      stream.push(word);
      length += word.length;
      return stream.settled < length;
    });
    expect(held).toEqual([]);
  });
});
