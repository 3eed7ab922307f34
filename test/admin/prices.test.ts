import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AdminApp, startAdminApp } from '../support/admin-app.ts';

/** The prices of the settings. */
const OURS = { 'lab/llama': { input: 1, output: 2, cacheWrite: 3 } };
const PRICE = { input: 0.5, output: 1 };

let admin: AdminApp;
beforeAll(async () => {
  admin = await startAdminApp((deps) => deps, [], OURS);
});
afterAll(() => admin.stop());

const write = (method: string, path: string, body: unknown, ifMatch?: string) =>
  admin.call(method, path, { body, ...(ifMatch !== undefined && { headers: { 'if-match': ifMatch } }) });
const put = (prices: unknown, ifMatch?: string) => write('PUT', '/prices', { prices }, ifMatch);
const set = (body: object, ifMatch?: string) => write('POST', '/prices/set', body, ifMatch);
const get = async () => (await admin.call('GET', '/prices')).json;
const inForce = async (name: string) => {
  const { data, ...list } = (await admin.call('GET', '/prices?effective=true')).json;
  return { list, price: data.find(({ model }: { model: string }) => model === name) };
};

describe("the deployment's prices", () => {
  it('are those of the settings, as version 0', async () => {
    const { status, headers, json } = await admin.call('GET', '/prices');
    const version = { object: 'prices', version: 0, createdAt: null, createdBy: null };
    expect([status, headers.get('etag'), json]).toEqual([200, '"0"', { ...version, prices: OURS }]);
    const { list, price } = await inForce('lab/llama');
    expect(list).toEqual({ object: 'list', version: 0, tableDate: '2026-11-10', isOverridden: false });
    expect(price).toEqual({
      ...{ object: 'price', model: 'lab/llama', source: 'settings' },
      ...{ input: 1, output: 2, cacheWriteInput: 3, later: [] },
    });
    expect((await inForce('openai/gpt-4o-mini')).price).toMatchObject({ source: 'table', input: 0.15, output: 0.6 });
  });

  it('are replaced only over the version that If-Match names, which a write needs', async () => {
    expect((await put({})).json.error).toMatchObject({ code: 'missing_field', param: 'If-Match' });
    expect((await put({}, '"1"')).status).toBe(412);
    const { status, headers, json } = await put({ 'lab/llama': PRICE }, '"0"');
    expect([status, headers.get('etag')]).toEqual([200, '"1"']);
    expect(json).toMatchObject({ version: 1, createdBy: admin.admin.id, prices: { 'lab/llama': PRICE } });
    // What was read is written back.
    expect((await write('PUT', '/prices', json, '"1"')).json).toMatchObject({ version: 2, prices: json.prices });
    const { list, price } = await inForce('lab/llama');
    expect([list.isOverridden, price.source]).toEqual([true, 'api']);
    expect((await admin.call('GET', '/audit?limit=1')).json.data[0]).toMatchObject({
      ...{ action: 'prices.updated', target: { type: 'prices', id: '2' } },
    });
  });

  it('are refused as a whole with the field at fault', async () => {
    const before = await get();
    for (const [prices, param] of [
      ['cheap', 'prices'],
      [{ llama: PRICE }, 'prices.llama'],
      [{ 'our_lab/llama': PRICE }, 'prices.our_lab/llama'],
      [{ 'lab/llama-*': PRICE }, 'prices.lab/llama-*'],
      [{ 'lab/llama 3': PRICE }, 'prices.lab/llama 3'],
      [{ 'lab/llama': { input: -1, output: 1 } }, 'prices.lab/llama.input'],
      [{ 'lab/llama': { ...PRICE, colour: 'red' } }, 'prices.lab/llama.colour'],
      [{ 'lab/llama': { ...PRICE, validFrom: 'soon' } }, 'prices.lab/llama.validFrom'],
      [{ 'lab/llama': { ...PRICE, changes: [PRICE] } }, 'prices.lab/llama.changes[0].validFrom'],
    ] as const) {
      const { status, json } = await put(prices, '*');
      expect([status, json.error.param]).toEqual([400, param]);
    }
    expect(await get()).toEqual(before);
  });

  it('are rolled back as a new version', async () => {
    const { version } = await get();
    const { json } = await write('POST', '/prices/rollback', { version: 0 });
    expect(json).toMatchObject({ version: version + 1, prices: OURS });
    const { data } = (await admin.call('GET', '/prices/versions')).json;
    expect(data.map((one: { version: number }) => one.version)).toEqual([3, 2, 1]);
    expect((await admin.call('GET', '/prices/versions/1')).json.prices).toEqual({ 'lab/llama': PRICE });
  });
});

describe('the price of a model', () => {
  const DAY = 86_400_000;
  const date = (days: number) => new Date(admin.clock.now() + days * DAY).toISOString();

  it('is set, now or later, and removed', async () => {
    await put({}, '*');
    expect((await set({ model: 'openai/gpt-4o-mini', ...PRICE })).json.prices).toEqual({ 'openai/gpt-4o-mini': PRICE });
    const later = { input: 5, output: 6, validFrom: date(2) };
    await set({ model: 'openai/gpt-4o-mini', ...later });
    expect((await inForce('openai/gpt-4o-mini')).price).toMatchObject({ source: 'api', ...PRICE, later: [later] });
    await set({ model: 'openai/gpt-4o-mini', input: 7, output: 8 });
    expect((await get()).prices).toEqual({ 'openai/gpt-4o-mini': { input: 7, output: 8, changes: [later] } });
    admin.clock.time += 3 * DAY;
    expect((await inForce('openai/gpt-4o-mini')).price).toMatchObject({ ...later, later: [] });
    // A price that has ended is left out.
    const last = { input: 9, output: 9, validFrom: date(1) };
    await set({ model: 'openai/gpt-4o-mini', ...last });
    expect((await get()).prices).toEqual({ 'openai/gpt-4o-mini': { ...later, changes: [last] } });
    expect((await write('POST', '/prices/remove', { model: 'openai/gpt-4o-mini' })).json.prices).toEqual({});
    expect((await inForce('openai/gpt-4o-mini')).price).toMatchObject({ source: 'table', input: 0.15 });
    const missing = await write('POST', '/prices/remove', { model: 'openai/gpt-4o-mini' });
    expect([missing.status, missing.json.error.code]).toEqual([404, 'not_found']);
  });

  it('has as many later ones as a write of all prices takes', async () => {
    await put({}, '*');
    await set({ model: 'lab/many', ...PRICE });
    for (let at = 1; at <= 12; at += 1) await set({ model: 'lab/many', ...PRICE, validFrom: date(at) });
    const { status, json } = await set({ model: 'lab/many', ...PRICE, validFrom: date(13) });
    expect([status, json.error.param]).toEqual([400, 'validFrom']);
    expect((await put((await get()).prices, '*')).status).toBe(200);
    expect((await set({ model: 'lab/many', input: 7, output: 8, validFrom: date(12) })).status).toBe(200);
    await put({}, '*');
  });

  it('has every field', async () => {
    const whole = {
      ...{
        input: 1,
        output: 2,
        cachedInput: 3,
        cacheWriteInput: 4,
        cacheWriteInputHour: 5,
        inputAudio: 6,
        outputAudio: 7,
      },
      ...{
        perSearch: 0.1,
        serviceTiers: { priority: 2 },
        batchFactor: 0.5,
        contextTokens: 1_000,
        maxOutputTokens: 100,
      },
    };
    expect((await set({ model: 'lab/whole', ...whole })).json.prices['lab/whole']).toEqual(whole);
    expect((await inForce('lab/whole')).price).toMatchObject(whole);
    await write('POST', '/prices/remove', { model: 'lab/whole' });
  });

  it("is the table's until it becomes valid", async () => {
    await set({ model: 'openai/gpt-4o-mini', ...PRICE, validFrom: date(1) });
    const { price } = await inForce('openai/gpt-4o-mini');
    expect(price).toMatchObject({ source: 'table', input: 0.15, later: [{ ...PRICE, validFrom: date(1) }] });
  });

  it('is for administrators', async () => {
    const { key } = (await admin.call('POST', '/keys', { body: { name: 'app' } })).json;
    for (const [method, path] of [
      ['GET', '/prices'],
      ['PUT', '/prices'],
      ['GET', '/prices/versions'],
      ['GET', '/prices/versions/1'],
      ['POST', '/prices/rollback'],
      ['POST', '/prices/set'],
      ['POST', '/prices/remove'],
    ] as const) {
      const body = method === 'GET' ? {} : { body: { model: 'a/b', version: 1, prices: {}, ...PRICE } };
      expect((await admin.call(method, path, { key, headers: { 'if-match': '*' }, ...body })).status).toBe(403);
    }
  });
});

it('no change of simultaneous ones is lost', async () => {
  const { version } = (await put({}, '*')).json;
  const models = Array.from({ length: 4 }, (_, at) => `lab/${at}`);
  const changed = await Promise.all(models.map((model) => set({ model, ...PRICE })));
  const done = changed.filter(({ status }) => status === 200).length;
  const { prices, version: now } = await get();
  expect([now, Object.keys(prices).length]).toEqual([version + done, done]);
  expect(changed.every(({ status }) => status === 200 || status === 409)).toBe(true);
});
