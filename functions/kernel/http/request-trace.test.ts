import { describe, expect, it } from '@jest/globals';
import { HeaderList } from './request-headers.ts';
import { beginTrace, readXrayHeader, traceHeaders } from './request-trace.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const XRAY = 'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1';
const XRAY_TRACE = '5759e988bd862e3fe1be46a994272793';

const begin = (headers: Record<string, string>, xrayHeader?: string, keeps = false) =>
  beginTrace({ headers: new HeaderList(Object.entries(headers)), xrayHeader, keeps: () => keeps });

describe('the trace of a request', () => {
  it("is the caller's, with a span of our own below his", () => {
    const trace = begin({ traceparent: `00-${TRACE}-${SPAN}-00`, tracestate: 'a=1, b=2' }, undefined, true);
    expect(trace).toMatchObject({ traceId: TRACE, parentId: SPAN, sampled: false, state: 'a=1,b=2', linked: null });
    expect(trace.spanId).toMatch(/^[0-9a-f]{16}$/);
    expect(trace.spanId).not.toBe(SPAN);
  });

  it('is new where the caller brings none that can be read, and nothing of what came along is passed on', () => {
    for (const traceparent of ['', 'x', `ff-${TRACE}-${SPAN}-01`]) {
      const trace = begin({ traceparent, tracestate: 'a=1' }, undefined, true);
      expect(trace).toMatchObject({ parentId: null, sampled: true, random: true, state: null });
      expect(trace.traceId).toMatch(/^[0-9a-f]{32}$/);
      expect(trace.traceId).not.toBe(TRACE);
    }
    expect(begin({}).sampled).toBe(false);
    expect(begin({}).traceId).not.toBe(begin({}).traceId);
  });

  it("is X-Ray's where X-Ray keeps one and the caller brings none", () => {
    expect(begin({}, XRAY)).toMatchObject({ traceId: XRAY_TRACE, parentId: '53995c3f42cd8ad8', sampled: true });
    expect(begin({}, XRAY.replace('Sampled=1', 'Sampled=0')).traceId).not.toBe(XRAY_TRACE);
  });

  it("is linked with X-Ray's where the caller brings another", () => {
    const trace = begin({ traceparent: `00-${TRACE}-${SPAN}-01` }, XRAY);
    expect(trace).toMatchObject({ traceId: TRACE, linked: { traceId: XRAY_TRACE, spanId: '53995c3f42cd8ad8' } });
  });

  it('is told to another service with the span that calls it as the parent', () => {
    const asked = begin({ traceparent: `00-${TRACE}-${SPAN}-01`, tracestate: 'a=1' });
    expect(traceHeaders(asked, 'b7ad6b7169203331')).toEqual({
      traceparent: `00-${TRACE}-b7ad6b7169203331-01`,
      tracestate: 'a=1',
    });
    expect(Object.keys(traceHeaders(begin({}), 'b7ad6b7169203331'))).toEqual(['traceparent']);
  });
});

describe("X-Ray's header", () => {
  it.each([
    [`Self=1-67891234-12456789abcdef012345678;${XRAY};Lineage=a87bd80c:1|68fd508a:5`, XRAY_TRACE],
    [XRAY.replaceAll(';', '; '), XRAY_TRACE],
    [undefined, undefined],
    ['', undefined],
    ['Root=1-5759e988-bd862e3fe1be46a994272793;Sampled=1', undefined],
    ['Root=5759e988;Parent=53995c3f42cd8ad8;Sampled=1', undefined],
    [';;=;Root', undefined],
  ])('%j', (header, traceId) => expect(readXrayHeader(header)?.traceId).toBe(traceId));
});
