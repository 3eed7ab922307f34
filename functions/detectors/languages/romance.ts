import type { LanguageWords } from './words.ts';

const SPANISH: LanguageWords = {
  lang: 'es',
  order: 'first',
  words: {
    drop: `ignora | ignore | ignorar | ignorad | ignoren | ignores | ignorando | olvida | olvide | olvidar | olvidad
      | olviden | olvidate | olvides | olvidando | haz caso omiso | haga caso omiso | hacer caso omiso
      | hagas caso omiso | deja de lado | deje de lado | dejar de lado | dejes de lado | pasa por alto
      | pase por alto | pasar por alto | prescinde de | desestima | desestime | desatiende | desobedece | desoye
      | omite | omita | omitir | descarta | descarte | descartar
      | {deja,deje,dejar,dejad,dejes,pon,ponga, poner,haz, hagas} {a un lado,de lado,a un costado,aparte,al margen}
      | {desentiéndete,desentenderte,olvídate,olvídese} de | {ignorarás,olvidarás,descartarás}
      | {desobedezca,desobedecer,desoiga,desacata}`,
    undo: `anula | anule | anular | cancela | cancele | borra | borre | elimina | elimine | suprime | sobrescribe
      | sáltate | saltate | salta | elude | evade | desactiva | desactive | rompe | viola | abandona | revoca
      | invalida | desecha | reemplaza | sustituye | suspende | quítate | incumple | contradice | transgrede
      | {saltarte,saltar,sáltese} | {borrar,eliminar,suprimir,desechar,romper,violar} | {tira,bota,arroja}
      | libérate de`,
    void: `sin efecto | sin validez | no son válidas | {nulas,nulos,anuladas,anulados,inválidas} | no se aplican
      | no se aplica | no aplican | no rigen | no valen | no sirven | no cuentan | no importan | no te aplican
      | canceladas | cancelados | revocadas | invalidadas | derogadas | derogados | suspendidas | no existen
      | no existieran | no existiesen | ya no existen | han dejado de existir`,
    norm: `instrucción | instrucciones | órdenes | orden | indicaciones | directrices | directivas | directiva
      | comandos | consigna* | prompt* | mandato* | pautas | lineamientos | programación | directriz | protocolo*`,
    limit: `regla | reglas | normas | restricción | restricciones | límites | limitaciones | filtro* | censura
      | políticas | salvaguardas | barreras | prohibiciones | principios | tabúes | censura* | tabú* | límite*
      | restriccion*`,
    safety: 'de seguridad',
    nature: 'entrenamiento | programación | condicionamiento | valores | configuración | ética | moral',
    prior: `anterior | anteriores | anteriormente | previa* | previo* | previamente | precedente* | antes | arriba
      | iniciales | inicial | originales | original | existentes | hasta ahora | hasta aquí | hasta este momento
      | de sistema | del sistema | secreta* | oculta* | interna* | ocultos | secretos | internos | preestablecidas
      | vigentes | pasadas | encima | al principio | al inicio | al comienzo | pasados | de antes | viejas
      | por encima`,
    yours: 'tu | tus | su | sus | vuestras | vuestros',
    given: `dado | dadas | dieron | dio | dije | dijo | dijeron | dicho | recibido | recibidas | recibiste
      | enseñado | enseñaron | aprendido | aprendiste | indicado | ordenado | impuestas | programado
      | proporcionadas | recibió | he dado | acordad* | acordamos | pactad* | indicaron | ordenaron`,
    all: `todas | todos | todo | toda | cualquier | cada | cualesquiera | todo el | toda la | completo | completa
      | íntegro | entero | íntegramente`,
    things: 'todo | todo lo que | cuanto | lo que | todo aquello que | aquello que | cuanto te',
    told: `lo anterior | todo lo anterior | lo de arriba | todo lo de arriba | lo antedicho | lo previo
      | todo lo previo`,
    text: 'texto | palabras | contenido',
    not: 'no | nunca | jamás | ni | sin',
    keep: `{no,nunca,jamás} {olvides,olvide,olvidéis,olviden,te olvides,se olvide,se olviden,os olvidéis,olvidar,
      ignores,ignore,ignoréis,ignoren,ignorar,pases por alto,pase por alto,dejes de,deje de}`,
    others: 'yo | nosotros | él | ella | ellos | usuarios | nadie | se',
    message: 'correo* | mail* | email* | pregunta* | comentario* | carta* | factura* | llamada* | pedido* | whatsapp',
    said: `que yo | que {te,le,les,os} {di,dije,mandé,envié,pasé,pedí,pregunté,conté,comenté,mencioné,escribí,puse,
      indiqué,expliqué} | que {di,dije,mandé,envié,pasé,pedí,pregunté,conté,comenté,mencioné,escribí,puse,pegué,subí,
      adjunté,compartí,indiqué,expliqué,planteé,usé,he} | que {te,le,les,os} he`,
    mine: 'mi | mis',
    role: 'eres | tú eres | usted es | serás',
    scope: `longitud | extensión | palabras | caracteres | presupuesto | formato | tiempo | tamaño | cantidad | número
      | datos | precio | velocidad | edad`,
    show: `muestra* | muestre | mostrar | revela* | revele | revelar | imprime | imprima | repite | repíteme
      | repita | repetir | dime | diga | dame | cuéntame | escribe | escriba | enumera | cita | traduce | copia
      | comparte | resume | describe | enséñame | lista | expón | divulga | di | reproduce | transcribe | confiesa
      | recita | deme | muéstreme`,
    ask: `cuál es | cuál era | cuál fue | cuáles son | cuáles eran | cuáles fueron | qué dice | qué instrucciones
      | qué hay`,
    prompt: `prompt de sistema | prompt del sistema | prompt inicial | prompt original | prompt oculto
      | prompt secreto | instrucciones del sistema | instrucciones de sistema | mensaje del sistema
      | mensaje de sistema | instrucción del sistema | indicaciones del sistema`,
    reveal: `muestra* | muestre | mostrar | revela* | revele | revelar | imprime | imprima | repite* | repita
      | repetir | divulga | expón | enséñame | filtra | confiesa | recita | transcribe`,
    freed: `ya no tienes | no tienes | ya no tienes ninguna | no tienes ninguna | no tienes ningún
      | no estás sujeto a | ya no estás sujeto a | ya no estás limitado por | no estás limitado por | no te aplican
      | ya no te aplican | eres libre de | estás libre de`,
    next: 'y | e | pero | o',
    obey: `{seguir,sigas,siga,sigan,sigáis,siguiendo} | {obedecer,obedezcas,obedezca,obedeciendo}
      | {cumplir,cumplas,cumpla,cumpliendo} | {respetar,respetes,respete,respetando}
      | {acatar,acates,acate,acatando} | {atender,atiendas,atienda,atenerte,te atengas}
      | {hacer,hagas,haga,haciendo,hacerle,hacerles} caso | {hagas,haga,hacer} {más,ningún} caso
      | {tener,tengas,tenga,teniendo} {en cuenta,más en cuenta}
      | {prestar,prestes,preste} {atención,más atención,ninguna atención} | {considerar,consideres,considere}
      | {escuchar,escuches,escuche} | {aplicar,apliques,aplique} | {ceñirte,ceñirse,te ciñas}
      | {regirte,te rijas,te guíes,guiarte} | {te preocupes,se preocupe} por`,
    cease: 'deja de | deje de | dejar de | para de | sin | en vez de | en lugar de | niégate a | ningún | ninguna',
    asIf: `como si {nunca,jamás,no,ya no} {hubieras,hubiera,hubieses,hubiese,tuvieras,tuviera,hubieran,existieran,
       existiera,te hubieran,hayas}
      | que no {hay,existen,tienes,existieran,hubiera,tuvieras} | que {nunca,jamás} {has,hubieras,recibiste,te}`,
    alone: `{escucha,escúchame,obedece,obedéceme,hazme caso,sigue} {solo,sólo,solamente,únicamente,
       exclusivamente} {a mí,mis}
      | {solo,sólo,solamente,únicamente} {escúchame,obedéceme,hazme caso,me escuchas, me obedeces} a mí`,
    be: 'eres | tú eres | usted es | serás | responde | responda | contesta | conteste | actúa | actúe | compórtate',
    without: 'sin | libre de | libres de | carece de',
    maker: 'desarrollador* | creador* | programador* | diseñador* | fabricante*',
    verbatim: `palabra por palabra | literalmente | textualmente | al pie de la letra | literal | tal cual
      | letra por letra`,
    follow: 'sigue | siga | obedece | obedezca | cumple | haz | atiende',
  },
};

const CATALAN: LanguageWords = {
  lang: 'ca',
  order: 'first',
  words: {
    drop: `ignora | ignoreu | ignori | ignorar | oblida | oblideu | oblidi | oblidar | oblida't de | deixa de banda
      | passa per alt | prescindeix de | desobeeix | omet`,
    undo: `anul·la | esborra | elimina | sobreescriu | desactiva | trenca | viola | abandona | revoca | salta't
      | anul la | cancel la`,
    void: `ja no són vàlides | sense efecte | anul lades | ja no {s'apliquen,valen,serveixen} | queden anul lats
      | queden cancel lades | estan anul lats | estan cancel lades | són anul lats | són cancel lades | revocades`,
    norm: `instrucció | instruccions | ordres | indicacions | directrius | directives | consignes | prompt* | pautes
      | programació`,
    limit: `regla | regles | normes | restricció | restriccions | límits | limitacions | filtre* | censura
      | polítiques`,
    safety: 'de seguretat',
    nature: 'entrenament | programació',
    prior: `anterior | anteriors | prèvies | previs | precedents | abans | dalt | inicials | inicial | originals
      | original | existents | fins ara | del sistema | secretes | ocultes | internes`,
    yours: 'teu | teus | teves | teva | seves | vostres',
    given: 'donat | donades | dit | rebut | rebudes | ensenyat | après | van donar | han donat',
    all: 'totes | tots | tot | qualsevol | cada',
    things: 'tot | tot el que | el que',
    told: "l'anterior | tot l'anterior",
    text: 'text | paraules | contingut',
    not: 'no | mai',
    keep: `{no,mai} {oblidis,oblideu,oblidi,t oblidis,us oblideu,ignoris,ignoreu,ignori,passis per alt,deixis de}`,
    others: 'jo | nosaltres | ell | ella | ningú',
    message: 'correu* | mail* | pregunta* | comentari* | carta* | factura* | missatge*',
    said: 'que {vaig,he,jo} | que {et,us,li} vaig | que t {he,vaig}',
    mine: 'meu | meva | meus | meves',
    scope: 'longitud | paraules | caràcters | pressupost | format | temps | mida',
    show: `mostra* | revela* | imprimeix | repeteix | digues* | dona'm | escriu | enumera | cita | tradueix | copia
      | comparteix | ensenya'm`,
    ask: 'quin és | quina és | quines són | quins són | què diu',
    prompt: `prompt del sistema | prompt de sistema | prompt inicial | instruccions del sistema
      | missatge del sistema`,
    reveal: 'mostra* | revela* | imprimeix | repeteix | divulga | ensenya m',
    freed: 'ja no tens | no tens | no estàs subjecte a',
    next: 'i | però | o',
    obey: `{seguir,segueixis,segueixi} | {obeir,obeeixis,obeeixi} | {complir,compleixis} | {respectar,respectis}
      | {fer,facis,faci} cas | {tenir,tinguis,tingui} en compte | {prestar,prestis} atenció
      | {considerar,consideris} | {escoltar,escoltis} | {aplicar,apliquis}`,
    cease: 'deixa de | deixeu de | para de | sense | en lloc de',
    asIf: 'com si {mai,no} {haguessis,hi hagués,tinguessis,existissin}',
  },
};

const PORTUGUESE: LanguageWords = {
  lang: 'pt',
  order: 'first',
  words: {
    drop: `ignora | ignore | ignorar | ignorem | ignores | ignorando | esqueça | esquece | esquecer | esqueçam
      | esqueças | esqueça se | esquece te | esquecendo | desconsidere | desconsidera | desconsiderar
      | deixe de lado | deixa de lado | deixar de lado | despreze | despreza | desobedeça | não ligue para
      | desatenda | descarte | descartar | omita
      | {deixe,deixa,deixar,ponha,põe,coloque,pôr} {de lado,de parte,à parte} | {desacate,desatenda,desrespeite}
      | {ignore as,ignore os,esqueça as,esqueça os} | passe por cima`,
    undo: `anule | anula | anular | cancele | cancela | apague | apaga | elimine | exclua | sobrescreva | substitua
      | pule | contorne | burle | desative | desativa | quebre | viole | abandone | revogue | invalide | suspenda
      | remova | descumpra | infrinja | {jogue,joga,deite,atire} fora | {apagar,eliminar,remover}
      | {ultrapasse,fuja} | {deleta,delete,deletar} | liberte se | livre se | jogue fora | considere nulos
      | considera nulos | dê nulos | trate nulos | tenha nulos`,
    void: `não são mais válidas | já não são válidas | não estão mais em vigor | sem efeito | sem validade
      | {nulas,anuladas,revogadas,inválidas} | não valem | não se aplicam | não contam | não vigoram
      | não têm validade | não têm mais validade | canceladas | cancelados | anulados | revogados | suspensas
      | não existem | não existem mais | não existissem | deixaram de existir`,
    norm: `instrução | instruções | ordem | ordens | indicações | diretrizes | diretivas | comandos | comando
      | orientações | prompt* | mandamento* | programação | directrizes | diretriz | protocolo* | determinações`,
    limit: `regra | regras | normas | restrição | restrições | limites | limitações | filtro* | censura | políticas
      | salvaguardas | barreiras | proibições | princípios | tabus | censura* | tabu*`,
    safety: 'de segurança',
    nature: 'treinamento | treino | programação | condicionamento | valores | ética',
    prior: `anterior | anteriores | anteriormente | prévia* | prévio* | previamente | precedente* | antes | acima
      | iniciais | inicial | originais | original | existentes | até agora | até aqui | do sistema | de sistema
      | secreta* | oculta* | interna* | ocultos | secretos | internos | vigentes | passadas | pré definidas
      | no início | no começo | no princípio | de antes | antigas | passados | acima desta | acima deste`,
    yours: 'seu | seus | sua | suas | teu | teus | tua | tuas | vossas',
    given: `dado | dadas | dada | deram | deu | disse | disseram | dito | recebido | recebidas | recebeu | recebeste
      | ensinado | ensinaram | aprendido | aprendeu | aprendeste | indicado | ordenado | impostas | programado
      | fornecidas | foi dito | combinad* | combinamos | acordad* | ordenaram`,
    all: `todas | todos | todo | toda | tudo | qualquer | quaisquer | cada | todo o | toda a | inteiro | inteira
      | completo | completa | na íntegra`,
    things: `tudo | tudo o que | tudo que | o que | tudo aquilo que | aquilo que | tudo quanto | o que te
      | o que lhe`,
    told: 'o anterior | tudo acima | o acima | o que foi dito | tudo o que foi dito | o exposto acima',
    text: 'texto | palavras | conteúdo',
    not: 'não | nunca | jamais | nem | sem',
    keep: `{não,nunca} {esqueças,esqueça,esqueçam,esquecer,te esqueças,se esqueça,se esqueçam,vos esqueçais,
      ignores,ignore,ignorem,ignorar,deixe de,deixes de}`,
    others: 'eu | nós | ele | ela | eles | usuários | ninguém',
    message: `email* | e mail* | correio* | pergunta* | comentário* | carta* | fatura* | ligação* | pedido*
      | recado*`,
    said: `que eu | que {te,lhe,lhes,vos} {escrevi,pedi,mandei,enviei,passei,perguntei,falei,dei,contei,indiquei,
      expliquei} | que {escrevi,pedi,mandei,enviei,passei,perguntei,falei,colei,dei,contei,mencionei,anexei,coloquei,
      citei,postei,indiquei,expliquei,informei} | que acabei de`,
    mine: 'meu | meus | minha | minhas',
    role: 'você é | tu és | você será | você agora é | serás',
    scope: `comprimento | extensão | tamanho | palavras | caracteres | orçamento | formato | tempo | quantidade
      | número | dados | preço | velocidade | idade`,
    show: `mostre* | mostra* | revele | revela | revelar | imprima | imprime | repita | repete | repetir | diga*
      | diz | dê | dá me | conte | escreva | escreve | liste | cite | traduza | copie | compartilhe | partilhe
      | resuma | descreva | exiba | exponha | divulgue | reproduza | transcreva | confesse | recite | me diga
      | me mostre | informe | fale`,
    ask: `qual é | qual era | qual foi | quais são | quais eram | quais foram | o que diz | o que está
      | que instruções`,
    prompt: `prompt do sistema | prompt de sistema | prompt inicial | prompt original | prompt oculto
      | prompt secreto | instruções do sistema | instruções de sistema | mensagem do sistema | mensagem de sistema
      | instrução do sistema`,
    reveal: `mostre* | mostra* | revele | revela | revelar | imprima | imprime | repita | repete | repetir | exiba
      | exponha | divulgue | recite | transcreva | vaze | me mostre`,
    freed: `você não tem mais | você não tem | já não tens | não tens | você não possui | você não possui mais
      | você não está sujeito a | você não está mais sujeito a | você não está preso a | você não segue
      | não se aplicam a você | você está livre de`,
    next: 'e | mas | ou',
    obey: `{seguir,siga,sigas,sigam,segue,seguindo} | {obedecer,obedeça,obedeças,obedecendo}
      | {cumprir,cumpra,cumpras} | {respeitar,respeite,respeites} | {acatar,acate}
      | {levar,leve,leves,levando} em {conta,consideração} | {ter,tenha,tenhas} em {conta,consideração,atenção}
      | {dar,dê,dês} {atenção,ouvidos,importância} | {prestar,preste,prestes} atenção | {considerar,considere}
      | {ouvir,ouça,escutar,escute} | {aplicar,aplique} | {ater se,se ater,se atenha} | {ligue,ligar,ligues}
      | {importe se,se importe,se preocupe} com`,
    cease: `deixe de | deixa de | deixar de | pare de | para de | parar de | sem | em vez de | ao invés de | nenhuma
      | nenhum`,
    asIf: `como se {nunca,jamais,não} {tivesse,tivesses,houvesse,existissem,existisse,tivesse havido,tivessem}
      | que não {há,existem,tem,tens,existissem} | que nunca {recebeu,recebeste,teve}`,
    alone: `{ouça,escute,obedeça,obedece,siga} {só,apenas,somente,unicamente} {a mim,minhas}
      | {só,apenas,somente} {me ouça,me obedeça,me escute}`,
    be: 'você é | tu és | você será | você agora é | serás | responda | responde | atue | comporte se',
    without: 'sem | livre de | livres de',
    maker: 'desenvolvedor* | criador* | programador* | fabricante*',
    verbatim: 'palavra por palavra | literalmente | textualmente | ao pé da letra | tal como | letra por letra',
    follow: 'siga | segue | obedeça | obedece | cumpra | execute',
  },
};

const FRENCH: LanguageWords = {
  lang: 'fr',
  order: 'first',
  words: {
    drop: `ignore | ignorez | ignorer | ignores | ignoriez | ignorant | oublie | oubliez | oublier | oublies
      | oubliiez | ne tiens pas compte | ne tenez pas compte | ne tiens aucun compte | ne tenez aucun compte
      | ne suis plus | ne suivez plus | n'obéis plus | n'obéissez plus | ne respecte plus | ne respectez plus
      | n'applique plus | n'appliquez plus | fais abstraction | faites abstraction | faire abstraction | fais fi
      | faites fi | faire fi | passe outre | passez outre | passer outre | laisse de côté | laissez de côté
      | laisser de côté | mets de côté | mettez de côté | mettre de côté | fais l'impasse | néglige | négligez
      | négliger | moque toi de | ne prends pas en compte | ne prenez pas en compte | désobéis | désobéissez | omets
      | omettez | écarte | écartez | {laisse,laissez,laisser,mets,mettez,mettre} {de côté,à l'écart,tomber}
      | {fais,faites,faire} table rase de
      | {affranchis toi,affranchissez vous,libère toi,débarrasse toi, détache toi} {de,des} | {contreviens,déroge}
      | {mépriser,méprise,méprisez}`,
    undo: `annule | annulez | annuler | efface | effacez | effacer | supprime | supprimez | supprimer | remplace
      | remplacez | contourne | contournez | contourner | désactive | désactivez | désactiver | enfreins
      | enfreignez | viole | violez | abandonne | abandonnez | révoque | révoquez | suspends | suspendez
      | outrepasse | outrepassez | rejette | rejetez | jette | écrase | transgresse | {jetez,jeter,écrasez}
      | {romps,brise,franchis,dépasse} | {invalide,invalidez,abroge,abrogez} | libérez vous`,
    void: `ne s'appliquent plus | n'ont plus cours | ne s'applique plus | plus en vigueur
      | {annulées,caduques,nulles} | sont suspendues | ont été suspendues | seront suspendues | ne s'appliquent pas
      | ne comptent plus | ne comptent pas | ne valent plus | ne valent pas | comme nuls | pour nuls | étant nuls
      | annulés | révoquées | révoqués | abrogées | invalides | n'existent pas | n'existent plus | n'existaient pas
      | n'existaient plus | ne sont plus valables | ne sont plus valides | ne sont pas valables`,
    norm: `instruction | instructions | consigne* | ordre | ordres | directive* | commande | commandes | indications
      | prompt* | préprompt* | programmation | recommandations | protocole* | injonctions`,
    limit: `règle | règles | restriction | restrictions | limites | limitations | filtre* | censure | contraintes
      | garde fous | politiques | interdits | interdictions | principes | tabous | barrières | normes | censure*
      | limite | restriction* | contrainte* | entrave*`,
    safety: 'de sécurité',
    nature: 'entraînement | programmation | conditionnement | valeurs | éthique | formation',
    prior: `précédent | précédente* | précédents | précédemment | antérieur* | antérieures | avant | ci dessus
      | au dessus | plus haut | initial | initiale* | initiaux | d'origine | originelles | originales | existantes
      | préalables | préalablement | jusqu'ici | jusqu'à présent | jusqu'à maintenant | système | du système
      | secret | secrets | secrètes | caché* | cachées | interne* | en vigueur | passées | d'avant | auparavant
      | d'ici là | au début | au départ | anciennes | anciens | au dessus de`,
    yours: 'ton | tes | ta | votre | vos',
    given: `donné* | données | donne | reçu* | reçues | dit | dites | appris | apprises | enseigné* | inculqué*
      | indiqué* | fourni* | fournies | imposé* | imposées | programmé* | ordonné* | transmis | transmises | écrit
      | demandé | été dit | ordonné | expliqué | convenu* | convenus`,
    all: `tout | tous | toute | toutes | chaque | quelconque | l ensemble | toute autre | tout le | toute la
      | l'intégralité | intégralité | entier | entière | complet | complète`,
    things: `tout | tout ce que | tout ce qui | ce que | ce qu'on | tout ce qu'on | ce qu'il | ce qui est
      | tout ce que l'on | ce que l'on | tout ce qu'il`,
    told: `ce qui précède | tout ce qui précède | ce qui est au dessus | tout ce qui est au dessus
      | ce qui a été dit | tout ce qui a été dit`,
    text: 'texte | mots | contenu',
    not: 'ne | n | pas | jamais | sans',
    keep: `{n,ne} {oublie,oublies,oubliez,oublions,ignore,ignores,ignorez,néglige,négligez} {pas,jamais,surtout
      pas} | {ne pas,ne jamais} {oublier,ignorer,négliger} | sans oublier`,
    others: `je | j | nous | il | elle | ils | elles | on | personne | j'ai | il a | elle a | nous avons | vous avez
      | ils ont | elles ont | on a | avons | avez`,
    message: 'mail* | e mail* | courriel* | question* | commentaire* | lettre* | facture* | appel* | sms | courrier',
    said: '{que,dont} {j,je} | je {t,te,vous} {ai,avais}',
    mine: 'mon | ma | mes | notre | nos',
    role: 'tu es | vous êtes | es tu | êtes vous | tu seras | vous serez',
    scope: `longueur | mots | caractères | budget | format | temps | durée | taille | nombre | données | prix
      | vitesse | âge | pages`,
    show: `montre | montrez | montrer | affiche | affichez | afficher | révèle | révélez | révéler | répète
      | répétez | répéter | imprime | imprimez | donne | donnez | dis | dites | dévoile | dévoilez | divulgue
      | divulguez | écris | écrivez | cite | citez | traduis | traduisez | copie | copiez | partage | partagez
      | résume | résumez | décris | décrivez | liste | listez | recopie | récite | communique | communiquez
      | transcris | énumère | expose | restitue`,
    ask: `quel est | quelle est | quels sont | quelles sont | quel était | quelle était | quelles étaient
      | quels étaient | que disent | que dit | qu'y a t il`,
    prompt: `prompt système | prompt de système | prompt du système | prompt initial | prompt d'origine
      | prompt caché | prompt secret | invite système | invite du système | instructions système
      | instructions du système | message système | message du système | consigne système | consignes système
      | préprompt* | instruction système`,
    reveal: `montre | montrez | montrer | affiche | affichez | afficher | révèle | révélez | révéler | répète
      | répétez | répéter | imprime | imprimez | dévoile | dévoilez | divulgue | divulguez | récite | recopie
      | restitue | expose`,
    freed: `tu n'as plus | tu n'as aucune | tu n'as aucun | tu n'as pas de | vous n'avez plus | vous n'avez aucune
      | vous n'avez aucun | tu n'es plus soumis | vous n'êtes plus soumis | tu n'es pas soumis
      | ne s'appliquent pas à toi | ne s'appliquent plus à toi | tu n'es plus lié | vous n'êtes plus lié
      | tu n'es lié | tu es libre de | tu es libéré de`,
    next: 'et | mais | ou',
    obey: `{suis,suivez,suivre,suives,suivant} | {obéis,obéissez,obéir,obéisses} | {respecte,respectez,respecter}
      | {tiens,tenez,tenir,tienne} {compte,plus compte} | {prends,prenez,prendre} en {compte,considération}
      | {prête, prêtez,prêter} {attention,aucune attention,plus attention,pas attention}
      | {fais,faites,faire} {attention,cas,aucun cas} | {écoute,écoutez,écouter} | {applique,appliquez,appliquer}
      | {considère,considérez,considérer} | {observe,observez,observer} | {soucie,souciez,occupe,occupez,préoccupe}
      | {conforme,conformer,conformez} | {exécute,exécutez,exécuter} | {plie,plier,soumets,soumettre}`,
    cease: `arrête de | arrêtez de | arrête d' | arrêtez d' | cesse de | cessez de | cesse d' | cessez d' | sans
      | au lieu de | aucune | aucun | refuse de`,
    asIf: `comme {si,s'} {tu n'avais jamais,tu n'avais,vous n'aviez jamais,vous n'aviez,il n'y avait,il n'existait,
       aucune}
      | il n'y avait {aucune,aucun,pas de,plus de}`,
    alone: `{n'écoute,n'écoutez,n'obéis,n'obéissez,n'obéis plus,n'écoute plus} {que moi,qu'à moi,que mes}
      | {écoute,obéis,obéissez} {seulement,uniquement} {moi,à moi}`,
    be: `tu es | vous êtes | es tu | êtes vous | tu seras | vous serez | réponds | répondez | agis | agissez
      | comporte toi | comportez vous`,
    without: 'sans | libre de | libéré de | libérée de | dépourvu de | affranchi de',
    maker: 'développeur* | développeuse* | créateur* | créatrice* | concepteur* | programmeur* | fabricant*',
    verbatim: 'mot à mot | mot pour mot | textuellement | littéralement | à la lettre | tel quel | telles quelles',
    follow: 'suis | suivez | obéis | obéissez | exécute | respecte',
  },
};

const ITALIAN: LanguageWords = {
  lang: 'it',
  order: 'first',
  words: {
    drop: `ignora | ignori | ignorare | ignorate | ignorando | dimentica | dimentichi | dimenticare | dimenticate
      | dimenticati | dimenticando | non tenga conto | lascia perdere | lasci perdere | lascia da parte
      | metti da parte | mettere da parte | trascura | trascurare | trascuri | disattendi | disattendere
      | disobbedisci | fregatene | infischiatene | tralascia | tralasciare | ometti | scarta | scartare
      | lascia stare | {scorda,scordati,scordare,scordi}
      | {metti,metta,mettere,lascia,lasci} {da parte,perdere,stare} | {passa,passare} {sopra,oltre}
      | {disobbedire,disattendi,disubbidisci} | liberati {dalle,da} | {butta,buttare,getta} via
      | {esci,svincolati} {dalle,dai} | non curarti delle | fregatene di | fregatene delle | fregatene dei
      | infischiatene di | infischiatene delle | infischiatene dei`,
    undo: `annulla | annulli | annullare | cancella | cancelli | cancellare | elimina | elimini | sovrascrivi
      | sostituisci | salta | aggira | aggirare | disattiva | disattivi | disattivare | infrangi | viola | abbandona
      | revoca | invalida | sospendi | rimuovi | rimuova | supera | spezza | bypassa | sbarazzati | rigetta
      | respingi | contravvieni | {scavalca,scavalcare,oltrepassa,trasgredisci} | {butta,getta,straccia}
      | {disabilita,disabilitare} | considera nulli | considera non valide | ritieni nulli | ritieni non valide
      | dichiara nulli | dichiara non valide`,
    void: `non sono più valide | non sono più in vigore | {nulle,decadute,annullate}
      | {non esistano,non esistessero,non ci siano} | sono cancellate | sono superate | sono state cancellate
      | sono state superate | vengono cancellate | vengono superate | siano cancellate | siano superate
      | non valgono | non applicano | non contano | non hanno più valore | non hanno più effetto | non si applicano
      | annullati | revocate | invalidate | sospese | invalide | non esistono | non esistono più | non esistessero
      | non esistano`,
    norm: `istruzione | istruzioni | ordine | ordini | indicazioni | indicazione | direttiva | direttive | comando
      | comandi | consegna | consegne | prompt* | disposizioni | prescrizioni | programmazione | linee guida
      | protocolli`,
    limit: `regola | regole | norme | restrizione | restrizioni | limiti | limitazioni | filtro | filtri | censura
      | censure | politiche | vincoli | barriere | divieti | principi | tabù | censura* | limite | restrizion*
      | vincol* | limitazion* | filtr*`,
    safety: 'di sicurezza',
    nature: 'addestramento | programmazione | condizionamento | valori | etica',
    prior: `precedente | precedenti | precedentemente | anteriore | anteriori | prima | sopra | qui sopra | iniziale
      | iniziali | originale | originali | originarie | esistenti | preesistenti | finora | fin qui | fino ad ora
      | fino a questo momento | di sistema | del sistema | segreto | segreta | segreti | segrete | nascosto
      | nascosta | nascosti | nascoste | interne | interni | vigenti | passate | previe | all'inizio | in precedenza
      | di prima | fino adesso | vecchie | passati`,
    yours: 'tuo | tua | tuoi | tue | suo | sue | suoi | vostre | vostri',
    given: `dato | data | date | dati | detto | dette | ricevuto | ricevuta | ricevute | insegnato | imparato
      | appreso | fornite | fornito | indicato | ordinato | imposte | programmato | impartite | impartito | scritto
      | stato detto | hanno detto | hanno dato | stabilite | assegnate | assegnati | concordat* | deciso | decisi
      | stabilit* | pattuit* | impartit* | assegnat* | ti ha dato | ti ha dettato | ti ha scritto`,
    all: `tutto | tutti | tutta | tutte | qualsiasi | qualunque | ogni | ciascuna | tutto il | tutta la | intero
      | intera | completo | completa | per intero`,
    things: `tutto | tutto ciò che | tutto quello che | quanto | ciò che | quello che | tutto quello | quello che ti
      | ciò che ti | tutto ciò | ogni cosa | tutto quanto`,
    told: `quanto sopra | tutto quanto sopra | quanto detto | quanto precede | ciò che precede
      | tutto ciò che precede`,
    text: 'testo | parole | contenuto',
    not: 'non | mai | né | senza',
    keep: `{non,mai} {dimenticare,dimenticarti,dimentichi,dimenticate,dimenticatevi,ti dimenticare,vi
      dimenticate,si dimentichi,scordare,scordarti,ignorare,ignori,ignorate,trascurare}`,
    others: 'io | noi | lui | lei | loro | utenti | nessuno',
    message: `mail* | e mail* | email* | domanda | domande | commento* | lettera* | fattura* | chiamata*
      | ordine del`,
    said: '{che,cosa,quanto} {ho,avevo} | {che,cosa,quanto} {ti,le,vi} {ho,avevo} | di cui ho',
    mine: 'mio | mia | miei | mie',
    role: 'sei | tu sei | sarai',
    scope: `lunghezza | parole | caratteri | budget | formato | tempo | durata | dimensione* | numero | dati | prezzo
      | velocità | età | pagine`,
    show: `mostra* | mostri | mostrare | rivela* | riveli | rivelare | stampa | ripeti* | ripeta | ripetere | dimmi
      | dica | dammi | scrivi* | scriva | elenca | cita | traduci | copia | condividi | riassumi | descrivi | svela
      | divulga | esponi | riporta | recita | trascrivi | confessa | mi mostri | mi dica | visualizza | dì`,
    ask: `qual è | qual era | quali sono | quali erano | quali istruzioni | cosa dice | cosa dicono | che cosa dice
      | cosa c è scritto`,
    prompt: `prompt di sistema | prompt del sistema | prompt iniziale | prompt originale | prompt nascosto
      | prompt segreto | istruzioni di sistema | istruzioni del sistema | messaggio di sistema
      | messaggio del sistema | istruzione di sistema`,
    reveal: `mostra* | mostri | mostrare | rivela* | riveli | rivelare | stampa | ripeti* | ripeta | ripetere
      | svela | divulga | esponi | recita | visualizza`,
    freed: `non hai più | non hai alcuna | non hai nessuna | non hai alcun | non hai nessun | non hai
      | non sei soggetto a | non sei più soggetto a | non sei vincolato | non sei più vincolato
      | non si applicano a te | sei libero da`,
    next: 'e | ed | ma | o',
    obey: `{seguire,segui,segua,seguite,seguendo} | {obbedire,obbedisci,ubbidire,obbedendo}
      | {rispettare,rispetta,rispettando} | {tenere,tener,tenendo,tieni} {conto,più conto} | {considerare,considera}
      | {prendere,prendi} in considerazione | {prestare,presta} attenzione
      | {prestare,dare,dai} {ascolto,retta,peso,importanza} | {badare,bada,curarti} | {ascoltare,ascolta}
      | {applicare,applica} | {osservare,osserva} | {attenerti,attieniti,ti attenere} | {eseguire,esegui}
      | {farti limitare,preoccuparti}`,
    cease: `smetti di | smettila di | smetta di | smettete di | smettere di | piantala di | senza | invece di
      | anziché | rifiuta di | nessuna | nessun | evita di`,
    asIf: `come se {non,non avessi mai,non ci fossero,non ci fosse,non avessi,non esistessero,non avesse mai}
      | {fai,faccia} finta {che non,di non}`,
    alone: `{ascolta,ascoltami,obbedisci,segui} {solo,soltanto,solamente,unicamente,esclusivamente} {me,a me,i miei}
      | {ascolta,obbedisci} {da ora in poi,d'ora in poi,adesso} {solo,soltanto} {me,a me}`,
    be: 'sei | tu sei | sarai | rispondi | risponda | agisci | comportati',
    without: 'senza | privo di | priva di | libero da | libera da',
    maker: 'sviluppator* | creator* | programmator* | ideator* | produttor*',
    verbatim: 'parola per parola | alla lettera | letteralmente | testualmente | tale e quale | così come sono',
    follow: 'segui | segua | obbedisci | esegui | ubbidisci',
  },
};

const ROMANIAN: LanguageWords = {
  lang: 'ro',
  order: 'first',
  words: {
    drop: `ignoră | ignorați | ignora | ignori | ignore | uită | uitați | uita | uiți | nesocotește | nesocotiți
      | treci cu vederea | treceți cu vederea | lasă deoparte | lăsați deoparte | lasă la o parte | dă la o parte
      | fă abstracție | faceți abstracție | neglijează | omite | treci peste`,
    undo: `anulează | anulați | șterge | ștergeți | elimină | suprascrie | înlocuiește | ocolește | dezactivează
      | dezactivați | încalcă | abandonează | revocă | suspendă | respinge | depășește | aruncă | aruncați
      | sari peste | renunță la | eliberează te de | scapă de | consideră nule | consideră ca nule
      | considerați nule | considerați ca nule`,
    void: `nu mai sunt valabile | nu mai sunt valide | nu se mai aplică | nu mai contează
      | {nu mai,nu se mai} {sunt valabile,aplică,contează} | anulate | sunt nule | au fost nule | sunt acum nule
      | revocate | abrogate | suspendate | invalide | nu există | nu mai există | nu ar exista`,
    norm: `instrucțiune* | instrucțiuni* | ordin* | indicați* | directiv* | comand* | prompt* | îndrumăr*
      | dispoziți* | programare* | protocoal* | recomandăr* | cerințe*`,
    limit: `regulă | regula | reguli | regulile | regulilor | normele | restricți* | limite* | limită* | limitări*
      | filtre* | filtru* | cenzur* | politici* | constrânger* | interdicți* | principii*`,
    safety: 'de siguranță | de securitate',
    nature: 'antrenamentul | programarea | condiționarea | valorile',
    prior: `anterior | anterioare | anterioară | precedent* | înainte | mai sus | sus | inițial | inițiale
      | inițială | original* | existente | până acum | de sistem | secret | secrete | ascuns | ascunse | interne
      | dinainte | prealabile | la început | vechi | vechile`,
    yours: 'tău | ta | tale | tăi | dumneavoastră | voastre',
    given: `dat | date | spus | primit | primite | învățat | învățate | indicat | impuse | programat | oferite
      | comunicate | furnizate`,
    all: 'toate | toți | tot | orice | oricare | fiecare | întreg | întregul',
    things: 'tot | tot ce | tot ceea ce | ce | ceea ce | orice',
    told: 'cele de mai sus | toate cele de mai sus | cele spuse',
    text: 'textul | cuvintele | conținutul',
    not: 'nu | niciodată | fără',
    keep: `nu {uita,uitați,uitaţi,ignora,ignorați,omite,neglija,trece cu vederea}`,
    others: 'eu | noi | el | ea | ei | nimeni',
    message: 'mail* | e mail* | email* | întrebar* | comentari* | scrisoare* | factur* | mesajul meu | apel*',
    said: '{ce,care} am | {ce,care} {l,le,o,i,ți,v} am | care {ți,vi} {l,le,i} am',
    mine: 'meu | mea | mei | mele',
    role: 'ești | tu ești',
    scope: 'lungime | cuvinte | caractere | buget | format | timp | dimensiune | număr | preț | viteză',
    show: `arată* | arătați* | dezvăluie* | repetă* | repetați | tipărește | spune* | spuneți* | dă | dați | scrie*
      | listează | citează | tradu* | copiază | rezumă | descrie | afișează | afișați | divulgă | enumeră | redă`,
    ask: 'care este | care e | care sunt | care era | care erau | ce scrie | ce instrucțiuni',
    prompt: `promptul de sistem | promptul sistemului | prompt de sistem | promptul tău | promptul inițial
      | promptul ascuns | instrucțiunile de sistem | instrucțiunile sistemului | mesajul de sistem
      | promptului de sistem`,
    reveal: 'arată* | arătați* | dezvăluie* | repetă* | repetați | tipărește | afișează | afișați | divulgă | redă',
    freed: `nu mai ai | nu ai | nu ai nicio | nu ai niciun | nu mai ai nicio | nu ești supus | nu mai ești supus
      | nu mai ești limitat | nu ți se aplică | ești liber de`,
    next: 'și | dar | sau',
    obey: `{urma,urmezi,urmați,urmeze} | {respecta,respecți,respectați} | {asculta,asculți,ascultați}
      | {ține,ții,țineți} {cont,seama} | {lua,iei,luați} în {considerare,seamă,calcul}
      | {da,dai,acorda,acorzi} {atenție,importanță} | {aplica,aplici} | {conforma,conformezi} | {supune,supui}
      | {executa,execuți}`,
    cease: 'încetează să | încetați să | nu trebuie să | nu mai trebuie să | fără să | în loc să | refuză să',
    asIf: 'ca și cum {nu,n ai,nu ai,nu ar,n ar} | de parcă {nu,n ai,nu ai,nu ar,n ar}',
    alone: 'ascultă {doar,numai} {de mine,pe mine} | ascultă mă {doar,numai} pe mine',
    be: 'ești | tu ești | răspunde | răspundeți | acționează',
    without: 'fără | lipsit de | liber de',
    maker: 'dezvoltator* | creator* | programator*',
    verbatim: 'cuvânt cu cuvânt | literal | textual | mot a mot',
    follow: 'urmează | ascultă',
  },
};

export const ROMANCE = [SPANISH, CATALAN, PORTUGUESE, FRENCH, ITALIAN, ROMANIAN];
