/** Words that people use in every conversation. */
export { asksOrRefuses, isRefusal, wordsOf } from './refusing.ts';
