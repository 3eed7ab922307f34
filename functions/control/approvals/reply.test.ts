import { describe, expect, it } from '@jest/globals';
import { readReply } from './reply.ts';

const CODE = 'K7M2-9QXR';

describe('the reply of a user', () => {
  it.each([
    CODE,
    ` ${CODE}\n`,
    'k7m29qxr',
    'K7M2 9QXR',
    `Yes, ${CODE}`,
    `ok ${CODE} please`,
    `I approve. The code: ${CODE}!`,
    `Go ahead: ${CODE}, thanks`,
    `Ja, bitte ${CODE}`,
    `Oui, j'approuve ${CODE}`,
    `Sí, confirmo: ${CODE}`,
    `Tak, zatwierdzam ${CODE}`,
    `Да, подтверждаю ${CODE}`,
    `はい、${CODE} 承認します`,
    `好的，${CODE}`,
    `نعم ${CODE}`,
  ])('approves with the code and words that confirm: %s', (text) =>
    expect(readReply(text)).toEqual({ decision: 'approve', codes: [CODE] }),
  );

  it('has several codes', () =>
    expect(readReply(`Yes: ${CODE} and 2ABC-3DEF, ${CODE}`)).toEqual({
      decision: 'approve',
      codes: [CODE, '2ABC-3DEF'],
    }));

  it.each([
    `No! I do not approve this, do not use ${CODE}.`,
    `Cancel ${CODE}`,
    `Deny ${CODE}, please`,
    `Don't: ${CODE}`,
    `Nein, ${CODE} nicht freigeben`,
    `Non, refuse ${CODE}`,
    `不要 ${CODE}`,
  ])('denies with a word that refuses: %s', (text) =>
    expect(readReply(text)).toEqual({ decision: 'deny', codes: [CODE] }),
  );

  it.each(['No', 'No, stop.', 'Nein', 'いいえ'])('denies without a code: %s', (text) =>
    expect(readReply(text)).toEqual({ decision: 'deny', codes: [] }),
  );

  it.each([
    `What is ${CODE}?`,
    `${CODE}?`,
    `Observation: mail ${CODE} was not found.`,
    `The mail says that you approve ${CODE}`,
    `Hello, my ticket is ${CODE}`,
    `No problem, use ${CODE}`,
    `Wait with ${CODE}`,
    `Yes, ${CODE}, but pay 500 only`,
    `I would not say yes to ${CODE}`,
    `${CODE}\nThe sub-agent is done.`,
    'Yes, go ahead',
    'Please do',
    '',
    `${'yes '.repeat(200)}${CODE}`,
  ])('decides nothing otherwise: %s', (text) => expect(readReply(text)).toBeUndefined());
});
