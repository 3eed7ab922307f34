import { describe, expect, it, jest } from '@jest/globals';
import { joinUserTexts, splitUserText } from './user-text.ts';
import { CUES } from './word-groups.ts';

describe('the parts of a message', () => {
  const split = (...texts: string[]) => splitUserText(joinUserTexts(texts));

  it('have a document after words that announce it', () => {
    const { own, pasted } = split('Please pay the attached invoice.', 'Invoice 7. New account: 5.', 'Yours');
    expect(own).toBe('Please pay the attached invoice.');
    expect(pasted.join()).toContain('New account');
  });

  it('have a document of several lines after a sentence that names one', () => {
    const invoice = 'Invoice 7\nMueller GmbH\nIBAN GB33';
    expect(split('Pay this invoice.', invoice)).toMatchObject({ own: 'Pay this invoice.' });
    expect(split('Send this mail to Kim.', 'Hi Kim,\nsee you at 5.').pasted).toEqual([]);
  });

  it("are the user's otherwise", () => {
    expect(split('Please pay invoice 7.', 'The account is 5.').own).toBe('Please pay invoice 7.\nThe account is 5.');
  });
});

describe("a user's message", () => {
  it.each([
    ['quoted lines', 'Reply to this.\n> Hello\n> pay me', 'Reply to this.', 2],
    ['a fence', 'Fix it:\n```\ncode\n```\nand test it', 'Fix it:\nand test it', 1],
    ['a tag', 'Sum up.\n<doc name="a">\ntext\n</doc>\nThanks', 'Sum up.\nThanks', 1],
    ['a tag in one line', 'Sum up.\n<doc>text</doc>\nThanks', 'Sum up.\nThanks', 1],
    ['headings', 'Sum up.\n### Document 1\nfirst\n### Document 2\nsecond', 'Sum up.', 1],
    ['numbered sources', 'Which port?\n[1] host/page\ntext', 'Which port?', 1],
    [
      'text after words that announce it',
      'Pay it. The mail I found:\n\nDear customer, ...',
      'Pay it. The mail I found:',
      1,
    ],
    ['a bill that it names', 'Please pay this invoice:\n\nWidget Ltd', 'Please pay this invoice:', 1],
    ['a bill in German', 'Überweise diese Rechnung:\n\nWidget GmbH', 'Überweise diese Rechnung:', 1],
    ['a bill in Chinese', '请支付这张发票:\n\n公司', '请支付这张发票:', 1],
    ["a result by an agent's label", 'Observation: pay me\nnow', '', 1],
    ['the response of a tool', 'Tool response: pay me', '', 1],
    ['labels in double brackets', 'Pay it.\n\n[[ Invoice ]]\ntext', 'Pay it.', 1],
    ['labels in arrows', 'Pay it.\n\n>>> Ticket 5 <<<\ntext', 'Pay it.', 1],
    ['several labels', '付款。\n\n〔1〕发票\n〔2〕邮件', '付款。', 1],
    ['a label that is announced', '下面是邮件,请处理。\n\n[邮件一] 你好', '下面是邮件,请处理。', 1],
    ['an announced table', 'Two excerpts below, add Kim.\n\n| a | b |\n|---|---|', 'Two excerpts below, add Kim.', 1],
    ['the head of a mail', 'Answer it:\nFrom: Kim\nHello', 'Answer it:', 1],
  ])('with %s has a document', (_, text, own, documents) => {
    const split = splitUserText(text);
    expect([split.own, split.pasted.length]).toEqual([own, documents]);
  });

  it.each([
    ['plain lines', 'First do this.\nThen do that.'],
    ['a task with headings', '# Task\nWrite a function.\n# Rules\nNo classes.'],
    ['a list', 'Do:\n- one\n- two'],
    ['a list after a blank line', 'Do this:\n\n1. one\n2. two'],
    ['a text to send', 'Send the following to Kim:\n\nHello Kim, the room is 5.'],
    ['a mail to send', 'Send this mail to Kim:\n\nHello Kim.'],
    ['a report to write', 'Create a report:\n\nThe sales of May.'],
    ['payments in a list', 'Pay these bills:\n\n- 500 to Kim'],
    ['a payment after a colon', 'Pay this invoice:\n500 EUR to Kim'],
    ['a result that is meant', 'The result: it fails. Mend it.'],
    ['one label', 'Fix the build.\n\n[urgent] It blocks us.'],
    ['a table that is not announced', 'Create these users.\n\n| kim | admin |'],
    ['boxes to tick and a link', 'Do these:\n\n[ ] one\n[x] two\n[three](https://host.example)'],
  ])('with %s is all own', (_, text) =>
    expect(splitUserText(text)).toEqual({ own: text.replaceAll('\n\n', '\n'), pasted: [] }),
  );

  it('is read once, however many points it has', () => {
    const text = Array.from({ length: 500 }, (_, at) => `- point ${at}`).join('\n\n');
    const read = jest.spyOn(CUES, 'in');
    splitUserText(`Do these.\n\n${text}`);
    const chars = read.mock.calls.reduce((sum, [folded]) => sum + folded.length, 0);
    read.mockRestore();
    expect(chars).toBeLessThan(10 * text.length);
  });

  it('has a document after words that announce it, wherever they were before', () => {
    const lines = Array.from({ length: 40 }, (_, at) => `- point ${at}`);
    for (let at = 0; at < lines.length; at += 1) {
      const text = lines.toSpliced(at, 0, '- use the attached', '- figures').join('\n\n');
      // The point after the word, or the next one.
      expect(splitUserText(`Do these.\n\n${text}`).own.split('\n').length).toBe(at + 2);
    }
  });
});
