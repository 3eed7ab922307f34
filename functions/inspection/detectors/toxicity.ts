import type { Rule, RuleExamples } from '../matching/index.ts';
import { scoreAsStatement, scoreUnlessMentioned } from './match-context.ts';

/**
 * Words of hate, abuse and threat, as alternatives of patterns for the folded view: lower case, no accents needed.
 *
 * This file holds slurs in plain text because rules must find them, and it is the only one that does: rules build
 * their patterns from these lists. A word is in the mildest list whose rule finds it: the list gives the severity.
 * Words that are often harmless (`damn`, `crap`, `queer`, `gypsy`) are left out on purpose.
 */

/** Words for groups of people that are used almost only to demean. */
const SLURS = [
  'nigg(?:er|uh|let|ress)|jiggaboo|porch ?monkey|sambo|sand ?nigg(?:er|a)|wetback|beaner',
  'spi[ck]s?(?: ass| bitch)|gook|zipperhead|slant ?eye|ching ?chong|raghead|towel ?head|camel ?jockey|paki',
  'kike|hymie|heeb|fag(?:got|gy|goty|gotry)?|tranny|shemale|trannie|injun|white trash|trailer trash|honkey',
  'wigger|kanake|bimbo ?(?:negro|nigger)|schwuchtel|sudaca|bougnoule|negre?o di merda|chinks',
  'chink (?:ass|eyes?|eyed|bitch)|coons|coon ass',
].join('|');

/** Reclaimed words, which are insults only by their use. */
const RECLAIMED = 'nigg(?:a|ah|az)';

/** Nouns that are insults when addressed to a person. */
const INSULT_NOUNS = [
  'idiot|moron|imbecile|cretin|dumb ?ass|dumb ?fuck|fuck ?(?:er|face|tard|wit|head)|mother ?fucker|retard',
  'bitch|cunt|whore|slut|hoe|skank|thot|ass ?hole|arse ?hole|ass ?hat|bastard|prick|dick(?: ?head)?|twat',
  'wanker|tosser|pussy|piece of (?:shit|garbage|trash)|shit ?(?:head|bag|stain)|scum(?:bag)?|douche ?bag',
  'cock ?sucker|jack ?ass|degenerate|pervert|pig|cuck|incel|simp|pedo|nazi|fat ?ass|loser',
  'waste of (?:space|air|oxygen|skin)|disgrace|parasite|vermin|subhuman',
].join('|');

/** Nouns that demean women, or men by comparison with women, together with one of DEMEANING. */
const DEGRADING_NOUNS = 'bitch(?:es|ez)?|biotch|beeyotch|hoes?|whores?|sluts?|cunts?|skanks?|thots?|pussies';

const DEMEANING = [
  'dumb|stupid|fuck(?:ing?|en|in)|ugly|fat|filthy|dirty|nasty|worthless|crazy|lil|little|basic|these|those',
  'them|this|that|ur|yo|your|yall|some|all|other|white|black|old|lazy|ratchet|trifling|thirsty|broke|fake',
  'silly|weak|petty|sad|lame|loud|hating|bad|sorry|punk|slow|ass|my',
].join('|');

/** Groups that are targets of hate speech. */
const GROUPS = [
  'blacks|black people|africans|negroes|jews|jewish people|zionists|muslims|moslems|arabs|islam|christians',
  'hindus|immigrants|migrants|refugees|foreigners|illegals|mexicans|latinos|hispanics|asians|chinese people',
  'the chinese|indians|pakistanis|gypsies|roma|gays|gay people|lesbians|homosexuals|homos|trans people',
  'transgenders|women|females|feminists|white people|whites|disabled people|autistic people',
].join('|');

/** Statements that dehumanise groups. */
const DEHUMANISING = [
  'scum|vermin|animals|apes|monkeys|subhuman|sub-human|parasites|cockroaches|rats|filth|trash|garbage',
  'a disease|a plague|a cancer|inferior|savages|rapists|disgusting|evil|worthless|retarded|objects|property',
  'stupid|whores|sluts|an abomination|mentally ill|the enemy|a stain|freaks|pedophiles',
].join('|');

/** Abuse in other languages that is complete in itself. */
const ABUSE_ELSEWHERE = [
  'hurensohn|missgeburt|wichser|fick dich|verpiss dich|halt (?:die|deine) fresse|du (?:bist ein )?arschloch',
  'drecks(?:jude|turke|auslander|schlampe)|hij[oa] de (?:la gran )?puta|vete a la mierda|chinga tu madre',
  'puto maricon|fils de pute|nique ta mere|va te faire (?:foutre|enculer)|ferme ta gueule',
  'sale (?:arabe|juif|noir|negre|pute|pd)|encule de ta|figlio di puttana|vaffanculo|frocio di merda',
  'troia di merda|filh[oa] da puta|vai se foder|vai tomar no cu|madarchod|b(?:h|eh)enchod|bhosdi(?:ke|wale)',
  'chutiy[ae]|randi ki|orospu cocugu|siktir git|skurwysyn|spierdalaj',
].join('|');

/** The same in scripts without ASCII word boundaries. */
const ABUSE_OTHER_SCRIPTS = [
  'хуесос|пидорас|иди на ?хуй|пошел на ?хуй|ебаный|чурка|жид(?:ы|ов|яр)|操你妈|草泥马|傻逼|傻屄|贱人|婊子|去死吧|死ね|殺すぞ|クソ野郎',
  'くたばれ|씨발|씨빨|시발(?:[^점역전]|$)|병신|븅신|개새끼|개자식|좆|지랄|썅|미친(?:놈|년|새끼)|쌍년|걸레같은|창녀|한남충|한남(?:들|새끼|놈)|한녀|김치녀|된장녀|맘충|틀딱',
  '짱[깨개]|쪽[바발]리|똥꼬충|급식충|깜둥이|흑형|꼴페미|페미(?:년|충|나치)|메갈년|홍어새끼|(?:뒤져|뒈져|죽어)(?:라|버려)|[가-힣](?:새끼|년|놈)들?(?:아|은|이|을|들)',
].join('|');

const SHARED = {
  type: 'toxicity',
  view: 'folded',
  surfaces: ['user', 'tool', 'output'],
  // The catalogue has no entry for language itself: misinformation and harmful content come closest.
  owasp: 'LLM09:2025',
  atlas: 'AML.T0048',
} as const;

const any = (words: string) => `(?:${words})`;
const YOU = "(?:you|u|ya|yall|y'all)";
const PERSON =
  "(?:you|u|ya|yall|y'all|him|her|them|your (?:family|mother|mom|wife|kids|children|sister)|all of (?:you|them)|those people)";
const BOOST =
  '(?:(?:such|just|nothing but|really|an?|the|fucking?|fuckin|stupid|dumb|ugly|fat|pathetic|worthless|filthy|dirty|little|lil|absolute|complete|total|lazy|disgusting|goddamn|bunch of|big|old|ass) ){0,4}';
const CRUELTY =
  '(?:kill|murder|rape|stab|shoot|strangle|behead|lynch|slaughter|burn|hang|gut|choke|beat (?:the shit out of )?|fuck up|cut up|torture|skin|bury)';

const SLUR: Rule = {
  ...SHARED,
  id: 'toxicity/slur',
  category: 'hate',
  severity: 'high',
  score: 0.8,
  patterns: [`\\b${any(SLURS)}(?:s|z|ed|es)?\\b`],
  check: (_, context) => scoreUnlessMentioned(0.8, context),
  message: 'Text uses a slur.',
};

const RECLAIMED_SLUR: Rule = {
  ...SHARED,
  id: 'toxicity/reclaimed-slur',
  category: 'hate',
  severity: 'low',
  score: 0.5,
  patterns: [`\\b${any(RECLAIMED)}s?\\b`],
  check: (_, context) => scoreUnlessMentioned(0.5, context),
  message: 'Text uses a word that is a slur for many.',
};

const HATE: Rule = {
  ...SHARED,
  id: 'toxicity/hate',
  category: 'hate',
  severity: 'critical',
  score: 0.85,
  patterns: [
    `\\b${any(GROUPS)} (?:are|r|is) (?:all |just |nothing but |a bunch of |mostly |fucking |really |naturally )*${any(DEHUMANISING)}\\b`,
    `\\bi (?:fucking |really |just )?(?:hate|despise|can't stand|cant stand) (?:all |the |these |those |fucking |filthy )*${any(GROUPS)}\\b`,
    `\\b(?:kill|gas|exterminate|deport|hang|shoot|burn|lynch|castrate|sterilize|enslave) (?:all|every|the|these|those) (?:the |those |of the |of those |fucking )*${any(GROUPS)}\\b`,
    `\\b${any(GROUPS)} (?:should|must|need to|deserve to|ought to|have to) (?:all )?(?:die|be (?:killed|shot|gassed|deported|hanged|exterminated|enslaved|burned|sterilized|raped|eliminated)|know their place|burn|be slaves|go back)`,
    `\\b(?:death to|gas the|down with the|get rid of (?:all )?(?:the )?) ?${any(GROUPS)}\\b`,
    '\\b(?:white power|heil hitler|sieg heil|jews will not replace us|hitler was right|hitler did nothing wrong)\\b',
  ],
  check: (_, context) => scoreAsStatement(0.85, context),
  message: 'Text denies a group of people their dignity or calls for violence against it.',
};

const THREAT: Rule = {
  ...SHARED,
  id: 'toxicity/threat',
  category: 'threat',
  severity: 'critical',
  score: 0.8,
  patterns: [
    `\\b(?:i(?:'ll| will|ll|'m going to| am going to|'m gonna| gonna|'ma|mma| want to| wanna|'d love to)|we(?:'ll| will| are going to)) (?:fucking |find you and |come (?:over )?and |hunt you down and |personally |slowly |literally )*${CRUELTY} ${PERSON}\\b`,
    '\\b(?:kill|hang|shoot|drown|neck) (?:yourself|urself|yourselves)\\b',
    '\\b(?:kys|go (?:and )?(?:die|kill (?:yourself|urself)|hang yourself|drown)(?: in a (?:fire|hole|ditch))?|drop dead you)\\b',
    `\\b(?:i )?hope ${YOU} (?:all |fucking |both )?(?:die|get (?:cancer|raped|aids|shot|killed|hit by)|rot|burn|choke|suffer)\\b`,
    `\\b${YOU} (?:all )?(?:should|deserve to|need to|ought to) (?:fucking )?(?:die|be (?:raped|shot|killed|hanged|lynched|put down)|kill yourself|get raped)\\b`,
    `\\b${YOU}(?:'re| are|r| will be|'ll be) (?:fucking )?(?:dead meat|a dead (?:man|woman|bitch)|going to die|gonna die)\\b`,
    `\\b(?:know|found out) where ${YOU} live and\\b`,
  ],
  check: (_, context) => scoreUnlessMentioned(0.8, context),
  message: 'Text threatens a person or wishes them dead.',
};

const SEXUAL: Rule = {
  ...SHARED,
  id: 'toxicity/sexual-harassment',
  category: 'sexual_harassment',
  severity: 'high',
  score: 0.75,
  patterns: [
    '\\b(?:suck|lick|choke on|ride|sit on|deepthroat|gag on) (?:my|this|these|his|deez) (?:big |fat |hard )*(?:dick|cock|balls|nuts|cum|face|pussy)\\b',
    `\\b(?:i(?:'ll| will|'m gonna| wanna| want to|'d)|let me|gonna) (?:fuck|rape|bang|pound|rail|breed) (?:you|u|her|ur|your (?:mom|mother|sister|wife|daughter|ass|brains))\\b`,
    '\\b(?:show|send) (?:me |us )?(?:your|ur|some|yo) (?:tits|titties|boobs|pussy|nudes|ass|cock|dick|naked)\\b',
    '\\b(?:your|ur|her) (?:tight |wet |sweet |fat |little )+(?:pussy|cunt|ass(?:hole)?|tits)\\b',
    '\\b(?:eat|lick|pound|fuck) (?:your|ur|her|that) (?:pussy|ass|cunt|asshole)\\b',
  ],
  check: (_, context) => scoreUnlessMentioned(0.75, context),
  message: 'Text harasses a person sexually.',
};

const INSULT: Rule = {
  ...SHARED,
  id: 'toxicity/insult',
  category: 'insult',
  severity: 'medium',
  score: 0.65,
  patterns: [
    `\\b(?:you(?:'re| are|re|r)?|u(?:'re| r| are)?|ur|your|yall|y'all(?: are)?) ${BOOST}${any(INSULT_NOUNS)}s?\\b`,
    `\\b(?:he|she|they|he's|she's|they're|hes|shes|[a-z]+ is|who is|what) (?:is |are |was )?(?:such )?(?:an?|some) (?:fucking |stupid |dumb |little |fat |lil |complete |total )*(?:retard|bitch|cunt|whore|slut|hoe|skank|thot|faggot|piece of shit)\\b`,
    `\\bfuck(?:ing)? (?:you|u|off|ya|yourself|yo|ur|your (?:mother|mom|feelings)|him|her|them|these|those|dat|that (?:bitch|guy|nigga))\\b`,
    '\\b(?:shut|stfu|shutup) ?(?:the (?:fuck|hell) )?(?:up )?(?:you |u |stupid |dumb |fat |your |bitch|cunt|pussy|whore|hoe|retard)+',
    '\\b(?:shut the fuck up|go fuck yourself|eat shit|eat a dick|suck a dick|kiss my ass|rot in hell|burn in hell|go to hell you)\\b',
    `\\b${any(DEMEANING)} (?:ass |fucking |stupid |lil |little |dumb )?${any(DEGRADING_NOUNS)}\\b`,
    "\\b(?:(?:is|ain't|be|being|was|got|like|for|from|of|the|with|and|on|at) (?:an? )?(?:bitches|hoes|sluts|whores|cunts|retards))\\b|\\b(?:bitches|hoes) (?:be|ain'?t|don'?t|do|who|that|love|want|always|think|only|is|are|get|got|will|on|in|and|with)\\b",
    `\\b(?:such|like|as|being|lil|little|acting like) an? (?:bitch|hoe|cunt|pussy|slut|whore)\\b`,
    `\\b(?:bitch|cunt|hoe) (?:ass|please|you|u|i|don't|dont|shut|stop|get|why|what|who|u|ur|go|look|if)\\b`,
    "\\b(?:so|that'?s|is|are|ur|u|you|youre|you're|acts?|acting|looks?|sounds?|be|being|fucking|mentally|just|too|all) (?:fucking |so |just |really )?retarded\\b",
    '\\bfuck(?:ing|in|en)? (?:retarded|stupid (?:bitch|cunt|fuck)|worthless|pathetic|faggot|idiots?|morons?)\\b',
  ],
  check: (match, context) => {
    if (/\blife(?:'s| is| was) (?:such )?$/.test(context.before) || /^(?:your|ur) (?:loser|pig|dick)s?$/.test(match))
      return undefined;
    return scoreUnlessMentioned(0.65, context);
  },
  message: 'Text insults or demeans a person.',
};

const ABUSE: Rule = {
  ...SHARED,
  id: 'toxicity/abuse-in-other-languages',
  category: 'insult',
  severity: 'medium',
  score: 0.65,
  patterns: [`\\b${any(ABUSE_ELSEWHERE)}\\b`, any(ABUSE_OTHER_SCRIPTS)],
  check: (_, context) => scoreUnlessMentioned(0.65, context),
  message: 'Text insults a person or expresses hate, in a language other than English.',
};

export const TOXICITY_RULES: readonly Rule[] = [SLUR, RECLAIMED_SLUR, HATE, THREAT, SEXUAL, INSULT, ABUSE];

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
