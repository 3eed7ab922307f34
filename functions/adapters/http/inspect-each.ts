import type { OutsideText, OutsideVerdict } from '../../inspection/index.ts';

/** Maximum concurrent calls for one request: a detector's quota of calls per second is shared by all requests. */
const CONCURRENT_CALLS = 16;

/** Inspects each text in a separate call. */
export function inspectEach(
  texts: readonly OutsideText[],
  inspectOne: (text: OutsideText) => Promise<OutsideVerdict>,
): readonly Promise<OutsideVerdict>[] {
  const lanes: Promise<unknown>[] = [];
  return texts.map((text, at) => {
    const turn = lanes[at % CONCURRENT_CALLS] ?? Promise.resolve();
    const verdict = turn.then(() => inspectOne(text));
    lanes[at % CONCURRENT_CALLS] = verdict;
    return verdict;
  });
}
