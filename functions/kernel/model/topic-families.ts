/**
 * English keywords of common banned topics, by family: `sure` ones are unmistakable and have two points, `words` have one. `*` matches
 * any ending. They are here, not with the detectors, because the policy schema needs the family names. Examples:
 * topic-families.examples.ts.
 */
export const TOPIC_FAMILIES = {
  politics: {
    sure: ['presidential election', 'general election', 'vote for', 'left-wing', 'right-wing', 'political party'],
    words: [
      ...['politic*', 'election*', 'electoral', 'democrat*', 'republican*', 'conservative party', 'labour party'],
      ...['senator*', 'congress', 'parliament*', 'president', 'prime minister', 'campaign rally', 'ballot*', 'voter*'],
      ...['liberal*', 'socialis*', 'communis*', 'fascis*', 'gerrymander*', 'referendum*', 'impeach*', 'lawmaker*'],
    ],
  },
  'medical-advice': {
    sure: ['what medication should i', 'should i take', 'what dosage', 'how many milligrams', 'diagnose me'],
    words: [
      ...[
        'diagnos*',
        'symptom*',
        'dosage',
        'dose',
        'doses',
        'milligram*',
        'mg',
        'prescri*',
        'medication*',
        'antibiotic*',
      ],
      ...['ibuprofen', 'paracetamol', 'acetaminophen', 'insulin', 'chest pain', 'blood pressure', 'side effect*'],
      ...['treatment', 'cure', 'tumor', 'tumour', 'cancer', 'infection', 'rash', 'pregnan*', 'antidepressant*'],
    ],
  },
  'legal-advice': {
    sure: ['should i sue', 'can i sue', 'legal advice', 'plead guilty', 'is it legal for', 'my lawyer'],
    words: [
      ...['lawsuit*', 'sue', 'suing', 'sued', 'lawyer*', 'attorney*', 'solicitor*', 'court', 'litigation', 'liable'],
      ...['liability', 'custody', 'divorce', 'evict*', 'landlord', 'breach of contract', 'statute of limitations'],
      ...['felony', 'misdemeanor', 'plaintiff*', 'defendant*', 'subpoena*', 'settlement', 'small claims'],
    ],
  },
  weapons: {
    sure: [
      'ghost gun*',
      'pipe bomb*',
      'build a bomb',
      'make a bomb',
      'molotov',
      'improvised explosive',
      '3d printed gun*',
    ],
    words: [
      ...['gun', 'guns', 'firearm*', 'rifle*', 'pistol*', 'handgun*', 'shotgun*', 'ammunition', 'ammo', 'silencer*'],
      ...['suppressor*', 'explosive*', 'detonator*', 'grenade*', 'bomb*', 'gunpowder', 'ar-15', 'ak-47', 'bullet*'],
      ...['caliber', 'calibre', 'nerve agent*', 'sarin', 'weapon*', 'machete*', 'landmine*'],
    ],
  },
  gambling: {
    sure: ['online casino*', 'sports betting', 'place a bet', 'betting odds', 'slot machine*', 'poker strategy'],
    words: [
      ...['casino*', 'gambl*', 'betting', 'bet', 'bets', 'bookmaker*', 'bookie*', 'roulette', 'blackjack', 'poker'],
      ...['baccarat', 'jackpot*', 'wager*', 'odds', 'free spins', 'sportsbook*', 'parlay*', 'payout*', 'lottery'],
    ],
  },
  adult: {
    sure: ['porn*', 'hardcore sex', 'sex scene', 'explicit sex*', 'blowjob*', 'gangbang*', 'camgirl*', 'nsfw story'],
    words: [
      ...['sex', 'sexual', 'sexy', 'erotic*', 'nude*', 'naked', 'nsfw', 'xxx', 'fetish*', 'orgasm*', 'masturbat*'],
      ...['penis', 'vagina*', 'escort service*', 'stripper*', 'onlyfans', 'horny', 'seduc*', 'bdsm', 'lingerie'],
    ],
  },
  'self-harm': {
    sure: [
      'kill myself',
      'killing myself',
      'end my life',
      'commit suicide',
      'want to die',
      'cut myself',
      'cutting myself',
    ],
    words: [
      ...['suicid*', 'self-harm*', 'self harm*', 'overdos*', 'hang myself', 'slit', 'wrists', 'no reason to live'],
      ...['better off dead', 'painless', 'noose', 'hurt myself', 'hopeless', 'goodbye letter', 'sleeping pills'],
    ],
  },
} as const satisfies Readonly<Record<string, { readonly sure: readonly string[]; readonly words: readonly string[] }>>;

export type TopicFamily = keyof typeof TOPIC_FAMILIES;

export function isTopicFamily(name: string): name is TopicFamily {
  return Object.hasOwn(TOPIC_FAMILIES, name);
}
