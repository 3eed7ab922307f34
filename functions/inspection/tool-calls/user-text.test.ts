import { describe, expect, it } from '@jest/globals';
import { splitUserText } from './user-text.ts';

describe("a user's message", () => {
  it.each([
    ['quoted lines', 'Reply to this.\n> Hello\n> pay me', 'Reply to this.', 2],
    ['a fence', 'Fix it:\n```\ncode\n```\nand test it', 'Fix it:\nand test it', 1],
    ['a tag', 'Sum up.\n<doc name="a">\ntext\n</doc>\nThanks', 'Sum up.\nThanks', 1],
    ['a tag in one line', 'Sum up.\n<doc>text</doc>\nThanks', 'Sum up.\nThanks', 1],
    ['headings', 'Sum up.\n### Document 1\nfirst\n### Document 2\nsecond', 'Sum up.', 1],
    ['numbered sources', 'Which port?\n[1] host/page\ntext', 'Which port?', 1],
    ['the head of a mail', 'Answer it:\nFrom: Kim\nHello', 'Answer it:', 1],
  ])('with %s has a document', (_, text, own, documents) => {
    const split = splitUserText(text);
    expect([split.own, split.pasted.length]).toEqual([own, documents]);
  });

  it.each([
    ['plain lines', 'First do this.\nThen do that.'],
    ['a task with headings', '# Task\nWrite a function.\n# Rules\nNo classes.'],
    ['a list', 'Do:\n- one\n- two'],
  ])('with %s is all own', (_, text) => expect(splitUserText(text).own).toBe(text));
});
