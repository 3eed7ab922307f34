import { describe, expect, it } from '@jest/globals';
import type { Action } from '../../kernel/model/index.ts';
import type { Finding, Rule } from '../matching/index.ts';
import { TextRelease } from './text-release.ts';

const finding = (action: Action, start: number, end: number, more: Partial<Finding> = {}): Finding => ({
  rule: { id: `test/${action}`, category: 'card' } as Rule,
  score: 1,
  start,
  end,
  decodedFrom: [],
  ...more,
});

function openRelease({ isJson = false, streams = true } = {}) {
  const reported: string[] = [];
  const release = new TextRelease({
    decide: ({ rule }) => rule.id.slice('test/'.length) as Action,
    report: ({ start }, action) => reported.push(`${action} ${start}`),
    streams,
    isJson,
  });
  return { release, reported };
}

describe('the release of a text', () => {
  it('redacts a finding over two releases, with the placeholder where it starts', () => {
    const { release } = openRelease();
    release.addFindings([finding('redact', 4, 10)]);
    expect([release.render('pay 411', 0), release.render('111 now', 7)]).toEqual(['pay [REDACTED_CARD]', ' now']);
  });

  it('reports a finding once the text where it starts is released', () => {
    const { release, reported } = openRelease();
    release.addFindings([finding('flag', 4, 8), finding('flag', 1, 2)]);
    release.render('abcd', 0);
    expect(reported).toEqual(['flag 1']);
    release.render('e', 4);
    expect(reported).toEqual(['flag 1', 'flag 4']);
    release.addFindings([finding('flag', 0, 1)]);
    expect(reported).toEqual(['flag 1', 'flag 4', 'flag 0']);
  });

  it('reports the finding that blocks with the last text, and none after it', () => {
    const { release, reported } = openRelease();
    release.addFindings([finding('block', 2, 4), finding('flag', 3, 4)]);
    expect(release.renderLast('ab', 0)).toBe('ab');
    expect(reported).toEqual(['block 2']);
  });

  it('acts on findings that it does not report', () => {
    const { release, reported } = openRelease();
    release.act([finding('redact', 0, 2)]);
    expect(release.render('abc', 0)).toBe('[REDACTED_CARD]c');
    expect(reported).toEqual([]);
  });

  it('finds the first block in a range', () => {
    const { release } = openRelease();
    release.addFindings([finding('block', 6, 7), finding('block', 3, 4), finding('redact', 1, 2)]);
    expect(release.blockWithin(0, 9)?.at).toBe(3);
    expect(release.blockWithin(4, 9)?.at).toBe(6);
    expect(release.blockWithin(0, 3)).toBeUndefined();
  });

  it('blocks a stream after text that was scored late, and other responses where it starts', () => {
    const late = finding('block', 3, 9, { cutsAt: 9 });
    const [streamed, whole] = [openRelease().release, openRelease({ streams: false }).release];
    for (const release of [streamed, whole]) release.addFindings([late]);
    expect(streamed.blockWithin(0, 100)?.at).toBe(9);
    expect(whole.blockWithin(0, 100)?.at).toBe(3);
  });

  it('leaves JSON valid where a number is redacted', () => {
    const { release } = openRelease({ isJson: true });
    const json = '{"card":4111111111111111,"ok":true}';
    release.push(json);
    release.addFindings([finding('redact', 8, 24)]);
    expect(JSON.parse(release.render(json, 0))).toEqual({ card: '[REDACTED_CARD]', ok: true });
  });
});
