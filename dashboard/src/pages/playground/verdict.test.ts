import { describe, expect, it } from '@jest/globals';
import { foundTexts, type Svc, type ToldFinding } from './verdict.ts';

function found(part: 'input' | 'output', field: string, start: number, end: number): ToldFinding {
  return {
    type: 'secret',
    rule: 'secrets/x',
    score: 0.9,
    location: { part, message: null, field, start, end },
  } as ToldFinding;
}

const svcOf = (...detected_threats: ToldFinding[]) => ({ detected_threats }) as unknown as Svc;

describe('the texts in which something was found', () => {
  it('come once each, with every place in them', () => {
    const body = { messages: [{ content: 'a secret, another secret' }] };
    const svc = svcOf(found('input', 'messages[0].content', 2, 8), found('input', 'messages[0].content', 18, 24));
    const [only, ...others] = foundTexts(svc, body);
    expect(others).toEqual([]);
    expect(only?.ranges.map(({ start, end }) => only.text.slice(start, end))).toEqual(['secret', 'secret']);
  });

  it('are of the answer where they were found in it, and left out where the text is not at hand', () => {
    const svc = svcOf(found('output', 'choices[0].content', 0, 2), found('input', 'tools[0].name', 0, 2));
    expect(foundTexts(svc, { tools: [] }, { 'choices[0].content': 'said' })).toMatchObject([
      { field: 'choices[0].content', text: 'said' },
    ]);
  });
});
