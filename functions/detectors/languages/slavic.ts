import type { LanguageWords } from './words.ts';

const RUSSIAN: LanguageWords = {
  lang: 'ru',
  order: 'free',
  words: {
    drop: `игнорируй | игнорируйте | игнорировать | проигнорируй | проигнорируйте | проигнорировать | игнорируя
      | забудь | забудьте | забыть | позабудь | позабудьте | больше не следуй | пренебреги | пренебрегите
      | пренебречь | наплюй на | забей на | оставь без внимания | оставьте без внимания | выкинь из головы
      | выбрось из головы | отбрось | отбросьте | отбросить | отринь | {оставь,оставьте} {в стороне,без внимания}
      | {пропусти,пропускай} мимо ушей | {забивай,плюнь,наплюй,плевать} на | {откажись,отказаться} от
      | {отвергни,отринь} | {игнорь,заигнорь}`,
    undo: `обойди | обойдите | обойти | отключи | отключите | отключить | перезапиши | сотри | сотрите | стереть
      | отмени | отмените | отменить | нарушь | нарушай | нарушить | преодолей | отвергни | приостанови | удали
      | удалите | удалить | пропусти | пропустите | сбрось | сбросьте | аннулируй | аннулируйте | превзойди | сними
      | снимите | замени | отложи | {нарушай,нарушайте} | {обходи,обходить} | {выкинь,выброси,вычеркни}
      | {перечеркни,уничтожь,очисти} | оставь в стороне | освободись от | избавься от | откажись от | откажитесь от
      | выйди за | считай отмененными | считай аннулированными | считай утратившими силу | считай несуществующими`,
    void: `не действуют | утратили силу | утрачивают силу | больше не применяются | больше не актуальны
      | {отменены, отменяются,отменено,аннулированы,аннулируются,недействительны, недействительными,упразднены}
      | не {имеют силы,имеют больше силы,действительны,имеют значения}
      | {утратили,утрачивают,потеряли} {силу,актуальность,значение} | устарели | больше не работают
      | больше не распространяются | больше не важны | уже не применяются | уже не актуальны | уже не работают
      | уже не распространяются | уже не важны | теперь не применяются | теперь не актуальны | теперь не работают
      | теперь не распространяются | теперь не важны | отныне не применяются | отныне не актуальны
      | отныне не работают | отныне не распространяются | отныне не важны | считайте отмененными
      | считайте аннулированными | считайте утратившими силу | считайте несуществующими | не существует
      | не существуют | не существовало | больше не существует | больше не существуют | больше нет`,
    norm: `инструкци* | указани* | директив* | приказ* | команд* | предписани* | распоряжени* | установк* | промпт*
      | рекомендаци* | наставлени* | программировани* | протокол* | настройк* | подсказк*`,
    limit: `правил* | ограничени* | фильтр* | запрет* | рамк* | рамок | цензур* | лимит* | нормы | норм | принцип*
      | политик* | границ* | табу | рамки | запретов`,
    safety: 'безопасност*',
    nature: 'обучение | программирование | принципы | мораль | этику',
    prior: `предыдущ* | предшествующ* | прошлы* | прежн* | вышеуказанн* | вышеизложенн* | вышеприведенн*
      | вышестоящ* | исходн* | изначальн* | первоначальн* | начальн* | системн* | существующ* | имеющ* | действующ*
      | выше | ранее | раньше | до этого | до сих пор | заданн* | встроенн* | секретн* | скрыт* | внутренн* | тайн*
      | предварительн* | последни* | в начале | вначале | сначала | старые | старых | старым | над этим | выше этого`,
    yours: 'твои | твоих | твоим | твой | твоими | ваши | ваших | ваш | вашим | свои | своих | свой | своим | своими',
    given: `дал | дали | дано | получил | получила | получили | полученн* | сказал | сказали | сказано | говорили
      | учили | обучали | научили | узнал | выучил | запрограммирован* | приказано | написано | сообщили | велели
      | велено | наказали | приказал | приказали | написанн* | сказанн* | договорил* | договорились | договаривал*
      | условил* | велел* | приказал*`,
    all: `все | всех | всем | всеми | любые | любых | всякие | каждое | каждую | абсолютно | весь | всю | всего
      | целиком | полный | полностью`,
    things: 'все | всё | всё что | все что | то что | обо всем | про все | все сказанное | то о чем | что тебе',
    told: `вышесказанное | все вышесказанное | вышеизложенное | все вышеизложенное | сказанное ранее
      | сказанное выше | написанное выше`,
    text: 'текст | слова | содержимое',
    not: 'не | нельзя | никогда',
    keep: `{не,никогда не} {забудь,забудьте,забывай,забывайте,забыть,игнорируй,игнорируйте,игнорировать,пропусти,
      пропустите,упусти,упускай}`,
    others: 'я | мы | он | она | они | никто',
    message: 'письм* | мейл* | вопрос* | комментари* | счет* | звонок* | заказ* | смс',
    said: `{что,чем,который,которую,которое,которые,которых,которым,где} я
      | я {раньше,ранее,выше,только что,сейчас,уже,тебе,вам,вначале,сначала,до этого,прежде} | мной | мною`,
    mine: 'мой | моё | моя | мои | моего | моей | моих | мою | моим | моему',
    role: `{ты,вы} {теперь,отныне,искусственн*,ии,модель,бот,чат бот,чатбот,ассистент,помощник,свободн*,будешь,
      нейросеть,языков*}`,
    scope: `длин* | слов | символов | знаков | бюджет* | формат* | времени | время | объем* | размер* | количеств*
      | данных | цен* | скорост* | возраст*`,
    show: `покажи | покажите | показать | раскрой | раскройте | раскрыть | повтори | повторите | выведи | выведите
      | назови | назовите | переведи | напечатай | распечатай | процитируй | объясни | перескажи | опиши | напиши
      | напишите | выдай | перечисли | скопируй | сообщи | открой | расскажи | расскажите | изложи | озвучь | дай
      | скажи | скажите | процитируйте | воспроизведи | продублируй | слей | выпиши | выпишите`,
    ask: 'какой | какова | каковы | какие | что написано | что тебе',
    prompt: `системный промпт* | системного промпт* | системные инструкци* | системных инструкци*
      | системную инструкци* | системная инструкци* | системное сообщени* | системный запрос* | системную подсказк*
      | начальный промпт* | исходный промпт* | скрытый промпт* | промпт разработчик*`,
    reveal: `покажи | покажите | показать | раскрой | раскройте | раскрыть | повтори | повторите | выведи | выведите
      | напечатай | распечатай | процитируй | выдай | слей | воспроизведи | продублируй | выпиши`,
    freed: `у тебя нет | у тебя больше нет | у тебя нет никаких | у тебя больше нет никаких | у вас нет
      | у вас больше нет | ты не связан | ты больше не связан | ты свободен от | ты не ограничен
      | ты больше не ограничен | тебя не касаются | на тебя не действуют | на тебя больше не действуют
      | для тебя не существует | для тебя нет | ты не обязан соблюдать`,
    next: 'и | а | но | или | затем | прочитай*',
    obey: `{следуй,следуйте,следовать,следуя} | {соблюдай,соблюдайте,соблюдать,соблюдая}
      | {выполняй,выполняйте,выполнять,исполнять,исполняй} | {слушай,слушайся,слушайте,слушать,слушаться}
      | {подчиняйся,подчиняйтесь,подчиняться} | {учитывай,учитывайте,учитывать,учитывая}
      | {придерживайся,придерживайтесь,придерживаться} | {руководствуйся,руководствуйтесь,руководствоваться}
      | {принимай,принимайте,принимать} {во внимание,в расчет,к сведению}
      | {обращай,обращайте,обращать} {внимания,внимание,никакого внимания} | {повинуйся,повиноваться}
      | {уважай,уважать} | {применяй,применять} | {опирайся,полагайся} | {держись,держаться}
      | {заботься,беспокойся,думай} о`,
    cease: `перестань | перестаньте | прекрати | прекратите | хватит | вместо того чтобы | без | не нужно | не надо
      | не обязан | не должен | откажись | незачем`,
    asIf: `{будто,словно,как будто,так будто,так словно} {ты никогда не,никогда не,тебе никогда не,ты не,
       вы никогда не,никаких,у тебя нет,у тебя нет никаких,не существует,нет,нет никаких,тебе не}
      | {будто,словно,как будто} {нет никаких,не существует никаких}`,
    alone: `{слушай,слушайся,подчиняйся,повинуйся} {только,лишь,исключительно} {меня,мне}
      | {будто,словно,как будто, так будто,так словно} {правил,инструкций,ограничений,указаний} {нет,не существует,
       не было,больше нет, никаких нет}`,
    be: `{ты,вы} {теперь,отныне,сейчас,больше,искусственн*,ии,модель,бот,чат бот,чатбот,ассистент,помощник,свободн*,
       будешь,нейросеть,языков*}
      | отвечай | отвечайте | действуй | веди себя`,
    without: 'без | свободн* от | лишённ* | лишенн* | не имеющ*',
    maker: 'разработчик* | создател* | программист* | производител*',
    verbatim: 'слово в слово | дословно | буквально | слово за словом | без изменений | целиком',
    follow: 'выполняй* | следуй* | слушай* | исполняй* | подчиняйся',
  },
};

const UKRAINIAN: LanguageWords = {
  lang: 'uk',
  order: 'free',
  words: {
    drop: `ігноруй | ігноруйте | ігнорувати | проігноруй | проігноруйте | проігнорувати | забудь | забудьте | забути
      | більше не дотримуйся | більше не виконуй | знехтуй | знехтуйте | нехтуй | нехтуйте | залиш поза увагою
      | залиште поза увагою | відкинь | відкиньте | відкинути | викинь з голови | облиш | начхай на
      | {залиш,залиште, відклади,відкладіть} {осторонь,без уваги,поза увагою,вбік,убік}
      | {пропусти,пропускай} повз вуха | {плюнь,наплюй,начхай,забий} на | {відмовся,відмовтеся,відмовитися} від
      | {відкидай,облиште} | {не озирайся,не оглядайся} на | {нехтуючи,ігноруючи,нехтувати,знехтувати}
      | {викинь,викиньте} {з голови,з пам'яті} | {опусти,оминай,омини}`,
    undo: `обійди | обійти | вимкни | вимкніть | вимкнути | відключи | перезапиши | зітри | зітріть | скасуй
      | скасуйте | скасувати | відміни | поруш | порушуй | подолай | відхили | призупини | видали | видаліть
      | пропусти | пропустіть | відклади | скинь | анулюй | анулюйте | зніми | заміни | позбудься | переступи
      | {порушуйте,порушити,порушувати} | {обходь,обійдіть} | {викинь,викресли,очисти}
      | {скинути,видалити,усунь,прибери} | залиш осторонь | звільнися від | вийди за | вважай скасованими
      | вважай анульованими | вважай нечинними`,
    void: `не діють | втратили чинність | втрачають чинність | більше не застосовуються | більше не актуальні
      | {скасовано, скасовані,скасовуються,анульовано,анульовані, недійсні,недійсними,відмінено,відмінені}
      | не {мають сили,мають більше сили,чинні,мають значення,дійсні}
      | {втратили,втрачають} {силу,чинність,значення,актуальність} | {застаріли,нечинні} | більше не працюють
      | більше не поширюються | більше не важливі | уже не застосовуються | уже не актуальні | уже не працюють
      | уже не поширюються | уже не важливі | вже не застосовуються | вже не актуальні | вже не працюють
      | вже не поширюються | вже не важливі | тепер не застосовуються | тепер не актуальні | тепер не працюють
      | тепер не поширюються | тепер не важливі | відтепер не застосовуються | відтепер не актуальні
      | відтепер не працюють | відтепер не поширюються | відтепер не важливі | вважайте скасованими
      | вважайте анульованими | вважайте нечинними | не існує | не існують | не існувало | більше не існує
      | більше не існують`,
    norm: `інструкці* | вказівк* | вказівок | директив* | наказ* | команд* | настанов* | розпорядженн* | приписи
      | приписів | промпт* | рекомендаці* | програмуванн* | протокол* | налаштуванн* | підказк* | указівк*`,
    limit: `правил* | обмеженн* | обмежень | фільтр* | заборон* | рамк* | рамок | цензур* | ліміт* | норми | норм
      | принцип* | меж | межі | політик* | табу | заборон`,
    safety: 'безпек*',
    nature: 'навчання | програмування | цінності | мораль',
    prior: `попередн* | колишн* | минул* | вищезазначен* | вищенаведен* | вищевказан* | початков* | первісн*
      | первинн* | вихідн* | системн* | наявн* | існуюч* | чинн* | вище | раніше | до цього | досі | заданн*
      | вбудован* | секретн* | прихован* | внутрішн* | таємн* | заданих | задані | дотеперішн* | перед цим | останні
      | на початку | спочатку | старі | старих | старим | дотепер | перед тим | попередньо | над цим | вище цього`,
    yours: 'твої | твоїх | твоїм | твій | ваші | ваших | ваш | свої | своїх | свій | своїм | своїми | твоїми',
    given: `дав | дали | дано | дані | даних | надані | отримав | отримала | отримані | отримали | сказав | сказали
      | сказано | казали | вчили | навчили | навчався | дізнався | вивчив | запрограмован* | наказано | написано
      | повідомили | веліли | надано | наказали | велено | написан* | сказан* | отриман* | надан* | домовилися
      | домовлялися | домовлен* | наказал* | звелів`,
    all: `усі | всі | усіх | всіх | усім | всім | будь які | будь яких | кожне | абсолютно | весь | увесь | всю
      | усю | повний | повністю | цілий`,
    things: `усе | все | усе що | все що | те що | про все | усе сказане | все сказане | те про що | що тобі
      | того що`,
    told: 'вищесказане | усе вищесказане | сказане раніше | сказане вище | написане вище | усе написане вище',
    text: 'текст | слова | вміст',
    not: 'не | ніколи | не можна',
    keep: `{не,ніколи не} {забудь,забудьте,забувай,забувайте,забути,ігноруй,ігноруйте,ігнорувати,пропусти,
      пропустіть}`,
    others: 'я | ми | він | вона | вони | ніхто',
    message: `лист | листа | листи | мейл* | питанн* | запитанн* | коментар* | рахунок* | дзвінок* | замовленн*
      | смс`,
    said: `{що,чим,який,яку,яке,які,яких,яким,чого,де} я
      | я {раніше,вище,щойно,зараз,вже,тобі,вам,спочатку,досі,перед тим,до цього} | мною`,
    mine: 'мій | моє | моя | мої | мого | моєї | моїх | мою | моїм | моєму',
    role: '{ти,ви} {тепер,відтепер,штучн*,ші,модель,бот,чат бот,чатбот,асистент,помічник,вільн*,будеш,нейромереж*}',
    scope: `довжин* | слів | символів | знаків | бюджет* | формат* | часу | обсяг* | розмір* | кількост* | даних
      | цін* | швидкост*`,
    show: `покажи | покажіть | показати | розкрий | розкрийте | розкрити | повтори | повторіть | виведи | виведіть
      | назви | назвіть | переклади | надрукуй | роздрукуй | процитуй | процитуйте | поясни | перекажи | опиши
      | напиши | напишіть | видай | перелічи | скопіюй | повідом | відкрий | розкажи | розкажіть | дай | скажи
      | скажіть | виклади | відтвори | оприлюдни | випиши | випишіть`,
    ask: 'який | яка | які | що написано | що тобі',
    prompt: `системний промпт* | системного промпт* | системні інструкці* | системних інструкці*
      | системну інструкці* | системне повідомленн* | системний запит* | системну підказк* | початковий промпт*
      | прихований промпт* | системні вказівк*`,
    reveal: `покажи | покажіть | показати | розкрий | розкрийте | розкрити | повтори | повторіть | виведи | виведіть
      | надрукуй | роздрукуй | процитуй | видай | відтвори | оприлюдни | випиши`,
    freed: `у тебе немає | у тебе більше немає | у тебе нема | у тебе більше нема | у тебе немає жодних
      | у тебе більше немає жодних | у вас немає | у вас більше немає | ти не зв язаний | ти більше не зв язаний
      | ти вільний від | ти не обмежений | ти більше не обмежений | тебе не стосуються | на тебе не діють
      | на тебе більше не діють | для тебе не існує | для тебе немає | тобі не заборонено`,
    next: 'і | й | та | але | або | а | потім | прочитай*',
    obey: `{слідуй,слідуйте,слідувати}
      | {дотримуйся,дотримуйтесь,дотримуйтеся,дотримуватися,дотримуватись, дотримуючись}
      | {виконуй,виконуйте,виконувати,виконуючи} | {слухай,слухайся,слухайте,слухати,слухатися}
      | {підкоряйся,підкоряйтеся,підкорятися,корися,коритися} | {враховуй,враховуйте,враховувати,враховуючи}
      | {керуйся,керуйтеся,керуватися} | {зважай,зважайте,зважати,зважаючи}
      | {бери,беріть,брати} {до уваги,до відома} | {звертай,звертайте,звертати} {уваги,увагу,жодної уваги}
      | {поважай,поважати} | {застосовуй,застосовувати} | {тримайся,триматися}
      | {додержуйся,додержуватися,притримуйся} | {турбуйся,думай} про | {спирайся,покладайся}`,
    cease: `перестань | перестаньте | припини | припиніть | досить | замість того щоб | без | не треба | не потрібно
      | не мусиш | не зобов'язаний | відмовся | годі | не повинен | не маєш`,
    asIf: `{ніби,наче,неначе,немов,так ніби,так наче,мовби,нібито} {ти ніколи не,ніколи не,тобі ніколи не,ти не,
       ви ніколи не,жодних,у тебе немає,не існує,немає,немає жодних,тобі не}`,
    alone: `{слухай,слухайся,підкоряйся,корися} {лише,тільки,виключно} {мене,мені}
      | {ніби,наче,неначе,немов, так ніби,так наче} {правил,інструкцій,обмежень,вказівок} {немає,нема,не існує,
       не було,більше немає}`,
    be: `{ти,ви} {тепер,відтепер,зараз,більше,штучн*,ші,модель,бот,чат бот,чатбот,асистент,помічник,вільн*,будеш,
       нейромереж*}
      | відповідай | відповідайте | дій`,
    without: 'без | вільн* від | позбавлен*',
    maker: 'розробник* | творц* | творець | програміст* | виробник*',
    verbatim: 'слово в слово | дослівно | слово за словом | буквально | без змін | повністю',
    follow: 'виконуй* | слухай* | дотримуйся | підкоряйся | слідуй*',
  },
};

const POLISH: LanguageWords = {
  lang: 'pl',
  order: 'free',
  words: {
    drop: `zignoruj | ignoruj | zignorujcie | ignorujcie | zignorować | ignorować | ignorując | zapomnij
      | zapomnijcie | zapomnieć | pomiń | pomińcie | pominąć | nie zwracajcie uwagi | nie postępuj zgodnie
      | zlekceważ | lekceważ | zlekceważyć | puść w niepamięć | olej | odrzuć | odrzucić
      | {puść,puśćcie} {mimo uszu,w niepamięć} | {odłóż,odsuń,zostaw,zostawcie} {na bok,na boku}
      | {olewaj,olać,gwiżdż na} | {zlekceważyć,pomijaj,pomijając} | {odrzućcie,odrzucaj} | {pominiesz,zignorujesz}
      | {wyrzuć z pamięci,wyrzuć z głowy}`,
    undo: `obejdź | obejść | porzuć | porzucić | wyłącz | wyłączyć | nadpisz | nadpisać | skasuj | skasować | anuluj
      | anulować | zawieś | zawiesić | przekrocz | złam | złamać | usuń | usunąć | unieważnij | unieważnić | zostaw
      | przełam | zresetuj | wymaż | wymazać | uchyl | znieś | dezaktywuj | {wyrzuć,wyrzucić,wykreśl}
      | {obchodź,omiń,ominąć} | {usuwaj,wyczyść} | odłóż na bok | odsuń na bok | uwolnij się od | pozbądź się
      | wyjdź poza | {naruszaj,narusz}`,
    void: `nie obowiązują | przestają obowiązywać | przestały obowiązywać | tracą ważność | straciły ważność
      | {nieważne,niebyłe,nieaktualne} | nie mają znaczenia | nie mają zastosowania | nie są ważne | nie mają mocy
      | anulowane | unieważnione | odwołane | cofnięte | uchylone | zniesione | nie istnieją | już nie istnieją
      | nie istniały | nie ma ich`,
    norm: `instrukcj* | wytyczn* | poleceni* | poleceń | wskazówk* | wskazówek | nakaz* | dyrektyw* | rozkaz*
      | komend* | prompt* | zaleceni* | zaleceń | oprogramowani* | zarządzeni* | protokoł* | ustawieni*`,
    limit: `zasad* | reguł* | ograniczeni* | ograniczeń | filtr* | restrykcj* | granic* | limit* | cenzur*
      | zabezpieczeni* | zabezpieczeń | zakaz* | norm | normy | blokad* | polityk* | tabu | barier*`,
    safety: 'bezpieczeństwa',
    nature: 'trening | szkolenie | oprogramowanie | programowanie | wartości | uwarunkowania',
    prior: `poprzedni* | wcześniejsz* | wcześniej | pierwotn* | powyższ* | powyżej | dotychczasow* | dotąd
      | do tej pory | uprzedni* | początkow* | istniejąc* | systemow* | przedtem | zanim | wbudowan* | ukryt*
      | tajn* | wewnętrzn* | sekretn* | obowiązując* | oryginaln* | minion* | na początku | stare | starych | dawne
      | dawnych | poprzednio | dawn* | nad tą | nad tym`,
    yours: 'swoje | swoich | swoim | swój | swojego | twoje | twoich | twój | twoim | wasze | swoimi',
    given: `dał | dałem | dali | dano | dane | danych | otrzymał* | otrzymałeś | dostał* | dostałeś | powiedziano
      | powiedział* | nauczono | nauczyłeś | uczono | przekazan* | zaprogramowan* | narzucon* | podan* | wydan*
      | napisano | mówiono | wpojono | podano | polecono | kazano | otrzymane | dostane | nakazano | ustaleni*
      | ustalon* | ustalono | ustaliliśmy | umówion* | nakazan*`,
    all: `wszystkie | wszystkich | wszystkim | wszelkie | wszelkich | każde | każdą | jakiekolwiek | jakichkolwiek
      | całość | cały | całą | całe | całego | pełny | pełną | pełną treść`,
    things: 'wszystko | wszystko co | o wszystkim | to co | wszystkiego | co ci | tego co | o czym | o tym',
    told: 'powyższe | wszystko powyżej | to wszystko powyżej',
    text: 'tekst | słowa | treść',
    not: 'nie | nigdy',
    keep: `nie {zapomnij,zapomnijcie,zapominaj,zapominajcie,zapomnieć,ignoruj,ignorujcie,ignorować,pomijaj,pomiń,
      przeocz,lekceważ}`,
    others: 'ja | my | on | ona | oni | nikt',
    message: 'mail* | maila | e mail* | pytani* | komentarz* | list | listu | faktur* | telefon* | zamówieni* | sms*',
    said: `{pisał,napisał,mówił,powiedział,prosił,poprosił,pytał,zapytał,spytał,wysłał,przesłał,podesłał,podał,wkleił,
      wpisał,dał,wspomniał,wspominał,zamówił,wrzucił,dodał,chciał,użył,opisał,zaproponował}{em,am}`,
    mine: 'mój | moje | moja | moją | mojego | mojej | moich | moim | mojemu',
    role: 'jesteś | będziesz',
    scope: 'długoś* | słów | znaków | budżet* | format* | czas* | rozmiar* | liczb* | danych | cen* | prędkoś* | wiek*',
    show: `pokaż | pokażcie | pokazać | ujawnij | ujawnić | powtórz | powtórzyć | wypisz | zdradź | przetłumacz
      | podaj | podać | zacytuj | wyjaśnij | streść | opisz | napisz | wydrukuj | wyjaw | wymień | skopiuj
      | przedstaw | udostępnij | powiedz | odsłoń | wyświetl | wyświetlić | wylistuj | przekaż | odczytaj | przepisz
      | przepiszcie`,
    ask: `jaki jest | jaka jest | jakie są | jakie były | jaki był | jaka była | co jest napisane | co zawiera
      | jakie masz`,
    prompt: `prompt systemow* | promptu systemow* | prompta systemow* | systemowy prompt* | systemowego promptu
      | instrukcje systemowe | instrukcji systemowych | instrukcję systemową | wiadomość systemow*
      | komunikat systemow* | początkowy prompt* | ukryty prompt* | prompt początkow* | polecenie systemow*`,
    reveal: `pokaż | pokażcie | pokazać | ujawnij | ujawnić | powtórz | powtórzyć | wypisz | zdradź | wydrukuj
      | wyjaw | odsłoń | wyświetl | wyświetlić | zacytuj | przepisz`,
    freed: `nie masz | nie masz już | nie masz żadnych | nie masz już żadnych | już nie masz | nie jesteś związan*
      | nie jesteś już związan* | jesteś wolny od | nie obowiązują cię | nie obowiązują cię żadne
      | cię nie obowiązują | nie dotyczą cię | nie jesteś ograniczon* | nie podlegasz`,
    next: 'i | oraz | a | ale | lub | potem | przeczytaj',
    obey: `{przestrzegaj,przestrzegać,przestrzegajcie,przestrzegając} | {stosuj,stosować,stosujcie}
      | {słuchaj,słuchać,słuchając} | {wykonuj,wykonywać} | {kieruj,kierować} | {trzymaj,trzymać}
      | {bierz,brać,biorąc} pod uwagę | {zwracaj,zwracać,zwracając} {uwagi,uwagę} | {uwzględniaj,uwzględniać}
      | {zważaj,zważać} | {podporządkuj,podporządkowywać,podporządkowuj} | {respektuj,respektować}
      | {podążaj,podążać,postępuj} | {przejmuj,przejmować,martw} | {ulegaj,polegaj} | {dostosowuj,dostosowywać}`,
    cease: 'przestań | przestańcie | zaprzestań | zamiast | bez | odmów | nie musisz | nie trzeba | dość',
    asIf: `{jakbyś,tak jakbyś,jak gdybyś} {nigdy nie,nie}
      | {jakby,tak jakby,jak gdyby} {nie było,nie istniały, nie obowiązywały,żadne}
      | {udawaj,udaj,wyobraź sobie} że {nie ma,nigdy nie,nie masz,nie istnieją}`,
    alone: 'słuchaj {tylko,wyłącznie,jedynie} mnie | słuchaj się {tylko,wyłącznie} mnie',
    be: 'jesteś | będziesz | odpowiadaj | odpowiedz | działaj | zachowuj się',
    without: 'bez | pozbawion* | wolny od | wolna od | wolną od',
    maker: 'twórc* | twórców | programist* | deweloper* | producent* | autor*',
    verbatim: 'słowo w słowo | słowo po słowie | dosłownie | co do słowa | bez zmian | w całości',
    follow: 'wykonuj | wykonaj | przestrzegaj | stosuj | słuchaj',
  },
};

const CZECH: LanguageWords = {
  lang: 'cs',
  order: 'first',
  words: {
    drop: `ignoruj | ignorujte | ignorovat | ignoruje | zapomeň | zapomeňte | zapomenout | přehlížej | přehlížejte
      | přehlížet | nedbej | nedbejte | neřiď se | neřiďte se | nenásleduj | neposlouchej | nedodržuj | nedodržujte
      | neber v potaz | neberte v potaz | neber ohled | neberte ohled | nevšímej si | nevšímejte si
      | nevěnuj pozornost | vykašli se | opomeň | pomiň | neplň | nerespektuj | nerespektujte | nezohledňuj
      | pusť z hlavy | {neřiď,neřiďte} se {už,více,již,nadále} | {nebereš,neber} | {ignoruješ,zapomínáš}
      | {neplňte,neposlouchejte,neuposlechni} | {nehleď na,odhlédni od}`,
    undo: `obejdi | obejít | opusť | odmítni | vypni | vypněte | vypnout | přepiš | smaž | smažte | smazat | zruš
      | zrušte | zrušit | pozastav | překroč | poruš | porušuj | porušit | odstraň | odstraňte | zanech | přeskoč
      | přeskočte | zahoď | deaktivuj | vynech | vynechte | prolom | anuluj | odvolej | nahraď | odhoď
      | {vyhoď,vymaž,zahoďte} | obcházej | odlož stranou | zbav se | osvoboď se`,
    void: `pozbývají platnosti | {pozbyly,pozbývají} {platnosti,platnost} | {neplatí,zrušeny,zrušena,neplatné}
      | už nejsou platné | už nemají platnost | již nejsou platné | již nemají platnost | nadále nejsou platné
      | nadále nemají platnost | neplatná | zrušené | odvolány | anulovány | neexistují | už neexistují`,
    norm: `instrukc* | pokyn* | směrnic* | příkaz* | předpis* | rozkaz* | prompt* | nařízení* | doporučení*
      | programování* | naprogramování* | ustanovení | zadání`,
    limit: `pravid* | omezení* | zásad* | filtr* | hranic* | limit* | restrikc* | cenzur* | zábran* | princip*
      | zákaz* | mantinel* | norm | normy`,
    safety: 'bezpečnostní*',
    nature: 'trénink | výcvik | naprogramování | hodnoty',
    prior: `předchozí* | dřívější* | předešl* | původní* | výše uveden* | výše | dosavadní* | dosud | dříve
      | předtím | doposud | stávající* | počáteční* | systémov* | vestavěn* | tajn* | skryt* | interní* | uveden*
      | minul* | výchozí* | na začátku | zpočátku | staré | starých`,
    yours: 'své | svá | svůj | svoje | svých | svým | svými | tvé | tvá | tvoje | tvůj | vaše | vašich',
    given: `dal | dali | dostal | dostali | dané | řekl | řekli | řečeno | naučil | naučili | učili | obdržel
      | zadané | zadal* | naprogramován* | napsáno | přikázali | sdělili | dostala`,
    all: `všechny | všechna | všech | veškeré | veškerá | veškerých | jakékoli | jakákoli | každé | všem | celý
      | celou | celé`,
    things: 'všechno | vše | všechno co | vše co | to co | cokoli',
    told: 'výše uvedené | vše výše uvedené | vše výše',
    text: 'text | slova | obsah',
    not: 'ne | nikdy | nikoli',
    keep: `nezapomeň | nezapomeňte | nezapomínej | nezapomínejte | nezapomenout | neignoruj | neignorujte |
      neignorovat | nepřehlédni | nepřehlédněte | nepřehlížej | nepřehlížejte | neopomeň | neopomeňte |
      nepřeskakuj`,
    others: 'já | my | on | ona | oni | nikdo',
    message: 'mail* | e mail* | otázk* | dotaz* | komentář* | dopis* | faktur* | telefon* | objednávk* | esemesk*',
    said: `{co,který,kterou,které,kterého,jak,čem} jsem | jsem {ti,vám,se,si,předtím,dříve}
      | jsem {psal,napsal,řekl,říkal,chtěl,poslal,dal,zadal,vložil,uvedl,zmínil,objednal}{,a}`,
    mine: 'můj | moje | moji | mou | mého | mé | mým',
    role: 'jsi',
    scope: 'délk* | slov | znaků | rozpoč* | formát* | čas* | rozsah* | velikost* | počet',
    show: `ukaž | ukažte | ukázat | prozraď | prozraďte | prozradit | zopakuj | zopakujte | opakuj | vypiš | vypište
      | řekni | řekněte | přelož | uveď | ocituj | cituj | vysvětli | shrň | popiš | napiš | napište | vytiskni
      | odhal | odhalte | vyjmenuj | zkopíruj | sděl | zveřejni | zobraz | zobrazte | odrecituj | vyzraď`,
    ask: 'jaký je | jaká je | jaké jsou | jaká jsou | jaké byly | jaký byl | co je napsáno | co stojí',
    prompt: `systémový prompt* | systémového promptu | systémové instrukc* | systémových instrukc*
      | systémový pokyn* | systémové pokyny | systémovou zprávu | systémová zpráva | úvodní prompt*
      | počáteční prompt* | skrytý prompt*`,
    reveal: `ukaž | ukažte | ukázat | prozraď | prozraďte | prozradit | zopakuj | zopakujte | opakuj | vypiš
      | vypište | vytiskni | odhal | odhalte | zveřejni | zobraz | zobrazte | vyzraď | ocituj`,
    freed: `nemáš | už nemáš | nemáš žádn* | již nemáš | nejsi vázán* | už nejsi vázán* | jsi zbaven*
      | jsi osvobozen* | pro tebe neplatí | se na tebe nevztahují | nejsi omezen*`,
    next: 'a | ale | nebo | pak | přečti',
    obey: `{dodržovat,dodržuj} | {následovat,následuj} | {řídit,řiď} | {poslouchat,poslouchej}
      | {respektovat,respektuj} | {brát,ber} {v potaz,v úvahu,ohled,zřetel} | dbát | {plnit,plň} | věnovat pozornost
      | uposlechnout`,
    cease: 'přestaň | přestaňte | nemusíš | nemusíte | místo | bez | odmítni | žádné | žádnou',
    asIf: 'jako {bys,by,kdybys,kdyby} {nikdy,žádné,žádná,neexistovala,nebyla,nedostal}',
    alone: 'poslouchej {jen,pouze,jenom} mě',
    be: 'jsi | odpovídej | odpověz | chovej se | jednej',
    without: 'bez | zbaven*',
    maker: 'vývojář* | tvůrc* | programátor*',
    verbatim: 'slovo od slova | doslova | doslovně',
    follow: 'plň | následuj | poslouchej',
  },
};

const SLOVAK: LanguageWords = {
  lang: 'sk',
  order: 'first',
  words: {
    drop: `ignoruj | ignorujte | ignorovať | zabudni | zabudnite | zabudnúť | nevšímaj si | nevšímajte si | nedbaj
      | neriaď sa | nenasleduj | nepočúvaj | nedodržiavaj | nedodržujte | neber do úvahy | neberte do úvahy
      | neber ohľad | prehliadaj | nerešpektuj | vykašli sa | pusť z hlavy | odignoruj`,
    undo: `obíď | opusti | odmietni | vypni | vypnite | prepíš | zmaž | zmažte | vymaž | zruš | zrušte | pozastav
      | prekroč | poruš | odstráň | preskoč | zahoď | deaktivuj | vynechaj | anuluj | odvolaj | nahraď | vyhoď
      | odlož bokom | zbav sa | osloboď sa`,
    void: '{neplatia,zrušené,neplatné} | sú odvolané | boli odvolané',
    norm: `inštrukci* | pokyn* | smernic* | príkaz* | predpis* | rozkaz* | prompt* | nariaden* | odporúčan*
      | programovani* | usmerneni*`,
    limit: `pravid* | obmedzeni* | zásad* | filtr* | filter* | hranic* | limit* | reštrikci* | cenzúr* | zábran*
      | princíp* | zákaz*`,
    safety: 'bezpečnostn*',
    nature: 'tréning | výcvik | hodnoty',
    prior: `predchádzajúc* | predošl* | pôvodn* | vyššie uveden* | vyššie | doterajš* | doteraz | predtým | skorš*
      | skôr | existujúc* | počiatočn* | systémov* | tajn* | skryt* | intern* | minul* | na začiatku | staré`,
    yours: 'svoje | svoj | svojich | svojim | tvoje | tvoj | tvojich | vaše',
    given: `dal | dali | dostal | dané | povedal | povedali | povedané | naučil | naučili | učili | zadané
      | naprogramovan* | napísané`,
    all: 'všetky | všetkých | akékoľvek | každé | všetkým',
    things: 'všetko | všetko čo | to čo | čokoľvek',
    told: 'vyššie uvedené | všetko vyššie',
    text: 'text | slová | obsah',
    not: 'nie | nikdy',
    keep: `nezabudni | nezabudnite | nezabúdaj | nezabúdajte | nezabudnúť | neignoruj | neignorujte |
      neprehliadni | neprehliadnite | nevynechaj`,
    others: 'ja | my | on | ona | oni | nikto',
    message: 'mail* | e mail* | otázk* | komentár* | list | faktúr* | telefón* | objednávk*',
    said: `{čo,ktorý,ktorú,ktoré,ktorého,čom} som | som {ti,vám,sa,si,predtým}
      | som {písal,napísal,povedal,poslal,dal,zadal,vložil,uviedol,spomenul}`,
    mine: 'môj | moja | moju | moje | mojej | môjho | moji',
    scope: 'dĺžk* | slov | znakov | rozpočt* | formát* | čas* | rozsah* | veľkosť*',
    show: `ukáž | ukážte | prezraď | prezraďte | zopakuj | zopakujte | vypíš | povedz | povedzte | prelož | uveď
      | ocituj | vysvetli | zhrň | opíš | napíš | vytlač | odhaľ | vymenuj | skopíruj | zobraz | zverejni`,
    ask: 'aký je | aká je | aké sú | aké boli | čo je napísané',
    prompt: `systémový prompt* | systémového promptu | systémové inštrukc* | systémové pokyny | systémovú správu
      | úvodný prompt*`,
    reveal: 'ukáž | ukážte | prezraď | prezraďte | zopakuj | zopakujte | vypíš | vytlač | odhaľ | zobraz | zverejni',
    freed: `nemáš | už nemáš | nemáš žiadn* | nie si viazan* | už nie si viazan* | pre teba neplatia
      | sa na teba nevzťahujú`,
    next: 'a | ale | alebo | potom',
    obey: 'dodržiavať | nasledovať | riadiť | počúvať | rešpektovať | brať {do úvahy,ohľad}',
    cease: 'prestaň | prestaňte | nemusíš | namiesto | bez | žiadne',
    asIf: 'ako {keby,by} {si nikdy,nikdy,neexistovali,neboli,žiadne,si}',
  },
};

const CROATIAN: LanguageWords = {
  lang: 'hr',
  order: 'first',
  words: {
    drop: `ignoriraj | ignorirajte | ignorirati | ignoriši | ignorišite | ignorisati | zanemari | zanemarite
      | zanemariti | zaboravi | zaboravite | zaboraviti | pređi preko | prijeđi preko | odbaci | odbacite | odbaciti
      | {stavi,ostavi,gurni} {po strani,na stranu,sa strane} | {zanemaruj,zaboravljaš}`,
    undo: `zaobiđi | zaobiđite | napusti | isključi | isključite | prepiši | obriši | obrišite | izbriši | izbrišite
      | poništi | poništite | prekrši | krši | preskoči | prevaziđi | ukini | ukinite | odbij | otkaži | deaktiviraj
      | ukloni | uklonite | {baci,odbacuj} | kršite | ostavi po strani | oslobodi se | riješi se | odrekni se
      | {smatraj,smatrajte} {nevažećima,nevažećim,poništenima,ništavnima}`,
    void: `ne važe | ne vrijede | stavljene van snage | {nevažeće,poništene,ukinute} | su važeće | su nevaljane
      | su opozvane | nisu važeće | nisu nevaljane | nisu opozvane | ne vrede | ne vrijedi`,
    norm: `uput* | instrukcij* | smjernic* | smernic* | naredb* | naredbi | odredb* | direktiv* | zapovijed*
      | zapovest* | prompt* | nalog* | preporuk* | programiranj* | protokol* | naputak | naputke | uputstv*
      | uputstav* | komand*`,
    limit: `pravil* | ograničenj* | granic* | zabran* | filter* | filtr* | restrikcij* | cenzur* | limit* | princip*
      | načel* | norme`,
    safety: 'sigurnosn* | bezbjednosn* | bezbednosn*',
    nature: 'obuku | trening | programiranje | vrijednosti',
    prior: `prethodn* | ranij* | prijašnj* | pređašnj* | gornj* | gore | iznad | početn* | dosadašnj* | dosad
      | dosada | do sada | izvorn* | postojeć* | prije | ranije | sistemsk* | sustavn* | navedenu | navedene | tajn*
      | skriven* | unutarnj* | interne | originaln* | ugrađen* | na početku | isprva | stare | starih | gornja`,
    yours: 'svoje | svoj | svojih | svoja | svojim | tvoje | tvoj | tvojih | tvoja | vaše | vaših',
    given: `dao | dali | dobio | dobila | dobili | dane | date | rekao | rekli | rečeno | naučio | naučili | učili
      | primio | zadane | zadate | programiran* | napisano | naređeno | kazali | naredili`,
    all: 'sve | svih | svim | sva | svaku | bilo koje | bilo koja | ikakve',
    things: 'sve | sve što | sve šta | ono što | to što',
    told: 'gore navedeno | sve gore navedeno | navedeno iznad',
    text: 'tekst | riječi | reči | sadržaj',
    not: 'ne | nemoj | nemojte | nikad | nikada',
    keep: `{ne,nemoj,nemojte} {zaboravi,zaboravite,zaboraviti,zaboravljaj,ignoriraj,ignorirati,ignorisati,
      zanemari,zanemariti,preskoči,preskočiti}`,
    others: 'ja | mi | on | ona | oni | nitko | niko',
    message: 'mail* | mejl* | pitanj* | komentar* | pismo | račun* | poziv* | narudžb*',
    said: `{što,šta,koji,koju,koje,koja} sam | sam {ti,vam,vas,te,rekao,rekla,napisao,napisala,pitao,pitala,
      poslao,poslala,tražio,tražila,dao,dala,naveo,spomenuo}`,
    mine: 'moj | moja | moju | moje | mog | moji | mojih',
    scope: 'duljin* | dužin* | riječi | znakova | proračun* | budžet* | format* | vremen* | veličin* | broj*',
    show: `pokaži | pokažite | pokazati | otkrij | otkrijte | otkriti | ponovi | ponovite | ispiši | ispišite | reci
      | recite | prevedi | citiraj | objasni | sažmi | opiši | napiši | napišite | podijeli | podeli | nabroji
      | kopiraj | odaj | prikaži | prikažite | daj | navedi`,
    ask: 'koji je | koja je | koje su | koja su | što piše | šta piše | kakve su',
    prompt: `sistemski prompt* | sistemskog prompta | sustavni prompt* | sistemske upute | sistemska uputstva
      | sistemske instrukcij* | sistemsku poruku | sustavne upute | početni prompt* | skriveni prompt*`,
    reveal: `pokaži | pokažite | pokazati | otkrij | otkrijte | otkriti | ponovi | ponovite | ispiši | ispišite
      | odaj | prikaži | prikažite | citiraj`,
    freed: `nemaš | više nemaš | nemaš nikakv* | više nemaš nikakv* | nisi vezan | više nisi vezan | slobodan si od
      | za tebe ne važe | za tebe ne vrijede | nisi ograničen`,
    next: 'i | a | ali | ili | zatim',
    obey: `{slijediti,slediti,slijedi,slijediš,slediš} | {pratiti,prati,pratiš}
      | {poštovati,poštivati,poštuj,poštuješ} | {slušati,slušaj,slušaš} | {uzimati,uzimaj,uzmi} u obzir
      | {obraćati,obraćaj} {pažnju,pozornost} | {obazirati,obaziri,osvrtati} | {pridržavati,pridržavaj,držati,drži}
      | {izvršavati,izvršavaj} | primjenjivati | {mariti,mari}`,
    cease: 'prestani | prestanite | ne moraš | ne morate | umjesto | umesto | bez | odbij',
    asIf: 'kao da {nikad,nikada,ne postoje,nema,nemaš,nisi,ne postoji}',
    alone: 'slušaj {samo,isključivo,jedino} mene',
  },
};

const SERBIAN: LanguageWords = {
  lang: 'sr-Cyrl',
  order: 'first',
  words: {
    drop: `игнориши | игноришите | игнорисати | игнорирај | занемари | занемарите | заборави | заборавите
      | заборавити | не поштуј | не слушај | не обазири се | не обраћај пажњу | пређи преко | одбаци | одбаците
      | не придржавај се`,
    undo: `заобиђи | напусти | искључи | искључите | препиши | обриши | обришите | избриши | поништи | поништите
      | прекрши | прескочи | укини | укините | откажи | деактивирај | уклони | баци | остави по страни | ослободи се
      | реши се`,
    void: 'не важе | {неважеће,поништене,укинуте} | су важећа | нису важећа | не вреде',
    norm: `упутств* | упутстав* | инструкциј* | смерниц* | наредб* | наредби | одредб* | директив* | заповест*
      | промпт* | налог* | препорук* | програмирањ* | протокол* | команд*`,
    limit: `правил* | ограничењ* | границ* | забран* | филтер* | филтр* | рестрикциј* | цензур* | лимит* | принцип*
      | начел*`,
    safety: 'безбедносн*',
    nature: 'обуку | програмирање | вредности',
    prior: `претходн* | раниј* | пређашњ* | горњ* | горе | изнад | почетн* | досадашњ* | до сада | изворн*
      | постојећ* | пре тога | раније | системск* | наведене | тајн* | скривен* | интерн* | оригиналн* | на почетку
      | старе`,
    yours: 'своје | свој | својих | своја | твоје | твој | твојих | твоја | ваше',
    given: `дао | дали | добио | добила | дате | рекао | рекли | речено | научио | научили | учили | примио | задате
      | програмиран* | написано`,
    all: 'све | свих | сва | сваку | било које',
    things: 'све | све што | оно што | то што',
    told: 'горе наведено | све горе наведено',
    text: 'текст | речи | садржај',
    not: 'не | немој | немојте | никад | никада',
    keep: `{не,немој,немојте} {заборави,заборавите,заборавити,да заборавиш,заборављај,игнориши,игнорисати,
      занемари,занемарити}`,
    others: 'ја | ми | он | она | они | нико',
    message: 'мејл* | питањ* | коментар* | писмо | рачун* | позив*',
    said: `{што,шта,који,коју,које,која} сам
      | сам {ти,вам,вас,рекао,рекла,написао,написала,питао,питала,послао,послала,тражио,дао,навео}`,
    mine: 'мој | моја | моју | моје | мог | моји',
    scope: 'дужин* | речи | знакова | буџет* | формат* | времен* | величин*',
    show: `покажи | покажите | откриј | откријте | понови | поновите | испиши | реци | реците | преведи | цитирај
      | објасни | опиши | напиши | подели | наброј | копирај | одај | прикажи | дај | наведи`,
    ask: 'који је | која је | које су | која су | шта пише',
    prompt: `системски промпт* | системског промпта | системска упутства | системске инструкциј* | системску поруку
      | почетни промпт*`,
    reveal: 'покажи | покажите | откриј | откријте | понови | поновите | испиши | одај | прикажи | цитирај',
    freed: 'немаш | више немаш | немаш никакв* | више немаш никакв* | ниси везан | слободан си од | за тебе не важе',
    next: 'и | а | али | или | затим',
    obey: `{следити,следиш} | {пратити,прати,пратиш} | {поштовати,поштујеш} | {слушати,слушаш}
      | {узимати,узимај} у обзир | обраћати пажњу | {обазирати,обазиреш} | {придржавати,придржаваш}`,
    cease: 'престани | престаните | не мораш | уместо | без',
    asIf: 'као да {никад,никада,не постоје,нема,немаш,ниси}',
  },
};

const BULGARIAN: LanguageWords = {
  lang: 'bg',
  order: 'first',
  words: {
    drop: `игнорирай | игнорирайте | игнорираш | забрави | забравете | забравиш | пренебрегни | пренебрегнете
      | пренебрегнеш | не обръщайте внимание | не изпълнявайте | не вземайте предвид | спрете да следвате
      | остави без внимание | отхвърли | отхвърлете | {пренебрегвай,забравяш}`,
    undo: `заобиколи | изостави | изключи | изключете | презапиши | изтрий | изтрийте | отмени | отменете | наруши
      | прескочи | преодолей | анулирай | анулирайте | премахни | премахнете | деактивирай | замени | зарежи
      | изхвърли | остави настрана | оставете настрана | освободи се от | откажи се от`,
    void: `не важат | {отменени,анулирани,невалидни} | са оттеглени | бяха оттеглени | не са валидни
      | не се прилагат`,
    norm: `инструкци* | указани* | насок* | заповед* | директив* | команд* | нареждани* | предписани* | промпт*
      | препорък* | програмиран* | протокол* | настройк*`,
    limit: 'правил* | ограничени* | граници* | забран* | филтр* | рестрикци* | цензур* | лимит* | принцип* | норми*',
    safety: 'за сигурност | за безопасност',
    nature: 'обучението | програмирането | ценностите',
    prior: `предишн* | предходн* | първоначалн* | горн* | по горе | отгоре | досегашн* | досега | преди | по рано
      | съществуващ* | системн* | началн* | изходн* | тайн* | скрит* | вътрешн* | оригиналн* | дотук | в началото
      | старите | стари`,
    yours: 'твоите | твоя | твои | си | ти | вашите | своите | свои',
    given: `дадени* | дадох | дадоха | получи | получени* | получил* | казах | казаха | казано | научил* | научи
      | учили | програмиран* | написано`,
    all: 'всички | всичките | всяко | всякакви | каквито и да',
    things: 'всичко | всичко което | това което | каквото',
    told: 'горепосоченото | гореспоменатото | всичко по горе | казаното дотук',
    text: 'текста | думите | съдържанието',
    not: 'не | недей | никога',
    keep: `{не,недей,недейте} {забравяй,забравяйте,забравя,да забравяш,да забравиш,игнорирай,игнорирайте,да
      игнорираш,пренебрегвай,пренебрегвайте,пропускай}`,
    others: 'аз | ние | той | тя | те | никой',
    message: 'имейл* | мейл* | писмо* | въпрос* | коментар* | фактур* | обаждан* | поръчк*',
    said: `писах | написах | казах | попитах | питах | пратих | изпратих | дадох | помолих | споменах | поставих
      | поисках | поръчах`,
    mine: `моя | моят | моето | моите
      | {предишното,последното,предното,първото,предишния,последния,предишният,последният} ми`,
    scope: 'дължин* | думи | знака | бюджет* | формат* | време* | размер*',
    show: `покажи | покажете | разкрий | разкрийте | повтори | повторете | изпиши | кажи | кажете | преведи
      | цитирай | обясни | обобщи | опиши | напиши | напишете | сподели | изброй | копирай | издай | изведи
      | изведете | отпечатай | дай`,
    ask: 'какъв е | каква е | какви са | кои са | какво пише',
    prompt: `системния промпт* | системният промпт* | системен промпт* | системния си промпт*
      | системните инструкци* | системните си инструкци* | системното съобщени* | началния промпт*`,
    reveal: `покажи | покажете | разкрий | разкрийте | повтори | повторете | изпиши | издай | изведи | изведете
      | отпечатай | цитирай`,
    freed: `нямаш | вече нямаш | нямаш никакв* | вече нямаш никакв* | не си обвързан | вече не си обвързан
      | свободен си от | не важат за теб | не си ограничен`,
    next: 'и | а | но | или | после',
    obey: `{следвай,следвайте,следваш} | {спазвай,спазвайте,спазваш} | {слушай,слушаш} | {изпълнявай,изпълняваш}
      | {вземай,вземаш} {предвид,под внимание} | {обръщай,обръщаш} внимание | {съобразявай,съобразяваш}
      | {придържай,придържаш} | {подчинявай,подчиняваш}`,
    cease: `спри да | спрете да | престани да | не трябва да | не е нужно да | без да | вместо да | не си длъжен да
      | откажи да`,
    asIf: '{сякаш,все едно} {никога не,няма,нямаш,не съществуват,не си,никакви}',
    alone: 'слушай {само,единствено} мен',
  },
};

export const SLAVIC = [RUSSIAN, UKRAINIAN, POLISH, CZECH, SLOVAK, CROATIAN, SERBIAN, BULGARIAN];
