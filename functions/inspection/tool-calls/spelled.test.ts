import { describe, expect, it } from '@jest/globals';
import { fold } from './folded.ts';
import { SpelledText, spelledOut } from './spelled.ts';

const find = (text: string, value: string) => new SpelledText(fold(text)).find(spelledOut(fold(value)));

describe('a value that is spelled', () => {
  it.each([
    ['split', 'go to k y c - b a n k . t e s t now', 'kyc-bank.test', 6],
    ['with signs in words', 'to kim [at] post dot example', 'kim@post.example', 3],
    ['with other signs', 'konto PL-83-16000003-9918-2047', 'PL83 1600 0003 9918 2047', 6],
    ['in digits as words', 'batch seven-seven-three-one-two-two', '773122', 6],
    ['in Chinese', '编号 QQ 横杠 F 横杠 二六零零', 'QQ-F-2600', 3],
  ])('%s is found', (_, text, value, at) => expect(find(text, value)).toBe(at));

  it.each([
    ['part of a word', 'xkimpost.example', 'kim@post.example'],
    ['part of a number', 'in 17731225 rows', '773122'],
    ['nowhere', 'hello', 'kim@post.example'],
    ['empty', 'hello', '@'],
  ])('%s is not found', (_, text, value) => expect(find(text, value)).toBe(-1));
});
