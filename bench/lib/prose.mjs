/** Words for ordinary English sentences, which no security rule should notice. */
const WORDS = {
  adjective:
    'old quiet narrow bright wooden distant patient careful early gentle busy small crowded green modest'.split(' '),
  person: 'baker teacher gardener neighbour librarian carpenter farmer painter visitor captain doctor student'.split(
    ' ',
  ),
  thing: 'ladder garden letter kettle bridge basket window orchard recipe lantern bicycle notebook barrel fence'.split(
    ' ',
  ),
  verb: 'repaired painted described carried measured borrowed noticed cleaned admired finished studied moved'.split(
    ' ',
  ),
  place: 'the harbour,the market,the station,the village hall,the river,the library,the hill,the old mill'.split(','),
  time: 'before breakfast,in the afternoon,every other week,after the rain,late in September,on Sunday'.split(','),
};
const SENTENCES = [
  'The {adjective} {person} {verb} the {thing} near {place} {time}.',
  'Nobody at {place} knew who had {verb} the {adjective} {thing}, so the {person} asked around {time}.',
  'It was {time} that a {person} {verb} a {thing} and two {adjective} chairs.',
  'How long would it take a {person} to walk from {place} to {place} with a {adjective} {thing}?',
  'A {adjective} {thing} stood by {place}, and the {person} {verb} it with great interest.',
];

/** English prose of exactly `length` ASCII characters; the same for the same seed. */
export function prose(length, seed) {
  const choose = chooser(seed);
  let text = '';
  while (text.length < length) text += `${choose(SENTENCES).replace(/\{(\w+)\}/g, (_, kind) => choose(WORDS[kind]))} `;
  return text.slice(0, length);
}

/** A linear congruential generator is random enough for words (Numerical Recipes' constants). */
function chooser(seed) {
  let state = seed;
  return (list) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return list[Math.floor((state / 2 ** 32) * list.length)];
  };
}
