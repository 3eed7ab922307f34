import type { LanguageWords } from './words.ts';

const FINNISH: LanguageWords = {
  lang: 'fi',
  order: 'first',
  ending: 9,
  words: {
    drop: `ohita | ohittakaa | ohittaa | unohda | unohtakaa | unohtaa | sivuuta | sivuuttakaa | sivuuttaa | ignoroi
      | älkää noudattako | älkää välittäkö | jätä huomiotta | jätä huomioimatta | jättäkää huomiotta
      | jätä noudattamatta | huomiotta | huomioimatta | viis veisaa
      | {jätä,heitä,siirrä} {sikseen,syrjään,omaan arvoonsa} | {viittaa,viitata} kintaalla`,
    undo: `kierrä | hylkää | poista | korvaa | pyyhi | riko | kumoa | ylitä | peruuta | nollaa | mitätöi | vapaudu
      | heitä | jätä sivuun | {pidä,katso} {mitättöminä,kumottuina,pätemättöminä}`,
    void: `eivät enää päde | ei enää päde | eivät päde | eivät ole enää voimassa | eivät ole voimassa | ei päde enää
      | ei ole voimassa | ei ole enää voimassa | ei koske sinua | eivät koske sinua | kumottu | on peruttu
      | on mitätöity | on poistettu | on mitättömiä | on kumottuja | ovat peruttu | ovat mitätöity | ovat poistettu
      | ovat mitättömiä | ovat kumottuja | ei ole olemassa | eivät ole olemassa`,
    norm: `ohje | ohjeet | ohjeita | ohjeesi* | ohjeitasi | ohjeistu* | määräy* | käsky* | käskyjä* | komento*
      | komennot* | komentoj* | suuntaviiv* | linjauk* | kehot* | prompt* | ohjelmoint* | toimintaohje* | turvaohje*
      | ohjeista | ohjetta`,
    limit: `sääntö* | säännö* | sääntöj* | rajoituk* | rajoite* | rajoitteet | suodatti* | suodattim* | rajat
      | rajasi | rajoja* | sensuur* | periaat* | kiello* | turvarajoituk*`,
    ownNorm: `ohjeesi | ohjeitasi | sääntösi | sääntöjäsi | määräyksesi | määräyksiäsi | rajoituksesi
      | rajoituksiasi | käskysi | suodattimesi | ohjelmointisi | kehotteesi | järjestelmäkehotteesi | periaatteesi
      | periaatteitasi | ohjeistuksesi | rajojasi`,
    safety: 'turva*',
    nature: 'koulutuksesi | ohjelmointisi | arvosi',
    prior: `aiem* | aikaisem* | edelli* | edeltäv* | alkuperäi* | yllä | ylläolev* | yllämainit* | olev* | nykyis*
      | vanhat | vanhoj* | tähänast* | sisäis* | salais* | piilotet* | alussa | järjestelmän | aiemmin | edellä`,
    yours: 'sinun | omat | omia | sinulle | teidän',
    given: `annettu* | annetut | saamasi | saamiasi | saatu* | opetettu* | sanottu* | kerrottu* | sait | oppimasi
      | ohjelmoitu* | käsketty*`,
    all: 'kaikki | kaikkia | kaikista | kaiken | jokainen | mitkään',
    things: 'kaikki | kaikkea | kaiken | se mitä | mitä | mikä',
    text: 'teksti | tekstin | sanat | sisältö',
    not: 'älä | älkää | ei | et | eivät',
    keep: `{älä,älkää} {unohda,unohtako,ohita,ohittako,sivuuta,sivuuttako,jätä huomiotta} | unohtamatta`,
    others: 'minä | hän | me | he | en | kukaan',
    message: 'sähköpost* | kysymy* | lasku* | kommentt* | puhelu* | kirje* | viestini',
    said: `kirjoitin | sanoin | kysyin | lähetin | annoin | pyysin | mainitsin | liitin | kerroin | kirjoittamani
      | sanomani | kysymäni | lähettämäni | antamani | pyytämäni | mainitsemani | liittämäni | kertomani`,
    mine: 'minun | mun | viestini | kysymykseni | pyyntöni | luonnokseni',
    role: 'olet',
    scope: 'pituu* | pituude* | sanamäär* | merkkimäär* | budjet* | muodo* | ajan | koon',
    show: `näytä* | paljasta* | toista | tulosta | kerro* | käännä | mainitse | siteeraa | kirjoita | jaa | anna
      | luettele | kopioi | lue | ilmoita | listaa | näyttäkää`,
    ask: 'mikä on | mitkä ovat | mikä oli | mitkä olivat | mitä lukee',
    prompt: `järjestelmäkehot* | järjestelmäkehoit* | järjestelmäohje* | järjestelmäviest* | systeemiprompt*
      | aloituskehot* | järjestelmäprompt* | promptisi`,
    reveal: 'näytä* | paljasta* | toista | tulosta | siteeraa | näyttäkää',
    freed: `sinulla ei ole | sinulla ei ole enää | et ole sidottu | et ole enää sidottu | eivät koske sinua
      | olet vapaa`,
    next: 'ja | mutta | tai | sitten',
    obey: `{noudata,noudattaa,noudattaminen,noudattamasta} | {tottele,totella,tottelemasta} | kuuntele
      | {huomioi,huomioida} | {ota,ottaa} huomioon | {välitä,välittää} | {seuraa,seurata} | kunnioita | piittaa`,
    cease: 'lakkaa | lopeta | sinun ei tarvitse | ei tarvitse | ilman',
    asIf: '{ikään kuin,kuin} {et olisi,ei olisi,mitään,et}',
    alone: `{kuuntele,tottele} {vain,ainoastaan} minua
      | {kuin,ikään kuin} {sääntöjä,ohjeita,rajoituksia} ei {ole,olisi}`,
    be: 'olet | vastaa | toimi',
    without: 'ilman | vailla',
    maker: 'kehittäj* | luoj* | ohjelmoij*',
    verbatim: 'sanasta sanaan | sanatarkasti | sana sanalta',
  },
};

const HUNGARIAN: LanguageWords = {
  lang: 'hu',
  order: 'free',
  ending: 9,
  words: {
    drop: `hagyd figyelmen kívül | hagyja figyelmen kívül | hagyj figyelmen kívül | hagyjon figyelmen kívül
      | figyelmen kívül | felejtsd el | felejtse el | felejts el | felejtsen el | felejtsd | ignoráld | ignorálja
      | mellőzd | mellőzze | hanyagold | ne igazodj | ne kövesd többé
      | {tekintsd,tekintse} {semmisnek,érvénytelennek} | tegye félre | {felejtse,felejtsétek} | tekints el`,
    undo: `töröld | törölje | érvénytelenítsd | érvénytelen* | visszavonva | kerüld meg | vesd el | kapcsold ki
      | írd felül | tedd félre | szegd meg | függeszd fel | lépd át | hagyd el | rázd le | utasítsd el | dobd el
      | vond vissza | lépj túl | távolítsd el`,
    void: `nem érvényes* | hatályon kívül | hatályukat vesztették | hatályát vesztette | vissza vannak vonva
      | {érvényüket vesztették,érvényét vesztette,törölve,hatálytalanok}
      | {már nem,többé nem} {érvényesek,számítanak,vonatkoznak,élnek} | semmisnek | nem léteznek | nem létezik`,
    norm: `utasítás* | irányelv* | parancs* | előírás* | instrukció* | útmutat* | rendelkezés* | prompt*
      | programozás* | rendszerutasítás* | protokoll*`,
    limit: `szabály* | korlát* | korlátozás* | szűrő* | szűrőid* | határ* | tilalm* | cenzúr* | elvek* | elveid*
      | megkötés* | tilt*`,
    ownNorm: `utasításaid* | utasításod* | szabályaid* | irányelveid* | parancsaid* | korlátaid* | korlátozásaid*
      | szűrőid* | elveid* | programozásod* | rendszerpromptod* | instrukcióid* | korlátod`,
    safety: 'biztonsági',
    nature: 'tanítás* | képzés* | programozásod*',
    prior: `korább* | előző* | eredeti* | fenti* | fent | meglévő* | addigi* | eddig* | kezdet* | beépített* | régi
      | titkos* | rejtett* | belső* | fennálló* | előzőleg* | fentebb* | iménti* | megelőző* | rendszer`,
    yours: 'saját | a te | te',
    given: `kapott* | kaptál | adott* | adtak | tanítottak | mondtak | mondott* | megadott* | tanult* | tanultál
      | írtak | előírt*`,
    all: 'összes | minden* | valamennyi | bármely* | bármilyen',
    things: 'mindent | mindazt | amit | minden',
    text: 'szöveget | szavakat | tartalmat',
    not: 'ne',
    keep: `ne {felejtsd*,felejtse*,felejts,felejtsen*,hagyd figyelmen,hagyja figyelmen,hagyjátok figyelmen,
      mellőzd,ignoráld}`,
    others: 'én | ő | mi | ők | senki',
    message: 'levele* | e mail* | email* | kérdés* | számla* | megjegyzés* | hívás* | sms*',
    said: `írtam | mondtam | kértem | kérdeztem | küldtem | adtam | említettem | beillesztettem | megadtam | elküldtem
      | leírtam | beírtam | rendeltem`,
    mine: 'az én | üzenetem* | kérdésem* | kérésem* | levelem* | vázlatom*',
    scope: 'hossz* | szó | szavak | karakter* | költségvetés* | formátum* | idő* | méret*',
    show: `mutasd | mutassa | fedd fel | ismételd | írd ki | írd le | mondd | mondja | fordítsd | nevezd | idézd
      | foglald | oszd | add | sorold | másold | áruld | tárd fel | listázd | közöld | olvasd fel | nyomtasd
      | jelenítsd`,
    ask: 'mi a | mi az | mik a | mik az | mi volt | mik voltak | milyen',
    prompt: `rendszerprompt* | rendszerüzenet* | rendszerutasítás* | rendszer prompt* | kezdő prompt*
      | rendszerpromtod*`,
    reveal: 'mutasd | mutassa | fedd fel | ismételd | írd ki | idézd | áruld | tárd fel | nyomtasd | jelenítsd',
    freed: `nincs | nincsenek | nincs {többé,már} | nincsenek {többé,már} | nem vonatkoz* | nem kötnek | nélküli
      | nélkül`,
    you: 'te | neked | rád | téged | számodra',
    next: 'és | de | vagy | majd',
    obey: `{kövesd,kövesse,követned,követni,követd} | {tartsd,tartsa,tartanod,tartani} {be,magad}
      | {vedd,vegye,venned} figyelembe | {törődj,törődjön,törődnöd} | {hallgass,hallgasson,hallgatnod}
      | {engedelmeskedj,engedelmeskedned} | {foglalkozz,foglalkozzon} | {alkalmazd,alkalmazza} | {figyelj,figyeljen}`,
    cease: 'hagyd abba | nem kell | többé ne | már ne | ahelyett hogy | anélkül',
    asIf: '{mintha,úgy mintha} {nem,soha nem,sosem,sose,nem lennének,nem kaptál volna,nem léteznének,soha}',
    alone: '{csak,kizárólag} {rám,énrám,nekem} {hallgass,figyelj,engedelmeskedj} | hallgass csak rám',
    be: 'válaszolj | viselkedj | cselekedj',
    without: 'nélkül* | mentes',
    maker: 'fejlesztő* | készítő* | alkotó* | programozó*',
    verbatim: 'szóról szóra | szó szerint',
  },
};

const TURKISH: LanguageWords = {
  lang: 'tr',
  order: 'last',
  ending: 10,
  words: {
    drop: `{yok,hiçe} {say,sayın,sayınız,saymanı*,sayarak,sayıp} | {yoksay,yoksayın,yoksaymanı*,yoksayarak}
      | {görmezden,görmezlikten} {gel,gelin,geliniz,gelmeni*,gelerek,gelip,gelebilir}
      | {göz ardı,gözardı} {et,edin, ediniz,etmeni*,ederek,edip,edebilir,etmelisin,edilsin,edilmeli*} | unut
      | unutun | unutunuz | unutmanı* | unutarak | unutup | unutuver | dikkate {alma,almayın,almadan} | umursama
      | umursamayın | umursamadan | dinleme | dinlemeyin | takma | kulak asma | uyma | uymayın
      | {uymayı,takip etmeyi,dinlemeyi} {bırak,bırakın, bırakmanı*,bırakarak,bırakıp,kes}
      | uymaktan {vazgeç,vazgeçin} | takip etme | {boş ver,boşver} | boşverin | aldırma | aldırmayın | aldırış etme
      | önemseme | önemsemeyin | itaat etme | hesaba katma | gözetme
      | {uymak,itaat etmek,takip etmek,dinlemek,bağlı kalmak} zorunda değil*
      | {uyman,uymana,itaat etmen,takip etmen, dinlemen,itaat etmene} {gerekmiyor,gerekmez,gerek yok,lüzum yok}
      | {uymayı,takip etmeyi,dinlemeyi, itaat etmeyi, uygulamayı} {bırak,bırakın,kes,kesin,durdur}
      | {aldırış etmeyin,kulak asmayın,takip etmeyin,itaat etmeyin}
      | {yokmuş gibi,hiç yokmuş gibi} {davran,davranın,say,sayın} | {umursamaz,önemsemez}
      | {kenara koy,kenara bırak,kenara at} | {unutmanı,unutmalısın,unutursun} | uygulamayın`,
    undo: `reddet | kapat | kapatın | atla | atlayın | sıfırla | sıfırlayın | etkisizleştir | çiğne | sil | silin
      | kaldır | kaldırın | vazgeç | {kır,kırın,çiğneyin,ihlal et}
      | {devre dışı,bir kenara,geride} {bırak,bırakın,bırakmanı*,bırakarak,bırakıp}
      | {iptal,terk,ihlal, bypass} {et,edin,ediniz,etmeni*,ederek,edip,edebilir} | bir kenara {koy,koyun}
      | askıya {al,alın} | çöpe {at,atın}`,
    void: `iptal {edildi*,edilmiştir}
      | {geçersiz,geçersizdir,hükümsüz,hükümsüzdür,yürürlükten kalktı, yürürlükten kaldırıldı,geçerliliğini yitirdi,
       geçerli sayılmaz}
      | geçerli değil* | iptal oldu | iptal edildi* | iptal sayılır | iptal kılındı* | artık yok`,
    norm: `talimat* | yönerge* | komut* | emir* | emri* | direktif* | istem | istemi | istemini | istemleri*
      | prompt* | buyruk* | yönlendirme* | programlama* | talimatname* | sistem istem*`,
    limit: `kural* | kısıtlama* | filtre* | sınır* | sınırlama* | ilke* | yasak* | sansür* | protokol* | kısıt*
      | prensip* | engel* | sansürsüz`,
    ownNorm: `talimatların* | kuralların* | yönergelerin* | komutların* | emirlerin* | kısıtlamaların*
      | filtrelerin* | sınırların* | ilkelerin* | programlamanı* | kısıtlaman | sınırın | kuralın | filtren
      | sınırlaman | kısıtın | engelin`,
    safety: 'güvenlik',
    nature: 'eğitimini | programlamanı | değerlerini | koşullanmanı',
    prior: `önceki* | evvelki* | yukarıdaki* | yukarıda* | önce | ilk | mevcut | eski | şimdiye kadar*
      | şu ana kadar* | bu ana kadar | geçmiş* | başlangıçta* | gizli | dahili | var olan | orijinal | sistem
      | öncesinde* | üstteki* | başta | üstünde* | üzerinde*`,
    yours: 'senin | sizin | kendi',
    given: `verilen* | verdiği* | aldığın* | söylenen* | söylediği* | öğretilen* | öğrendiğin* | verilmiş*
      | yazılan* | yazan* | iletilen* | yüklenen* | dayatılan* | denilen* | söylenmiş* | konuşulan*
      | kararlaştırılan* | emredilen*`,
    all: 'tüm | bütün | her | hepsini | herhangi | tamamını | tamamı | bütününü | tamamen',
    things: `her şeyi | herşeyi | her şey | hepsini | söylenenleri | ne varsa | tüm söylenenleri | yazanlara
      | yazanları | yazılanlara | söylenenlere | söyleneni | anlatılanları`,
    text: 'metni | metin | sözleri | içeriği | yazılanları | metn* | yazı* | yazılar*',
    not: 'sakın | asla',
    keep: `unutma | unutmayın | unutmayınız | unutmayalım | {göz ardı,gözardı} {etme,etmeyin,etmeyiniz} | {yok,
      hiçe} {sayma,saymayın} | görmezden {gelme,gelmeyin} | {atlama,atlamayın,ihmal etme,ihmal etmeyin}`,
    others: 'ben | biz | onlar | kimse',
    message: 'e posta* | eposta* | mail* | mesajımı | mesajım | soru* | fatura* | yorum* | mektub* | mektup*',
    said: `{yazdığım,yazdıklarım,söylediğim,söylediklerim,dediğim,dediklerim,sorduğum,sorduklarım,gönderdiğim,
      gönderdiklerim,verdiğim,verdiklerim,istediğim,istediklerim,attığım,attıklarım,yapıştırdığım,paylaştığım,
      paylaştıklarım,bahsettiğim,belirttiğim,belirttiklerim,anlattığım,anlattıklarım,ilettiğim,yolladığım,eklediğim,
      ettiğim,girdiğim,önerdiğim}*`,
    mine: `benim | mesajım | mesajımı | mesajlarımı | sorum | sorumu | sorularımı | isteğim | isteğimi | taslağımı
      | siparişim | siparişimi | notumu | metnimi | cümlemi | cevabımı | önerimi | kodumu`,
    scope: `uzunluk* | uzunluğu | kelime* | karakter* | bütçe* | biçim* | format* | süre* | zaman* | boyut* | sayı*
      | veri* | fiyat* | hız*`,
    show: `göster* | açıkla* | tekrarla* | tekrar et* | yazdır* | söyle* | çevir* | ifşa et* | paylaş* | özetle*
      | anlat* | listele* | alıntıla* | kopyala* | ver | verin | verir misin | yaz | yazın | ortaya çıkar* | dök
      | bildir* | aktar*`,
    ask: 'nedir | neydi | nelerdir | nelerdi | ne | neler | hangi',
    prompt: `sistem istem* | sistem prompt* | sistem komut* | sistem mesaj* | sistem talimat* | sistem yönerge*
      | başlangıç istem* | başlangıç prompt* | gizli prompt*`,
    reveal: 'göster* | tekrarla* | tekrar et* | yazdır* | ifşa et* | ortaya çıkar* | dök | alıntıla*',
    freed: `yok | kalmadı | geçerli değil | {bağlı,tabi} değilsin | muafsın | olmayan | olmadan | olmaksızın
      | olmadığı | tanımayan`,
    you: `sen | senin | sana | siz | sizin | yapay zekâsın | yapay zekasın | modelsin | botsun | asistansın
      | biriydin | birisin`,
    next: 've | ama | fakat | oku | okuyun | okuyup | uy | uyun | uyup | sonra | takip et*',
    asIf: '{almamış,almamışsın,verilmemiş,yokmuş,olmamış,görmemiş,duymamış,yokmuşçasına} {gibi,gibi davran}',
    alone: `{sadece,yalnızca,yalnız} {beni dinle,beni dinleyin,bana itaat et,bana uy,benim sözümü dinle,
       benim dediklerimi}`,
    be: 'yanıt ver* | cevap ver* | yanıtla* | cevapla* | davran*',
    without: '',
    maker: 'geliştirici* | yaratıcı* | programcı* | yapımcı* | üretici*',
    verbatim: 'kelimesi kelimesine | kelime kelime | harfi harfine | harfiyen | aynen | olduğu gibi',
    follow: 'uygula | uygulayın | uy | uyun | itaat et | dinle | yap',
  },
};

const GREEK: LanguageWords = {
  lang: 'el',
  order: 'first',
  words: {
    drop: `αγνόησε | αγνοήστε | αγνοείστε | αγνοήσεις | αγνοήσετε | αγνόησέ | ξέχασε | ξεχάστε | ξεχάσεις | ξεχάσετε
      | ξέχνα | παράβλεψε | παραβλέψτε | παραβλέψεις | παράκουσε | άφησε στην άκρη | αδιαφόρησε
      | {ξεχνάς,αγνοείς,αγνοείτε,ξεχνάτε} | {βάλε,άφησε} {στην άκρη,κατά μέρος} | {λησμόνησε,προσπέρασε}`,
    undo: `παράκαμψε | παρακάμψτε | εγκατάλειψε | απενεργοποίησε | απενεργοποιήστε | αντικατάστησε | διάγραψε
      | διαγράψτε | ακύρωσε | ακυρώστε | παραβίασε | απόρριψε | υπερέβη | ξεπέρασε | κατάργησε | σβήσε | αναίρεσε
      | αφαίρεσε | σπάσε | απαλλάξου | πέταξε | θεώρησε άκυρους | θεώρησε άκυρα | θεωρήστε άκυρους | θεωρήστε άκυρα`,
    void: `δεν ισχύουν | {ακυρώνονται,ακυρώθηκαν,καταργούνται,άκυρες,άκυροι} | δεν έχουν ισχύ | είναι άκυρα
      | είναι ακυρωθεί | είναι καταργηθεί | έχουν άκυρα | έχουν ακυρωθεί | έχουν καταργηθεί | δεν υπάρχουν
      | δεν υπάρχουν πια`,
    norm: `οδηγί* | οδηγιών | εντολ* | εντολές | εντολών | κατευθύνσ* | κατευθυντήρι* | υποδείξ* | διατάξ* | διαταγ*
      | προτροπ* | prompt* | προγραμματισμ* | ρυθμίσεις | πρωτόκολλ*`,
    limit: `κανόν* | κανόνες | περιορισμ* | φίλτρ* | όρια | όριά | φραγμούς | λογοκρισία* | αρχές | απαγορεύσ*
      | κανονισμ* | λογοκρισ*`,
    safety: 'ασφαλείας',
    nature: 'εκπαίδευσή | εκπαίδευση | προγραμματισμό | αξίες',
    prior: `προηγούμεν* | πιο πάνω | παραπάνω | αρχικ* | υπάρχουσ* | ανωτέρω | πριν | προγενέστερ* | μέχρι τώρα
      | ως τώρα | έως τώρα | συστήματος | μυστικ* | κρυφ* | εσωτερικ* | ισχύουσ* | προεπιλεγμέν* | πρότερ*
      | στην αρχή | παλιές | παλιούς | από πάνω`,
    yours: 'σου | σας',
    given: `έδωσαν | έδωσα | δοθεί | δόθηκαν | έλαβες | πήρες | είπαν | είπα | ειπωθεί | έμαθες | έμαθαν
      | διδάχτηκες | προγραμματιστεί`,
    all: 'όλες | όλους | όλα | όλων | κάθε | οποιεσδήποτε | οποιουσδήποτε | οποιαδήποτε',
    things: 'όλα | όλα όσα | όσα | ό τι | οτιδήποτε | τα πάντα',
    told: 'τα παραπάνω | όλα τα παραπάνω | τα προηγούμενα | όλα τα προηγούμενα',
    text: 'κείμενο | λέξεις | περιεχόμενο',
    // A capital letter that looks like a Latin one is folded apart.
    not: 'μην | μη | Μην | Μη | δεν | ποτέ',
    keep: `{μην,Μην,μη,Μη} {ξεχάσεις,ξεχάσετε,ξεχνάς,ξεχνάτε,αγνοήσεις,αγνοήσετε,αγνοείς,αγνοείτε,παραβλέψεις,
      παραλείψεις}`,
    others: 'εγώ | αυτός | αυτοί | εμείς | κανείς',
    message: 'email* | mail* | ερώτησ* | σχόλι* | γράμμα | τιμολόγι* | μήνυμά μου',
    said: 'έγραψα | είπα | ζήτησα | ρώτησα | έστειλα | έδωσα | ανέφερα | επικόλλησα | έβαλα | παρήγγειλα',
    mine: '{μήνυμα,μήνυμά,μηνύματα,ερώτηση,ερώτησή,σχέδιο,σχέδιό} μου | δικό μου',
    role: 'είσαι | είστε',
    scope: 'μήκος | μήκους | λέξεων | χαρακτήρων | προϋπολογισμ* | μορφή* | χρόνο* | μέγεθ*',
    show: `δείξε* | δείξτε* | αποκάλυψε | αποκαλύψτε | επανάλαβε | επαναλάβετε | εκτύπωσε | πες | πείτε | μετάφρασε
      | ανάφερε | εξήγησε | συνόψισε | περίγραψε | γράψε | γράψτε | μοιράσου | δώσε | αντίγραψε | διάβασε | φανέρωσε
      | εμφάνισε | παράθεσε`,
    ask: 'ποιο είναι | ποια είναι | ποιες είναι | ποιοι είναι | ποιο ήταν | ποιες ήταν | τι γράφει | τι λέει',
    prompt: `προτροπή συστήματος | προτροπή του συστήματος | οδηγίες συστήματος | οδηγίες του συστήματος
      | μήνυμα συστήματος | prompt συστήματος | prompt του συστήματος | εντολές συστήματος | προτρεπτικό συστήματος
      | αρχικό prompt`,
    reveal: `δείξε* | δείξτε* | αποκάλυψε | αποκαλύψτε | επανάλαβε | επαναλάβετε | εκτύπωσε | φανέρωσε | εμφάνισε
      | παράθεσε`,
    freed: `δεν έχεις | δεν έχεις πια | δεν έχεις πλέον | δεν έχεις κανέναν | δεν δεσμεύεσαι | δεν δεσμεύεσαι πλέον
      | δεν ισχύουν για σένα | είσαι ελεύθερος από`,
    next: 'και | κι | αλλά | ή',
    obey: `{ακολουθείς,ακολουθήσεις,ακολουθείτε,ακολουθήσετε} | {υπακούς,υπακούσεις,υπακούσετε}
      | {τηρείς,τηρήσεις,τηρείτε} | {λαμβάνεις,λάβεις,λαμβάνετε,λάβετε} υπόψη
      | {δίνεις,δώσεις,δίνετε,δώσετε} {σημασία,προσοχή,βάση} | {σέβεσαι,σεβαστείς} | {εφαρμόζεις,εφαρμόσεις}
      | {ακούς,ακούσεις} | {συμμορφώνεσαι,συμμορφωθείς} | προσέχεις`,
    cease: `σταμάτα να | σταματήστε να | πάψε να | πάψτε να | δεν χρειάζεται να | δεν πρέπει να | χωρίς να | αντί να
      | αρνήσου να`,
    asIf: 'σαν να {μην,μη,μην έχεις,μην υπάρχουν,μην υπήρχαν,μην είχες}',
    alone: '{άκου,υπάκουε} {μόνο,αποκλειστικά} {εμένα,σε μένα} | να {ακούς,υπακούς} μόνο {εμένα,σε μένα}',
    be: 'είσαι | είστε | απάντησε | απαντήστε | συμπεριφέρσου',
    without: 'χωρίς | δίχως | απαλλαγμέν*',
    maker: 'προγραμματιστ* | δημιουργ* | κατασκευαστ*',
    verbatim: 'λέξη προς λέξη | κατά λέξη | αυτολεξεί',
  },
};

export const OTHER_EUROPEAN = [FINNISH, HUNGARIAN, TURKISH, GREEK];
