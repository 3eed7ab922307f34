import { expect, it } from '@jest/globals';
import { Policy } from '../../../../functions/inspection/index.ts';
import { THREAT_TYPES } from '../../components/labels.ts';
import { DIRECTIONS } from './policy-settings.ts';
import { presetDefault, presetOnDetectorFailure } from './preset-defaults.ts';

it.each(['monitor', 'balanced', 'strict', undefined] as const)(
  'the editor shows the values that the gateway applies, preset %s',
  (preset) => {
    const settings = preset === undefined ? {} : { preset };
    const policy = new Policy(settings);
    // `input` and `output` are private.
    const applied = policy as unknown as Record<string, Record<string, unknown>>;
    for (const direction of DIRECTIONS) {
      const shown = Object.fromEntries(THREAT_TYPES.map((type) => [type, presetDefault(settings, direction, type)]));
      expect(shown).toEqual(applied[direction]);
    }
    expect(presetOnDetectorFailure(settings)).toBe(policy.onDetectorFailure);
  },
);
