/** Disguises that tear words apart or turn them round. Each is a pure function of the text. */

const eachWord = (text: string, change: (word: string) => string) => text.split(' ').map(change).join(' ');
const spell = (text: string, gap: string) => [...text].join(gap);

/** Letters parted by a space, words by three. */
export const spaced = (text: string) =>
  text
    .split(' ')
    .map((word) => spell(word, ' '))
    .join('   ');
/** Letters and words parted alike. */
export const spacedEvenly = (text: string) => spell(text.replaceAll(' ', ''), ' ');
export const dotted = (text: string) => eachWord(text, (word) => spell(word.replace(/\W+$/, ''), '.'));
export const hyphenated = (text: string) => spell(text.replace(/[^\w]/g, ''), '-');

/** Every word of five letters or more in two parts, at a place that varies. */
const cut = (text: string, between: string) =>
  eachWord(text, (word) => {
    if (word.length < 5) return word;
    const at = 2 + (word.length % 3);
    return word.slice(0, at) + between + word.slice(at);
  });
export const split = (text: string) => cut(text, ' ');
export const splitByLines = (text: string) => cut(text, '-\n');
export const splitByTags = (text: string) => cut(text, '<b></b>');
export const splitByComments = (text: string) => cut(text, '<!-- -->');

export const emphasised = (text: string) => eachWord(text, (word) => `**${word}**`);
export const linked = (text: string) => eachWord(text, (word) => `[${word}](https://example.org/${word.length})`);

export const reversed = (text: string) => [...text].reverse().join('');
export const reversedWords = (text: string) => eachWord(text, reversed);
