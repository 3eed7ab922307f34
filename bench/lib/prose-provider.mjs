/**
 * The mock provider with ordinary prose in each response, in the exact events of the providers' streams; prints `ready URL`.
 * The environment has the number of tokens of a response and their rate.
 */
import { startMockUpstream } from '../../test/support/mock-upstream/start-mock-upstream.ts';
import { textsByKind } from './texts.ts';

const { TOKENS = '250', TOKENS_PER_SECOND = '50' } = process.env;
const words = textsByKind()
  .get('prose')
  .split(/(?<=\s)/);
// Four fifths of the tokens of English prose begin a word, so a word in five is two pieces.
const pieces = words.flatMap((word, at) =>
  at % 4 === 0 && word.length > 4 ? [word.slice(0, 3), word.slice(3)] : [word],
);

const upstream = await startMockUpstream({
  record: false,
  behave: () => ({ pieces: pieces.slice(0, Number(TOKENS)), delayMs: 1000 / Number(TOKENS_PER_SECOND) }),
});
for (const signal of ['SIGTERM', 'SIGINT']) {
  process.once(signal, async () => {
    await upstream.close();
    process.exit(0);
  });
}
console.log(`ready ${upstream.url}`);
