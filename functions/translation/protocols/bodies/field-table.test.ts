import { describe, expect, it } from '@jest/globals';
import type { OtherField } from '../../../kernel/model/index.ts';
import { allowedToolsOf, cacheOf, fieldTable, noteOthers } from './field-table.ts';

const FIELDS = fieldTable({ part: { read: 'text', cache_hint: 'cache_control' } });

describe('cache_control', () => {
  it.each<[unknown, object]>([
    [{ type: 'ephemeral' }, { cache: {} }],
    [{ type: 'ephemeral', ttl: null }, { cache: {} }],
    [{ type: 'ephemeral', ttl: '1h' }, { cache: { ttl: '1h' } }],
  ])('%j is a hint', (value, expected) => {
    const holder = { text: 'a', cache_control: value };
    const others: OtherField[] = [];
    noteOthers(holder, FIELDS.part, 'p', others);
    expect(cacheOf(holder)).toEqual(expected);
    expect(others).toMatchObject([{ path: 'p.cache_control', meaning: 'cache_hint' }]);
  });

  it.each([
    { type: 'ephemeral', ttl: '2h' },
    { type: 'ephemeral', ttl: 3600 },
    { type: 'persistent' },
    {},
    'ephemeral',
    7,
  ])('%j is refused, since Anthropic refuses it', (value) => {
    const holder = { text: 'a', cache_control: value };
    const others: OtherField[] = [];
    noteOthers(holder, FIELDS.part, 'p', others);
    expect(cacheOf(holder)).toEqual({});
    expect(others).toMatchObject([{ path: 'p.cache_control', meaning: 'essential' }]);
  });
});

describe('a choice of several tools', () => {
  const known = [{ name: 'f' }, { name: 'g' }, { name: 'h' }];
  const ofResponses = (...names: string[]) => names.map((name) => ({ type: 'function', name }));
  const ofChat = (...names: string[]) => names.map((name) => ({ type: 'function', function: { name } }));

  it.each([ofResponses('f', 'g'), ofChat('f', 'g')])('is read: %j', (...tools) => {
    expect(allowedToolsOf({ mode: 'required', tools }, known)).toEqual({
      mode: 'required',
      names: new Set(['f', 'g']),
    });
  });

  it.each<[string, object]>([
    ['an unknown mode', { mode: 'any', tools: ofChat('f') }],
    ['no tools', { mode: 'auto', tools: [] }],
    ['no list', { mode: 'auto', tools: 'f' }],
    ['a tool that the request lacks', { mode: 'auto', tools: ofChat('f', 'x') }],
    ['a tool that is no function', { mode: 'auto', tools: [...ofChat('f'), { type: 'web_search' }] }],
    ['a tool that is no object', { mode: 'auto', tools: [...ofChat('f'), 'g'] }],
  ])('with %s is not', (_, choice) => {
    expect(allowedToolsOf({ ...choice }, known)).toBeUndefined();
  });
});
