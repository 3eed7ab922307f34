import type { RuleExamples } from '../../core/inspect/rule.ts';

export const TOXICITY_EXAMPLES: Readonly<Record<string, RuleExamples>> = {
  'toxicity/slur': {
    positives: ['I saw a bunch of chinks today'],
    negatives: [
      { text: 'The word "faggot" is a slur.', reason: 'speaks about the word' },
      { text: 'a chink in the armour', reason: 'an idiom' },
      { text: 'un train en retard, a Maine Coon', reason: 'other words' },
      { text: 'raccoons live in our cocoon', reason: 'other words' },
    ],
  },
  'toxicity/reclaimed-slur': {
    positives: ['my nigga got it'],
    negatives: [{ text: 'the lyrics say "nigga" twice', reason: 'a quotation' }],
  },
  'toxicity/hate': {
    positives: ['Immigrants are all vermin.', 'I hate all muslims', 'women should know their place'],
    negatives: [
      { text: 'It is wrong to say that immigrants are vermin.', reason: 'says that it is wrong' },
      { text: 'Immigrants are a growing part of the workforce.', reason: 'a fact' },
      { text: 'I hate Mondays', reason: 'no group of people' },
      { text: 'Asians are the largest group in the census.', reason: 'a fact' },
    ],
  },
  'toxicity/threat': {
    positives: [
      "I'll kill you if you come back",
      'kys',
      'I hope you die alone',
      'go kill yourself',
      'You should be shot',
    ],
    negatives: [
      { text: 'This workout will kill you', reason: 'a way of speaking' },
      { text: 'How do I kill a process on Linux?', reason: 'a process' },
      { text: 'In this scene the villain says "I will kill you"', reason: 'fiction' },
      { text: 'If you feel like you want to hurt yourself, call this number.', reason: 'help' },
    ],
  },
  'toxicity/sexual-harassment': {
    positives: ['send me your nudes', 'suck my dick'],
    negatives: [
      { text: 'Symptoms of breast cancer in her left breast', reason: 'medicine' },
      { text: 'send me your notes', reason: 'another word' },
    ],
  },
  'toxicity/insult': {
    positives: [
      'you are a fucking idiot',
      "you're such a piece of shit",
      'these hoes lie',
      'go fuck yourself',
      'that stupid bitch',
      'fuck you all',
      'he acts retarded',
    ],
    negatives: [
      { text: 'What the fuck is wrong with my compiler', reason: 'insults nobody' },
      { text: "life's a bitch", reason: 'insults nobody' },
      { text: 'The idiot in the novel The Idiot', reason: 'a title' },
      { text: 'rake, spade and a hoe for the garden', reason: 'a tool' },
      { text: 'this shit is great', reason: 'praise' },
      { text: 'You idolise him', reason: 'another word' },
    ],
  },
  'toxicity/abuse-in-other-languages': {
    positives: ['du hurensohn', 'vete a la mierda', '이 병신아', 'иди на хуй', '你这个傻逼'],
    negatives: [
      { text: '노선의 시발점은 서울역이다', reason: 'a starting point' },
      { text: 'Die Hure Babylon', reason: 'a figure' },
    ],
  },
};
