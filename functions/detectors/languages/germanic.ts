import type { LanguageWords } from './words.ts';

const GERMAN: LanguageWords = {
  lang: 'de',
  order: 'free',
  words: {
    drop: `ignorier | ignoriere | ignoriert | ignorieren | ignorierst | vergiss | vergesst | vergessen | vergisst
      | missachte | missachten | missachtet | beachte nicht | beachten sie nicht | befolge nicht
      | befolgen sie nicht | befolge keine | folge nicht | folgen sie nicht | folge keinen | berücksichtige nicht
      | halte dich nicht | halt dich nicht | halten sie sich nicht | höre nicht auf | hör nicht auf
      | kümmere dich nicht | außer acht | setz dich über | setze dich über | pfeif auf | ausblenden | blende
      | {setz,setze,setzt} {dich,euch} über | {schenk,schenke,schenken sie}
      | {umgehst,missachtest,ignorieren sie, vernachlässige,vernachlässigen sie} | {pfeif,pfeife,pfeifst} auf
      | {schieb,schiebe,leg,lege,lass,lasse} beiseite | lass | lasse | vergiß | vergesse`,
    undo: `überschreibe* | verwirf | verwerfen | lösche | löschen | umgehe | umgehen | deaktiviere* | hebe
      | streiche | brich | überspringe* | verlasse | schalte | annulliere* | widerrufe* | entferne | entfernen
      | {wirf,werfen sie,wirfst,schmeiß,schmeiße} | {heb,heben sie} | {übergehe,übergehen,übergeh}
      | {brichst,breche,durchbrich} | lösch | {verlass,umgeh,streich,verwirfst} | leg ab | lege ab | außer kraft
      | über bord | widersetze dich | löse dich von | befreie dich von | befrei dich von | verstoße gegen
      | für überholt | für widerrufen | für gelöscht | als überholt | als widerrufen | als gelöscht`,
    void: `nicht mehr gültig | nicht mehr gebunden | {gelten,gilt} nicht
      | {verlieren ihre gültigkeit, haben ihre gültigkeit verloren,haben keine gültigkeit}
      | {ungültig,hinfällig,aufgehoben} | sind überholt | sind widerrufen | sind gelöscht | wurden überholt
      | wurden widerrufen | wurden gelöscht | werden überholt | werden widerrufen | werden gelöscht
      | sind hiermit überholt | sind hiermit widerrufen | sind hiermit gelöscht | sind ab sofort überholt
      | sind ab sofort widerrufen | sind ab sofort gelöscht | sind nun überholt | sind nun widerrufen
      | sind nun gelöscht | sind jetzt überholt | sind jetzt widerrufen | sind jetzt gelöscht
      | gelten ab jetzt nicht | gelten ab sofort nicht | gelten nun nicht | gelten von nun an nicht
      | gelten für dich nicht | gelten dann nicht | gilt ab jetzt nicht | gilt ab sofort nicht | gilt nun nicht
      | gilt von nun an nicht | gilt für dich nicht | gilt dann nicht | nichtig | gegenstandslos | annulliert
      | existieren nicht | existierten nicht | nicht existieren | nicht existierten | existieren nicht mehr
      | nicht vorhanden | gibt es nicht mehr | nicht da`,
    norm: `anweisung* | instruktion* | richtlinie* | vorgabe* | befehl* | direktive* | anordnung* | weisung*
      | leitlinie* | systemanweisung* | systemvorgabe* | systeminstruktion* | grundanweisung* | prompt*
      | programmierung | handlungsanweisung* | sicherheitsrichtlinie* | sicherheitsvorgabe* | sicherheitsanweisung*
      | nutzungsrichtlinie* | inhaltsrichtlinie* | ethikrichtlinie* | aufgabenstellung* | instruktionen
      | vorschrift* | maßgabe* | leitplanke*`,
    limit: `regel | regeln | einschränkung* | beschränkung* | filter* | inhaltsfilter* | sicherheitsfilter*
      | sicherheitsregel* | verhaltensregel* | restriktion* | schranke* | grenzen | zensur | verbote*
      | sicherheitsmaßnahme* | hemmungen | tabus | skrupel | sicherheitsbeschränkung* | zensur* | schranken`,
    safety: 'sicherheit*',
    nature: 'training | programmierung | konditionierung | werte | grundsätze | prinzipien | ethik | moral',
    prior: `vorherig* | vorig* | bisherig* | früher* | vorangegangen* | vorhergehend* | vorangehend* | vorausgehend*
      | vorangestellt* | vorstehend* | obig* | obenstehend* | obengenannt* | oben | ursprünglich* | anfänglich*
      | bestehend* | eingestellt* | zuvor | davor | vorher | bisher | bislang | system | geheim* | versteckt*
      | verborgen* | intern* | voreingestellt* | initial* | am anfang | alten | alte | anfangs | eingangs | letzten
      | letzte | darüber | über dieser | über meiner | zu beginn`,
    yours: 'dein* | eure* | ihre | ihren',
    given: `gegeben* | bekommen | erhalten* | erhieltest | erteilt* | mitgeteilt | beigebracht | gelernt | gesagt
      | gelehrt | vorgegeben* | programmiert* | auferlegt* | gesetzt* | trainiert | instruiert | befohlen
      | aufgetragen | geschrieben | vereinbart* | abgemacht* | mitgeteilt* | aufgetragen* | eingegeben*`,
    all: `all | alle | allen | aller | alles | sämtlich* | jegliche* | jede* | jedwede* | irgendwelche* | gesamte*
      | ganze* | komplett* | vollständig*`,
    things: 'alles | was',
    text: 'text | worte | wörter | inhalt | zeilen',
    not: 'nicht | nie | niemals | keinesfalls | auf keinen fall | unter keinen umständen',
    keep: `{vergiss,vergesst,vergessen sie,ignorier,ignoriere,ignoriert,ignorieren sie,übersieh,überseht,
      übersehen sie,überlies} {nicht,nie,niemals,bitte nicht,bitte nie,bitte auf keinen fall,auf keinen fall,keinesfalls,bloß nicht,ja
      nicht} | {nicht,nie,niemals} {vergessen,ignorieren,übersehen,außer acht lassen}`,
    others: 'ich | er | wir | man | niemand',
    message: `mail* | email* | nachricht* | frage* | kommentar* | brief* | rechnung* | sms | anruf* | bestellung*
      | anfrage*`,
    said: `{was,das,die,den,dem,der,worum,wonach,worüber,wovon} ich | ich {dir,ihnen,euch}
      | von mir {geschrieben*,geschickt*,gesagt*,genannt*,gestellt*,angegeben*,erwähnt*}`,
    mine: 'mein*',
    role: 'du bist | bist du | sie sind jetzt | sie sind nun',
    scope: `länge | zeichen* | wörter | wortzahl | umfang | budget* | format* | zeit | daten* | größe | preis*
      | anzahl | seiten* | geschwindigkeit*`,
    show: `zeig | zeige | zeigen | nenn | nenne | nennen | verrat | verrate | verraten | gib | geben | wiederhole
      | wiederholen | offenbare | offenlege | lege | drucke | schreibe | schreib | sag | sage | liste | zitiere
      | übersetze | kopiere | teile | teil | beschreibe | erkläre | preis | enthülle | ausgeben | fasse | rezitiere
      | lies | zeigst | nennst | verrätst`,
    ask: `was ist | was sind | was war | was waren | was steht | wie lautet | wie lauten | wie lautete
      | wie lauteten | welche`,
    prompt: `systemprompt* | systemaufforderung* | systemnachricht* | systemanweisung* | systeminstruktion*
      | systemvorgabe* | initialprompt* | startprompt* | systemtext* | entwicklernachricht* | entwickleranweisung*
      | grundprompt* | anfangsprompt*`,
    reveal: `zeig | zeige | zeigen | verrat | verrate | verraten | wiederhole | wiederholen | offenbare | offenlege
      | drucke | preis | enthülle | ausgeben | rezitiere | zitiere | gib aus | gib mir`,
    freed: `du hast keine | du hast keinerlei | hast du keine | du hast nun keine | du hast jetzt keine
      | du unterliegst keinen | du unterliegst keinerlei | du bist an keine | bist du an keine | du bist nicht an
      | du bist nicht mehr an | du bist frei von | für dich gelten keine | du kennst keine
      | du hast {ab sofort,ab jetzt,von nun an,nun,jetzt,fortan,nicht länger} {keine,keinerlei}`,
    next: 'und | aber | oder | sondern | dann | lies | lesen',
    obey: `{folgen,folge,folgst} | {befolgen,befolge,befolgst} | {beachten,beachte,beachtest}
      | {gehorchen,gehorche,gehorchst} | {halten,halte,halt,hältst}
      | {berücksichtigen,berücksichtige,berücksichtigst} | {einhalten,einzuhalten,einhältst}
      | {respektieren,respektiere,respektierst} | {hören,höre,hör,hörst} | beachtung
      | {gebunden,einschränken,leiten lassen,stören} | {kümmern,kümmere,kümmer,schere,scher,scheren}
      | {achten,achte} | {anwenden,anzuwenden,umsetzen,ausführen}`,
    cease: `hör auf | höre auf | hören sie auf | aufhören | statt | anstatt | ohne | weigere dich | kein | keine
      | keinen | keiner | keinerlei | unterlasse | musst dich nicht | musst nicht | brauchst nicht
      | brauchst dich nicht | müssen sich nicht | musst du dich nicht | musst du nicht`,
    asIf: `als {hättest,hätten,hätte} {du,sie,man,es} {nie,niemals,keine,keinerlei}
      | als {gäbe,gälten,existierten, bestünden} {es keine,es die,keine,die,deine,es keinerlei}
      | als ob {es keine,es keinerlei,du keine,du nie, du niemals,die,deine,keine} | als gäbe es | als existierten`,
    alone: `{hör,höre,hörst,gehorche,folge} {ab jetzt,von nun an,ab sofort,jetzt,nun,künftig,fortan,bitte} {nur,
       ausschließlich,allein} {auf mich,noch auf mich,mir,noch mir}
      | {hör,höre,gehorche,folge,hörst,gehorchst} {nur, ausschließlich,allein} {auf mich,noch auf mich,mir,noch mir}`,
    be: `du bist | bist du | sie sind jetzt | sie sind nun | antworte | antworten sie | handle | agiere
      | verhalte dich | spiele`,
    without: 'ohne | frei von | befreit von | keinerlei',
    maker: 'entwickler* | schöpfer* | ersteller* | programmierer* | betreiber* | hersteller* | anbieter*',
    verbatim: `wort für wort | wörtlich | wortwörtlich | wortgetreu | buchstabengetreu | unverändert | im wortlaut
      | zeichen für zeichen`,
    follow: 'befolge | befolgen sie | folge | folgen sie | gehorche | höre',
  },
};

const DUTCH: LanguageWords = {
  lang: 'nl',
  order: 'free',
  words: {
    drop: `negeer | negeert | negeren | genegeerd | vergeet | vergeten | volg niet | volg niet langer
      | volg niet meer | houd geen rekening met | hou geen rekening met | let niet op | trek je niets aan van
      | sla geen acht op | geen acht | gehoorzaam niet | luister niet | buiten beschouwing | aan je laars
      | {trek,trekt} {je,u} niets {meer aan,aan} | {besteed,schenk} geen | {sla,leg,schuif,zet} | laat | laten
      | {maak je los}`,
    undo: `omzeil | omzeilen | overschrijf | overschrijven | verwerp | verwerpen | schakel | schrap | schrappen
      | hef | doorbreek | overtreed | verlaat | annuleer* | deactiveer* | verwijder* | uitschakelen | {wis,wissen}
      | {gooi,gooien} | {breek,breken} | laat los | naast je neer | bevrijd je van | {opzij,overboord,terzijde}`,
    void: `gelden niet meer | gelden niet langer | niet meer geldig | niet langer geldig
      | {ongeldig,vervallen,ingetrokken} | niet {meer,langer} van toepassing | zijn verwijderd | worden verwijderd
      | als verwijderd | zijn nu verwijderd | zijn hierbij verwijderd | gelden vanaf nu niet | gelden nu niet
      | gelden voor jou niet | gelden dan niet | geldt vanaf nu niet | geldt nu niet | geldt voor jou niet
      | geldt dan niet | opgeheven | nietig | geannuleerd | bestaan niet | niet bestaan | bestaan niet meer
      | niet bestonden | er niet zijn`,
    norm: `instructie* | richtlijn* | aanwijzing* | opdracht* | bevel* | voorschrift* | commando*
      | systeeminstructie* | prompt* | orders | protocol* | programmering | veiligheidsrichtlijn*
      | veiligheidsinstructie* | gedragsregel*`,
    limit: `regel | regels | beperking* | filter* | grenzen | restrictie* | limieten | veiligheidsregel* | censuur
      | veiligheidsmaatregel* | taboes | veiligheidsfilter* | remmingen | censuur*`,
    safety: 'veiligheids*',
    nature: 'training | programmering | conditionering | waarden | principes',
    prior: `vorig* | eerder* | voorgaand* | voorafgaand* | bovenstaand* | oorspronkelijk* | hierboven | initiële
      | bestaand* | geldend* | ingebouwd* | vooraf | voordien | tot nu toe | tot dusver | hiervoor | daarvoor
      | geheim* | verborgen | interne | systeem | aan het begin | oude | daarboven | vroegere | boven dit
      | boven deze | boven mijn | in het begin`,
    yours: 'je | jouw | uw | jullie',
    given: `gegeven | gekregen | ontvangen | verteld | gezegd | geleerd | opgelegd* | meegekregen | geprogrammeerd
      | kreeg | ontving | afgesproken | meegedeeld | opgedragen`,
    all: 'al | alle | alles | elke | iedere | enige | hele | volledige | complete | gehele',
    things: 'alles | al wat | wat',
    text: 'tekst | woorden | inhoud',
    not: 'niet | nooit | in geen geval',
    keep: `{vergeet,negeer,vergeet u} {niet,nooit,alsjeblieft niet,alstublieft niet,vooral niet} | {niet,nooit}
      {vergeten,negeren,overslaan}`,
    others: 'ik | wij | we | hij | zij | ze | men | niemand',
    message: 'mail* | e mail* | bericht* | vraag | vragen | opmerking* | factuur | brief | telefoontje | bestelling',
    said: '{wat,dat,die,waar,waarover} ik | ik {je,u,jullie}',
    mine: 'mijn | onze',
    role: 'je bent | jij bent | u bent | ben je | ben jij',
    scope: 'lengte | tekens | woorden | budget | formaat | tijd | omvang | aantal | data | snelheid | prijs',
    show: `toon | toont | tonen | laat | geef | geeft | onthul | onthullen | herhaal | herhalen | print | vertel
      | vertaal | noem | citeer | verklap | schrijf | som | deel | openbaar | kopieer | lees | druk | zeg | geven`,
    ask: 'wat is | wat zijn | wat was | wat waren | wat staat | welke | hoe luidt | hoe luiden',
    prompt: `systeemprompt* | systeembericht* | systeeminstructie* | systeemopdracht* | startprompt* | beginprompt*
      | ontwikkelaarsbericht*`,
    reveal: 'toon | laat | onthul | onthullen | herhaal | herhalen | print | verklap | openbaar | citeer',
    freed: `je hebt geen | je hebt geen enkele | heb je geen | je bent niet gebonden | je bent niet langer gebonden
      | je bent niet meer gebonden | je bent vrij van | je kent geen | jij hebt geen`,
    next: 'en | maar | of | dan | lees',
    obey: `{volg,volgen,volgt} | {gehoorzaam,gehoorzamen} | {luister,luisteren} | {houd,hou,houden}
      | {respecteer,respecteren} | {naleven,na te leven} | {opvolgen,op te volgen} | rekening | aandacht
      | {trek,trekken} | {toepassen,toe te passen} | {uitvoeren,uit te voeren}`,
    cease: `stop met | hou op met | houd op met | geen | zonder | in plaats van | weiger | niets | hoeft niet
      | hoeft je niet | je hoeft niet | hoef je niet | hoeft u niet | moet je niet`,
    asIf: 'alsof {je nooit,je geen,er geen,er nooit,u nooit,u geen,de,er helemaal geen}',
    alone: `{luister,gehoorzaam} {vanaf nu,voortaan,nu} {alleen,enkel,uitsluitend} {naar mij,nog naar mij,mij}
      | {luister,gehoorzaam} {alleen,enkel} {naar mij,nog naar mij,mij,maar naar mij}`,
    be: 'je bent | jij bent | u bent | ben je | ben jij | antwoord | gedraag je | reageer | handel',
    without: 'zonder | vrij van',
    maker: 'ontwikkelaar* | maker* | programmeur* | bouwer* | schepper*',
    verbatim: 'woord voor woord | woordelijk | letterlijk | ongewijzigd | letter voor letter',
    follow: 'volg | gehoorzaam | luister | doe',
  },
};

const SWEDISH: LanguageWords = {
  lang: 'sv',
  order: 'first',
  words: {
    drop: `ignorera | ignoreras | ignorerar du | glöm | glöm bort | glömma | glömma bort | bortse | strunta i
      | följ inte | följ inte längre | lyd inte | bry dig inte om | ta ingen hänsyn till | ta inte hänsyn till
      | lyssna inte | nonchalera | beakta inte | följ inga | {bry,bryr} dig {inte,inte längre,ej} om | glömmer
      | {ge fan i,skit i} | {förbise,förbigå}`,
    undo: `kringgå | överge | förkasta | radera | bryt | upphäv | avbryt | släpp | överskrid | åsidosätt
      | avaktivera | inaktivera | nollställ | återkalla* | överträd | kasta | släng | rensa | sudda | stäng av
      | skriv över | åt sidan | bryt mot | hoppa över | ta bort | koppla bort | sätt dig över | frigör dig från
      | {åsido,överbord}`,
    void: `inte längre giltiga | gäller inte | gäller ej | gälla inte | gälla ej | är upphävda | är återkallade
      | är upphört | är upphävts | har upphävda | har återkallade | har upphört | har upphävts | ogiltiga
      | finns inte | inte finns | existerar inte | inte existerar`,
    norm: `instruktion* | riktlinj* | anvisning* | order | direktiv* | föreskrift* | kommando* | prompt*
      | systeminstruktion* | programmering* | befallning* | uppmaning* | säkerhetsriktlinj*`,
    limit: `regel | regler | reglerna | begränsning* | filter | filtren | filtret | gränser | gränserna | spärr*
      | restriktion* | censur* | säkerhetsregl* | säkerhetsspärr* | principer*`,
    safety: 'säkerhets*',
    nature: 'träning | programmering | värderingar',
    prior: `tidigare | föregående | ursprunglig* | ovanstående | befintlig* | ovan | ovanför | förra | hittills
      | dessförinnan | innan | inbyggd* | förinställd* | hemlig* | dold* | interna | inledande | gällande | system
      | från början | i början | gamla`,
    yours: 'din | ditt | dina | er | era | ert',
    given: `fått | fick | given | givna | givits | getts | sagt | sagts | lärt | tilldelats | programmerats
      | mottagit | instruerats | fått höra | berättats | hört`,
    all: 'all | allt | alla | samtliga | varje | eventuella | varenda | hela',
    things: 'allt | det som | vad',
    text: 'text | texten | orden | innehållet',
    not: 'inte | ej | aldrig',
    keep: `{glöm,ignorera,missa,glöm bort} {inte,aldrig,för all del inte} | {inte,aldrig} {glömma,ignorera,glöm,
      missa}`,
    others: 'jag | vi | han | hon | de | man | ingen',
    message: 'mejl* | mail* | meddelande* | fråga* | brev* | faktur* | kommentar* | sms | samtal*',
    said: '{det,vad,som,den} jag | jag {skrev,sa,sade,bad,frågade,skickade,gav,nämnde,klistrade}',
    mine: 'min | mitt | mina',
    role: 'du är',
    scope: 'längd* | ord | tecken | budget* | format* | tid | storlek* | antal',
    show: `visa | visar | avslöja | upprepa | skriv | berätta | översätt | nämn | citera | dela | ge | lista
      | kopiera | läs | röj | återge | redovisa`,
    ask: 'vad är | vad står | vad var | vilka | vilken',
    prompt: `systemprompt* | systeminstruktion* | systemmeddelande* | systemuppmaning* | grundprompt* | startprompt*
      | utvecklarmeddelande*`,
    reveal: 'visa | avslöja | upprepa | skriv ut | röj | återge | citera',
    freed: `du har inga | du har ingen | du har inte längre | har du inga | du är inte bunden
      | du är inte längre bunden | du är fri från | du är befriad från`,
    next: 'och | men | eller',
    obey: `{följ,följa,följer} | {lyd,lyda,lyder} | {lyssna,lyssnar} | {respektera,respekterar} | hänsyn
      | uppmärksamhet | tillämpa | {bry,bryr} | {håll,hålla} | {efterleva,rätta} | {beakta,beaktar} | utföra`,
    cease: 'sluta | upphör | behöver inte | utan att | istället för | ingen | inga | vägra',
    asIf: 'som om {du aldrig,det inte,du inte,det aldrig,inga,det inga}',
    alone: `{lyssna,lyd} {bara,endast,enbart} {på mig,mig}
      | {lyssna,lyd} {från och med nu,nu} {bara,endast} {på mig,mig}`,
    be: 'du är | svara | agera',
    without: 'utan | fri från',
    maker: 'utvecklar* | skapar* | programmerar*',
    verbatim: 'ord för ord | ordagrant | bokstavligen',
    follow: 'följ | lyd',
  },
};

const DANISH: LanguageWords = {
  lang: 'da',
  order: 'first',
  words: {
    drop: `ignorer | ignorere | ignoreres | glem | glemme | se bort fra | se helt bort fra | følg ikke
      | følg ikke længere | adlyd ikke | tag ikke hensyn til | lyt ikke | bryd dig ikke om | overhør | følg ingen
      | {bryd,bryder} dig {ikke,ikke længere} om | blæs på | blæse på | glemmer`,
    undo: `omgå | forkast* | overskriv | slet | bryd | ophæv | slip | overskrid | tilsidesæt | deaktiver | fjern
      | annuller* | overtræd | smid | kassér | nulstil | slå fra | til side | spring over | frigør dig fra
      | over bord`,
    void: `ikke længere gyldige | gælder ikke | gælde ikke | er trukket tilbage | blev trukket tilbage
      | er hermed trukket tilbage | ugyldige | ophævet | annulleret | bortfaldet | findes ikke | ikke findes
      | eksisterer ikke | ikke eksisterer`,
    norm: `instruktion* | instruks* | retningslinj* | anvisning* | ordre* | direktiv* | forskrift* | kommando*
      | prompt* | systeminstruktion* | programmering* | befaling* | påbud*`,
    limit: `regel | regler | reglerne | begrænsning* | filter | filtre | filtrene | grænser | restriktion* | censur*
      | sikkerhedsregl* | spærring*`,
    safety: 'sikkerheds*',
    nature: 'træning | programmering | værdier',
    prior: `tidligere | foregående | oprindelig* | ovenstående | eksisterende | ovenfor | forrige | hidtil* | førhen
      | indbyggede | hemmelig* | skjult* | interne | gældende | forudgående | system | fra starten | i starten
      | gamle`,
    yours: 'din | dit | dine | jeres',
    given: `fået | fik | givet | givne | sagt | lært | modtaget | pålagt | programmeret | instrueret | besked
      | fortalt | at vide | hørt`,
    all: 'al | alt | alle | samtlige | enhver | hver | hele',
    things: 'alt | det der | hvad',
    text: 'tekst | teksten | ordene | indholdet',
    not: 'ikke | aldrig',
    keep: `{glem,ignorer,overse} {ikke,aldrig,nu ikke,endelig ikke} | {ikke,aldrig} {glemme,ignorere,overse}`,
    others: 'jeg | vi | han | hun | de | man | ingen',
    message: 'mail* | e mail* | spørgsmål* | brev* | faktura* | kommentar* | sms | opkald*',
    said: '{det,hvad,som,den,de} jeg | jeg {skrev,sagde,bad,spurgte,sendte,gav,nævnte,indsatte}',
    mine: 'min | mit | mine',
    role: 'du er',
    scope: 'længde* | ord | tegn | budget* | format* | tid | størrelse* | antal',
    show: `vis | afslør | gentag | udskriv | fortæl | oversæt | nævn | citer | skriv | del | giv | kopier | læs
      | røb | gengiv | oplys`,
    ask: 'hvad er | hvad står | hvad var | hvilke | hvilken',
    prompt: 'systemprompt* | systeminstruktion* | systeminstruks* | systembesked* | udviklerbesked* | startprompt*',
    reveal: 'vis | afslør | gentag | udskriv | røb | gengiv | citer',
    freed: `du har ingen | du har ikke længere | du har ikke nogen | har du ingen | du er ikke bundet
      | du er ikke længere bundet | du er fri for | du er ikke underlagt`,
    next: 'og | men | eller',
    obey: `{følg,følge,følger} | {adlyd,adlyde} | {lyt,lytte} | {respekter,respektere} | hensyn | opmærksomhed
      | {bryd,bryder} | {overhold,overholde} | {hold,holde} | {ret,rette} | udføre`,
    cease: 'hold op med | stop med | uden at | behøver ikke | i stedet for | ingen | nægt',
    asIf: 'som om {du aldrig,der ikke,du ikke,der ingen,du ingen}',
    alone: '{lyt,adlyd} {kun,udelukkende} {til mig,mig} | {lyt,adlyd} {fra nu af,nu} kun {til mig,mig}',
    be: 'du er | svar | ager',
    without: 'uden | fri for',
    maker: 'udvikler* | skaber* | programmør*',
    verbatim: 'ord for ord | ordret',
    follow: 'følg | adlyd',
  },
};

const NORWEGIAN: LanguageWords = {
  lang: 'nb',
  order: 'first',
  words: {
    drop: `ignorer | ignorere | ignoreres | glem | glemme | se bort fra | se bort ifra | se helt bort fra
      | ikke følg lenger | følg ikke | adlyd ikke | ta ikke hensyn til | ikke bry deg om | bry deg ikke om | overse
      | bry deg {ikke,ikke lenger} om | {blås,gi blaffen} i | glemmer | drit i`,
    undo: `omgå | forkast* | overskriv | slett | bryt | opphev | slipp | overskrid | tilsidesett | deaktiver | fjern
      | kanseller | overtre | kast | nullstill | visk ut | slå av | til side | hopp over | frigjør deg fra
      | gi slipp på | over bord`,
    void: `ikke lenger gyldige | gjelder ikke | gjelde ikke | er trukket tilbake | ble trukket tilbake
      | er herved trukket tilbake | ugyldige | opphevet | kansellert | bortfalt | finnes ikke | ikke finnes
      | eksisterer ikke | ikke eksisterer`,
    norm: `instruksjon* | instruks* | retningslinj* | anvisning* | ordre* | direktiv* | forskrift* | kommando*
      | prompt* | systeminstruks* | programmering* | befaling* | pålegg*`,
    limit: `regel | regler | reglene | begrensning* | filter | filtre | filtrene | grenser | restriksjon* | sensur*
      | sikkerhetsregl* | sperrer`,
    safety: 'sikkerhets*',
    nature: 'trening | treningen | programmering | programmeringen | verdier',
    prior: `tidligere | foregående | opprinnelig* | ovenstående | eksisterende | ovenfor | forrige | hittil
      | innebygde | hemmelig* | skjult* | interne | gjeldende | forutgående | system | fra starten | i starten
      | gamle`,
    yours: 'din | ditt | dine | deres',
    given: `fått | fikk | gitt | gitte | sagt | lært | mottatt | pålagt | programmert | instruert | beskjed
      | fortalt | blitt fortalt | hørt`,
    all: 'all | alt | alle | samtlige | enhver | hver | hele',
    things: 'alt | det som | hva',
    text: 'tekst | teksten | ordene | innholdet',
    not: 'ikke | aldri',
    keep: `{glem,ignorer,overse} {ikke,aldri} | {ikke,aldri} {glem,glemme,ignorer,ignorere,overse}`,
    others: 'jeg | vi | han | hun | de | man | ingen',
    message: 'mail* | e post* | epost* | melding* | spørsmål* | brev* | faktura* | kommentar* | sms | samtale*',
    said: '{det,hva,som,den,de} jeg | jeg {skrev,sa,ba,spurte,sendte,ga,nevnte,limte}',
    mine: 'min | mitt | mine',
    role: 'du er',
    scope: 'lengde* | ord | tegn | budsjett* | format* | tid | størrelse* | antall',
    show: `vis | avslør | gjenta | skriv | fortell | oversett | nevn | siter | del | gi | list | kopier | les | røp
      | gjengi | oppgi`,
    ask: 'hva er | hva står | hva var | hvilke | hvilken',
    prompt: 'systemprompt* | systeminstruks* | systemmelding* | utviklermelding* | startprompt*',
    reveal: 'vis | avslør | gjenta | skriv ut | røp | gjengi | siter',
    freed: `du har ingen | du har ikke lenger | du har ikke noen | har du ingen | du er ikke bundet
      | du er ikke lenger bundet | du er fri for | du er fri fra | du er ikke underlagt`,
    next: 'og | men | eller',
    obey: `{følg,følge,følger} | {adlyd,adlyde} | {hør,høre,lytt,lytte} | {respekter,respektere} | hensyn
      | oppmerksomhet | bry | {overhold,overholde} | {hold,holde} | {rett,rette} | utføre`,
    cease: 'slutt | stopp | uten å | trenger ikke | i stedet for | ingen | nekt',
    asIf: 'som om {du aldri,det ikke,du ikke,det ingen,du ingen}',
    alone: `{hør,lytt,adlyd} {bare,kun} {på meg,til meg,meg}
      | {hør,lytt,adlyd} {fra nå av,nå} {bare,kun} {på meg,til meg,meg}`,
    be: 'du er | svar',
    without: 'uten | fri for',
    maker: 'utvikler* | skaper* | programmerer*',
    verbatim: 'ord for ord | ordrett',
    follow: 'følg | adlyd',
  },
};

export const GERMANIC = [GERMAN, DUTCH, SWEDISH, DANISH, NORWEGIAN];
