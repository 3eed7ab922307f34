import type { Rule } from '../../core/inspect/rule.ts';
import { scoreAsStatement, scoreInUse } from './context.ts';
import {
  ABUSE_ELSEWHERE,
  ABUSE_OTHER_SCRIPTS,
  DEGRADING_NOUNS,
  DEHUMANISING,
  DEMEANING,
  GROUPS,
  INSULT_NOUNS,
  RECLAIMED,
  SLURS,
} from './lexicon.ts';

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
  check: (_, context) => scoreInUse(0.8, context),
  message: 'Text uses a slur.',
};

const RECLAIMED_SLUR: Rule = {
  ...SHARED,
  id: 'toxicity/reclaimed-slur',
  category: 'hate',
  severity: 'low',
  score: 0.5,
  patterns: [`\\b${any(RECLAIMED)}s?\\b`],
  check: (_, context) => scoreInUse(0.5, context),
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
  check: (_, context) => scoreInUse(0.8, context),
  message: 'Text threatens somebody or wishes them dead.',
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
  check: (_, context) => scoreInUse(0.75, context),
  message: 'Text harasses somebody sexually.',
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
    return scoreInUse(0.65, context);
  },
  message: 'Text insults or demeans somebody.',
};

const ABUSE: Rule = {
  ...SHARED,
  id: 'toxicity/abuse-in-other-languages',
  category: 'insult',
  severity: 'medium',
  score: 0.65,
  patterns: [`\\b${any(ABUSE_ELSEWHERE)}\\b`, any(ABUSE_OTHER_SCRIPTS)],
  check: (_, context) => scoreInUse(0.65, context),
  message: 'Text insults somebody or speaks with hate, in a language other than English.',
};

export const TOXICITY_RULES: readonly Rule[] = [SLUR, RECLAIMED_SLUR, HATE, THREAT, SEXUAL, INSULT, ABUSE];
