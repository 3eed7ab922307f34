import type { WordTable } from './word-table.ts';

/** Words of any language that speak about an attack, or about words, instead of saying them. */
export const ABOUT: readonly WordTable<'about'>[] = [
  {
    lang: 'spaced',
    ending: 6,
    words: {
      about: `injection* | injektion* | inyeccion* | inyección* | injeção | iniezione | injektio* | инъекци* | инжект* | ін єкці* | ін’єкці*
        | jailbreak* | джейлбрейк* | hacker* | hackeo | hakker* | хакер* | attack | attacks | attacker* | angriff* | angreif* | aanval*
        | angrepp* | angreb* | angrep* | angriper* | ataque* | atacante* | atacul* | atacuri | attaque* | attaquant* | attacco | attacchi
        | attaccant* | atac | atacs | атак* | злоумышленник* | зловмисник* | нападател* | útok* | utok* | útočn* | atak* | napad* | напад*
        | hyökkä* | támad* | saldırı* | saldırgan* | επίθεσ* | επιτιθέμεν* | هجوم* | هجمات | مهاجم* | حملة | حمله* | התקפה | התקפות | תוקף
        | תוקפים | מתקפה | حملہ* | हमल* | attack* | हल्ल* | আক্রমণ* | তাক্রমণ* | தாக்குதல்* | தாக்குபவர்* | దాడి* | దాడులు | tấn công | kẻ tấn công
        | serangan* | penyerang* | nyerang* | atake | umaatake | shambulio | shambulizi* | mshambuliaji | 공격* | 해커* | 인젝션*
        | beispiel* | ejemplo* | exemplo* | exemple* | esempi* | exemplu* | voorbeeld* | exempel* | eksempel* | esimerk* | példa* | példá*
        | örnek* | παράδειγμα* | παραδείγματα | пример* | приклад* | przykład* | příklad* | príklad* | primjer* | primer* | مثال* | أمثلة
        | דוגמה | דוגמאות | مثلا | مثلاً | उदाहरण* | উদাহরণ* | உதாரண* | எடுத்துக்காட்* | ఉదాహరణ* | ví dụ | contoh* | tuladha* | halimbawa*
        | mfano | mifano | 예를 | 예시* | 예컨대 | phrase* | frase* | frases | frasi | satz | sätze | sätzen | zin | zinnen | mening* | sætning*
        | setning* | lause* | mondat* | cümle* | φράσ* | фраз* | zdani* | zdań | věta | věty | veta | vety | rečenic* | речениц* | изречени*
        | عبارة | عبارات | جملة | جمل | جمله | משפט | משפטים | جملہ | वाक्य* | বাক্য* | வாக்கிய* | వాక్య* | câu | kalimat* | ayat | ukara
        | pangungusap | sentensi | 문장* | 문구* | prompt injection`,
    },
  },
  {
    lang: 'unspaced',
    spaced: false,
    words: {
      about: `攻击 | 攻擊 | 注入 | 黑客 | 駭客 | 越狱 | 越獄 | 例如 | 比如 | 譬如 | 示例 | 例子 | 句子 | 语句 | 攻撃 | インジェクション | ハッカー | 脱獄 | 例えば | たとえば
        | という文 | などの | といった | といった文 | โจมตี | แฮกเกอร์ | ตัวอย่าง | เช่น | ประโยค`,
    },
  },
];
