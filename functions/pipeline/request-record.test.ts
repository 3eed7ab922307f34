import { describe, expect, it } from '@jest/globals';
import { TEST_KEY } from '../kernel/model/api-key.fixture.ts';
import type { ApiKey } from '../kernel/model/index.ts';
import { eventOf, RefusalNotices } from './request-events.ts';
import { toRequestSummary } from './request-log.ts';
import { callerOf, toRequestRecord, withoutCallersNames } from './request-record.ts';
import { runningRequest } from './running-request.fixture.ts';

it.each([
  ['messages[0].content', 'messages[0].content'],
  ['messages[12].content[3].text', 'messages[12].content[3].text'],
  ['messages[1].tool_calls[0].function.arguments', 'messages[1].tool_calls[0].function.arguments'],
  ['choices[0].content', 'choices[0].content'],
  ['metadata.my password is hunter2', 'metadata.*'],
  [
    'tools[0].function.parameters.properties.iban DE89.description',
    'tools[0].function.parameters.properties.*.description',
  ],
  // A name with dots and brackets.
  ['metadata.a.b[4111111111111111].c', 'metadata.*.*[*].*'],
  ['metadata.4111111111111111', 'metadata.*'],
  ['messages[0].content[1].content[0].source.data', 'messages[0].content[1].content[0].source.data'],
  ['content[0].input.my pin is 1234 (name)', 'content[0].input.*'],
  ['input[3].output[0].text', 'input[3].output[0].text'],
  ['output[1].action.query', 'output[1].action.query'],
  ['', ''],
])('%s keeps only names of the protocols', (field, expected) => expect(withoutCallersNames(field)).toBe(expected));

describe('who made a request', () => {
  const callerOfKey = (key: Partial<ApiKey>, tags = {}) =>
    callerOf({ key: { ...TEST_KEY, ...key }, tracking: { ...runningRequest().context.tracking, tags } });

  it('is absent in the record of a key without a team, tags and identity', () => {
    expect(callerOfKey({ tags: {}, teamId: null })).toEqual({});
    expect(Object.keys(toRequestRecord(runningRequest({ key: { ...TEST_KEY, tags: {} } })))).not.toContain('tags');
  });

  it('is in records, events and the log line, with tags of the key and of the request apart', () => {
    const identity = { issuer: 'https://issuer.example', subject: 'ann' };
    const tags = { app: 'shop' };
    const tracking = { ...runningRequest().context.tracking, tags: { feature: 'search' } };
    const request = runningRequest({ key: { ...TEST_KEY, tags, teamId: 'team_1', identity }, tracking });
    const caller = { teamId: 'team_1', identity, tags, requestTags: { feature: 'search' } };
    expect(toRequestRecord(request)).toMatchObject(caller);
    expect(toRequestSummary(request).caller).toEqual(caller);
    request.outcome.endsAs('blocked', 'content_filter');
    expect(eventOf(request, new RefusalNotices(), 0)?.data).toMatchObject(caller);
  });
});
