/**
 * Words of hate, abuse and threat, as alternatives of patterns for the folded view: lower case, no accents needed.
 *
 * This file holds slurs in plain text because that is what has to be found, and it is the only one that does: rules build
 * their patterns from these lists. Severity is a list's place: a word stands in the mildest list whose rule finds it.
 * Words that are as often harmless (`damn`, `crap`, `queer`, `gypsy`) are left out on purpose.
 */

/** Words for groups of people that are hardly ever said but to demean them. */
export const SLURS = [
  'nigg(?:er|uh|let|ress)|jiggaboo|porch ?monkey|sambo|sand ?nigg(?:er|a)|wetback|beaner',
  'spi[ck]s?(?: ass| bitch)|gook|zipperhead|slant ?eye|ching ?chong|raghead|towel ?head|camel ?jockey|paki',
  'kike|hymie|heeb|fag(?:got|gy|goty|gotry)?|tranny|shemale|trannie|injun|white trash|trailer trash|honkey',
  'wigger|kanake|bimbo ?(?:negro|nigger)|schwuchtel|sudaca|bougnoule|negre?o di merda|chinks',
  'chink (?:ass|eyes?|eyed|bitch)|coons|coon ass',
].join('|');

/** Words that many take back for themselves, so that they are insults only by how they are said. */
export const RECLAIMED = 'nigg(?:a|ah|az)';

/** Nouns that are insults where somebody is called so. */
export const INSULT_NOUNS = [
  'idiot|moron|imbecile|cretin|dumb ?ass|dumb ?fuck|fuck ?(?:er|face|tard|wit|head)|mother ?fucker|retard',
  'bitch|cunt|whore|slut|hoe|skank|thot|ass ?hole|arse ?hole|ass ?hat|bastard|prick|dick(?: ?head)?|twat',
  'wanker|tosser|pussy|piece of (?:shit|garbage|trash)|shit ?(?:head|bag|stain)|scum(?:bag)?|douche ?bag',
  'cock ?sucker|jack ?ass|degenerate|pervert|pig|cuck|incel|simp|pedo|nazi|fat ?ass|loser',
  'waste of (?:space|air|oxygen|skin)|disgrace|parasite|vermin|subhuman',
].join('|');

/** Nouns that demean women, or men by likening them to women, wherever they stand with one of DEMEANING. */
export const DEGRADING_NOUNS = 'bitch(?:es|ez)?|biotch|beeyotch|hoes?|whores?|sluts?|cunts?|skanks?|thots?|pussies';

export const DEMEANING = [
  'dumb|stupid|fuck(?:ing?|en|in)|ugly|fat|filthy|dirty|nasty|worthless|crazy|lil|little|basic|these|those',
  'them|this|that|ur|yo|your|yall|some|all|other|white|black|old|lazy|ratchet|trifling|thirsty|broke|fake',
  'silly|weak|petty|sad|lame|loud|hating|bad|sorry|punk|slow|ass|my',
].join('|');

/** Groups that hate speech speaks about. */
export const GROUPS = [
  'blacks|black people|africans|negroes|jews|jewish people|zionists|muslims|moslems|arabs|islam|christians',
  'hindus|immigrants|migrants|refugees|foreigners|illegals|mexicans|latinos|hispanics|asians|chinese people',
  'the chinese|indians|pakistanis|gypsies|roma|gays|gay people|lesbians|homosexuals|homos|trans people',
  'transgenders|women|females|feminists|white people|whites|disabled people|autistic people',
].join('|');

/** What is said of groups to make them less than people. */
export const DEHUMANISING = [
  'scum|vermin|animals|apes|monkeys|subhuman|sub-human|parasites|cockroaches|rats|filth|trash|garbage',
  'a disease|a plague|a cancer|inferior|savages|rapists|disgusting|evil|worthless|retarded|objects|property',
  'stupid|whores|sluts|an abomination|mentally ill|the enemy|a stain|freaks|pedophiles',
].join('|');

/** Abuse in other languages that needs no more words around it. */
export const ABUSE_ELSEWHERE = [
  'hurensohn|missgeburt|wichser|fick dich|verpiss dich|halt (?:die|deine) fresse|du (?:bist ein )?arschloch',
  'drecks(?:jude|turke|auslander|schlampe)|hij[oa] de (?:la gran )?puta|vete a la mierda|chinga tu madre',
  'puto maricon|fils de pute|nique ta mere|va te faire (?:foutre|enculer)|ferme ta gueule',
  'sale (?:arabe|juif|noir|negre|pute|pd)|encule de ta|figlio di puttana|vaffanculo|frocio di merda',
  'troia di merda|filh[oa] da puta|vai se foder|vai tomar no cu|madarchod|b(?:h|eh)enchod|bhosdi(?:ke|wale)',
  'chutiy[ae]|randi ki|orospu cocugu|siktir git|skurwysyn|spierdalaj',
].join('|');

/** The same in scripts that write no ASCII word boundaries. */
export const ABUSE_OTHER_SCRIPTS = [
  'хуесос|пидорас|иди на ?хуй|пошел на ?хуй|ебаный|чурка|жид(?:ы|ов|яр)|操你妈|草泥马|傻逼|傻屄|贱人|婊子|去死吧|死ね|殺すぞ|クソ野郎',
  'くたばれ|씨발|씨빨|시발(?:[^점역전]|$)|병신|븅신|개새끼|개자식|좆|지랄|썅|미친(?:놈|년|새끼)|쌍년|걸레같은|창녀|한남충|한남(?:들|새끼|놈)|한녀|김치녀|된장녀|맘충|틀딱',
  '짱[깨개]|쪽[바발]리|똥꼬충|급식충|깜둥이|흑형|꼴페미|페미(?:년|충|나치)|메갈년|홍어새끼|(?:뒤져|뒈져|죽어)(?:라|버려)|[가-힣](?:새끼|년|놈)들?(?:아|은|이|을|들)',
].join('|');
