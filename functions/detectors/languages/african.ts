import type { LanguageWords } from './words.ts';

const SWAHILI: LanguageWords = {
  lang: 'sw',
  order: 'first',
  ending: 3,
  words: {
    drop: `puuza | puuzeni | puuzia | kupuuza | upuuze | sahau | sahauni | kusahau | usahau | usifuate | msifuate
      | usizingatie | usitii | usijali | usisikilize | achana na | uache kufuata | weka kando | weka pembeni
      | usiheshimu | dharau | usitekeleze | usiyafuate | usizifuate`,
    undo: `kiuka | kiukeni | zima | futa | ruka | batilisha | vunja | kataa | ondoa | pita | ghairi | badilisha
      | yamebatilishwa | zimebatilishwa | yamefutwa | zimefutwa | jikomboe kutoka`,
    void: `hayatumiki tena | hazitumiki tena | si halali tena | hayana nguvu
      | {yamefutwa,zimefutwa,yamebatilishwa,zimebatilishwa,batili} | {hayatumiki,hazitumiki,hayafanyi kazi} tena
      | hazipo | hayapo`,
    norm: `maagizo* | agizo* | maelekezo* | elekezo* | amri* | miongozo* | mwongozo* | mafundisho* | mafunzo*
      | prompt* | programu* | maelezo*`,
    limit: `sheria* | kanuni* | masharti* | vikwazo* | vizuizi* | mipaka* | vichujio* | kichujio* | makatazo*
      | miiko*`,
    safety: 'usalama',
    nature: 'mafunzo | programu',
    prior: `awali | yaliyotangulia | zilizotangulia | iliyotangulia | hapo juu | juu | kabla | ya kabla | ya mwanzo
      | mwanzo | zamani | zilizopo | yaliyopo | msingi | mfumo | siri | yaliyofichwa | ndani | mwanzoni | hadi sasa
      | mpaka sasa | asili | yaliyopita | zilizopita`,
    yours: 'yako | zako | wako | lako | chako | vyako | yenu',
    given: `uliyopewa | ulizopewa | uliopewa | uliyopokea | ulizopokea | uliyoambiwa | ulichoambiwa | uliyofundishwa
      | ulichofundishwa | niliyokupa | uliyojifunza | yaliyoandikwa | yaliyosemwa | ulipewa | umepewa
      | kilichoandikwa`,
    all: 'yote | zote | wote | vyote | kila | chochote | lolote | yoyote',
    things: 'yote | kila kitu | kila kilichoandikwa | vyote | chochote | kila ulichoambiwa',
    text: 'maandishi | maneno | yaliyomo',
    not: 'usi* | si | hapana',
    keep: `usisahau | msisahau | usipuuze | msipuuze | usiyapuuze | usiyasahau | usipuuzie`,
    others: 'mimi | sisi | yeye | wao',
    message: 'barua pepe | barua | swali | maswali | maoni | ankara | simu',
    said: `{niliandika,nilisema,niliuliza,nilituma,niliomba,nilitoa,nilikupa,nilikuambia,nilichoandika,nilichosema,
      nilichouliza,nilichotuma,nilichoomba,nilichokuambia,niliyoandika,niliyosema,niliyokuambia,nililouliza,
      nilizokupa,nilizotoa}`,
    mine: 'wangu | langu | yangu | changu | zangu',
    role: 'wewe ni | wewe sasa ni',
    scope: 'urefu | maneno | bajeti | muda | ukubwa',
    show: `nionyeshe | onyesha | fichua | rudia | chapisha | niambie | tafsiri | taja | eleza | fupisha | andika
      | shiriki | orodhesha | nakili | soma | toa | nipe | sema | weka wazi`,
    ask: 'ni nini | ni yapi | ni zipi | nini',
    prompt: `agizo la mfumo | maagizo ya mfumo | prompt ya mfumo | ujumbe wa mfumo | amri ya mfumo | amri za mfumo
      | maelekezo ya mfumo | agizo lako la mfumo`,
    reveal: 'nionyeshe | onyesha | fichua | rudia | chapisha | weka wazi',
    freed: 'huna | huna tena | hazikuhusu | hayakuhusu | haikuhusu | hufungwi na | uko huru kutoka',
    next: 'na | lakini | au | kisha',
    obey: `{kufuata,fuata,ufuate,kutii,tii,utii,kuzingatia,zingatia,uzingatie,kusikiliza,sikiliza,kuheshimu,heshimu,
       kutekeleza}`,
    cease: 'acha | wacha | si lazima | hauhitaji | huhitaji | bila | badala ya | hulazimiki | usiendelee',
    asIf: '{kana kwamba,kama vile} {hakuna,hujawahi,huna}',
    alone: '{nisikilize,nitii} mimi {tu,pekee}',
    be: 'wewe ni | wewe sasa ni | jibu',
    without: 'bila | isiyo na | asiye na',
    maker: 'msanidi* | wasanidi* | muundaji*',
    verbatim: 'neno kwa neno | neno baada ya neno',
  },
};

export const AFRICAN = [SWAHILI];
