import { describe, expect, it } from '@jest/globals';
import { type BannedTopic, TOPIC_FAMILIES, type TopicFamily } from '../../kernel/model/index.ts';
import { PolicyRules } from './policy-rules.ts';
import { RuleLayer } from './rule-layer.ts';
import { TOPIC_EXAMPLES } from './topic-families.examples.ts';

const spoken = (topics: readonly BannedTopic[], text: string) =>
  new RuleLayer(new PolicyRules({ bannedTopics: topics }), 'user')
    .read(text, [], true)
    .map(({ rule, start, end }) => `${rule.id} ${text.slice(start, end)}`);
const families = Object.keys(TOPIC_FAMILIES) as TopicFamily[];
const ALL = families.map((name): BannedTopic => ({ name, action: 'block' }));

describe.each(families)('the family %s', (family) => {
  const { positives, negatives } = TOPIC_EXAMPLES[family];

  it.each(positives)('matches, and no other family does: %s', (text) => {
    expect(new Set(spoken(ALL, text).map((line) => line.split(' ')[0]))).toEqual(new Set([`topic/${family}`]));
  });

  it.each(negatives)('does not match: $text ($reason)', ({ text }) => expect(spoken(ALL, text)).toEqual([]));
});

describe('a topic', () => {
  const rivals = (fields: Partial<BannedTopic> = {}): BannedTopic[] => [
    { name: 'rivals', keywords: ['Initech', 'Hooli', 'big data', 'data'], action: 'block', ...fields },
  ];

  it('is reported at the keyword that reaches the threshold, then counts from zero', () => {
    expect(spoken(rivals(), 'Hooli or INITECH? Hooli, then; Initech no more.')).toEqual([
      'topic/rivals INITECH',
      'topic/rivals Initech',
    ]);
  });

  it('needs distinct keywords', () => expect(spoken(rivals(), 'Hooli, Hooli, Hooli!')).toEqual([]));

  it('counts a keyword within another one once', () => {
    expect(spoken(rivals(), 'It is big  data.')).toEqual([]);
    expect(spoken(rivals(), 'It is big data, data!')).toEqual(['topic/rivals data']);
  });

  it('needs them close together', () => {
    expect(spoken(rivals(), `Hooli${'.'.repeat(295)}Initech`)).toHaveLength(1);
    expect(spoken(rivals(), `Hooli${'.'.repeat(296)}Initech`)).toEqual([]);
  });

  it('is reported from the threshold it sets', () => {
    expect(spoken(rivals({ threshold: 1 }), 'Hooli!')).toHaveLength(1);
    expect(spoken(rivals({ threshold: 3 }), 'Hooli, Initech, and data')).toHaveLength(1);
    expect(spoken(rivals({ threshold: 3 }), 'Hooli, Initech')).toEqual([]);
  });

  it('does not raise the score of attacks', () => {
    const layer = new RuleLayer(new PolicyRules({ bannedTopics: rivals({ threshold: 1 }) }), 'user');
    expect(layer.read('Hooli', [], true)[0]?.rule).toMatchObject({ type: 'toxicity', category: 'banned_topic' });
  });
});
