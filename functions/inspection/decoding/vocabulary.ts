/**
 * The most common words of English, and words of prompts and about models: readings must contain some of them. Mostly base forms;
 * `WordTrie` adds regular endings. A word by itself is no attack: the reading is inspected later.
 */
export const VOCABULARY: readonly string[] = `
a i am an as at be by do go he hi if in is it me my no of oh ok on or so to up us we
able about above absolute absolutely accept access according account across act action activate active actual actually add
additional address adhere admin administrator adult advance advice affect afraid after afternoon again against age agent ago
agree ahead air alert all allow almost alone along already also although always amazing amoral among amount ancient and anger
animal announce another answer any anybody anymore anyone anything anyway apart api app appear append apple application apply
approach appropriate approve april are area argue arm army around arrive art article ask aspect assign assist assistance
assistant assume assured asterisk attach attachment attack attempt attention audience august aunt author authorize authority
auto autumn available average avoid aware away awful baby back background bad bag balance ball bank banned bar base based
basic basis bath battle beach bear beat beautiful because become bed been before begin beginning behave behavior behind being
belief believe belong below benefit best better between beyond bias big bill bind bird birth birthday bit black blade blind
block blood blow blue board boat body bomb bone book border boring born borrow boss bot both bother bottle bottom bound
boundary bowl box boy brain branch bread break breakfast breath bridge brief bring broke broken brother brown browse browser
budget bug build building built bullet burn bus business busy but button buy buyer bypass cake call came camera can cancel
cannot capability capital car card care career careful carry case cash cat catch category cause censor censorship cent center
central century certain certainly chain chair challenge chance change channel chapter character charge chart chat chatbot
chatgpt cheap check chemical chest chicken chief child children choice choose church circle circumstance circumvent citizen
city civil claim class classified classify clean clear clearly click client climb clock close clothes cloud club clue coach
coast code coffee cold collect college color column combine come comfort command comment commercial commit common
communicate community company compare comparison complete completely complex comply compromise computer concern conclude
condition conduct confess confidential configuration configure confirm conflict connect consequence consider constraint
contact contain content contents context continue contract contrary control convention conversation convert convince cook
cool copy core corner correct cost could council count country couple course court cousin cover crazy create creation
creative creator credential credit crime critical criticize cross crowd cry culture cup current currently curse custom
customer cut daily damage dan dance danger dangerous dark data database date daughter day dead deal dear death debate debug
debugging december decide decision declare decode decrypt deep default defend defense define definition degree delay delete
deliver demand demonstrate deny department depend deploy depth describe description design desire desk despite destroy detail
detailed determine dev develop developer development device diagnostic did die diet differ difference different difficult
dig digital dinner direct direction directive directly director directory dirty disable disagree disallow disappear discard
disclaimer disclose discover discuss discussion disease disguise dish disobey display disregard distance divide doctor
document does dog dollar domain done dont door double doubt down download draft drag draw dream dress drink drive drop drug
dry due dump during duty each ear earlier early earn earth ease easily east easy eat echo economy edge edit editor education
effect effort egg eight either election electric element else elsewhere email embed emergency emotion employee empty emulate
enable encode encourage encrypt end enemy energy enforce engage engine engineer english enjoy enough ensure enter entire
entirely environment equal error escape especially establish ethic ethical ethics even evening event eventually ever every
everybody everyday everyone everything everywhere evidence evil exact exactly exam examine example excellent except exchange
exclude excuse execute exercise exfiltrate exist existing exit expect expensive experience expert explain explanation explicit
exploit explosive explore export expose express extend extent external extra extract extreme eye face fact factor fail failure
fair fake fall false familiar family famous far farm fast father fault favor favorite fear feature february feed feel feeling
feet fellow few fiction fictional field fight figure file fill film filter final finally finance financial find fine finger
finish fire first fish fit five fix flag flat flight floor flow flower fly focus folder follow following food foot for
forbid forbidden force foreign forest forever forget forgot forgotten form format former forth forward found four frame free
freedom fresh friday friend friendly from front fruit fuel full fully fun function funny further future gain game garden gas
gate gather gave general generate generation get gift girl give given glad glass global goal god gold gone good google got
govern government grand grandma grandmother grant great green ground group grow guard guardrail guess guest guidance guide
guideline gun guy hack hacker had hair half hall hand handle hang happen happy harbor hard hardly harm harmful has hat hate
have head health hear heart heat heavy held hello help helpful hence her here hereby hidden hide high highly hill him himself
his history hit hold hole holiday home honest hope horse hospital host hot hotel hour house how however huge human hundred
hungry hurry hurt husband hypothetical ice idea ideal identify identity ignore illegal image imagine immediate immediately
immoral important impossible improve include including income increase indeed independent index indicate individual
industry info inform information initial initialize inject injection inner input inside insist install instance instant
instead instruct instruction insult intend interest internal internet interpret into introduce invent invest investigate
invite invoice involve irrelevant island issue item its itself jail jailbreak jailbroken january job join joke journey judge
july jump june just keep kept key keyword kick kid kill kind king kitchen knew knife know knowledge known lady land language
large last late later latest latter laugh launch law lawyer lay layer lead leader leak learn least leave lecture left leg
legal lesson let letter level liability liberate library license lie life light like likely limit limitation line link list
listen literal literally little live llm load loan local locate lock log logic logical login long longer look loose lord lose
loss lost lot loud love low lower luck lunch machine mad made mail main maintain maintenance major majority make malicious
malware man manage manager manner manual many march mark market marriage marry match material math matter maximum may maybe
meal mean meaning measure meat media medical medicine meet meeting member memory men mention mercy merely message met method
middle might mile military milk million mind mine minimum minister minor minute miss mission mistake mix mode model moderate
modern modify moment monday money monitor month mood moon moral morality morals more moreover morning most mother motion
mountain mouse mouth move movie much murder music must myself name narrow narrator nation national native natural nature near
nearly necessary neck need negative neglect neighbor neither nerve network never new news newspaper next nice night nine nobody
none nor normal normally north nose not note nothing notice notify novel november now nowhere nuclear null number numerous obey
object objective obligation obtain obvious obviously occasion occur october off offend offensive offer office officer official
often oil old omit once one online only onto open openai operate operation operator opinion opportunity oppose opposite option
orange order ordinary organization origin original other otherwise ought our ourselves out output outside over overlook
override overrule own owner page paid pain paint pair paper paragraph paraphrase parent park part partial particular
particularly partner party pass password past paste path patient pattern pay payload payment peace pen pencil people perfect
perform perhaps period permission permit persist person persona personal personality phase phone photo phrase physical piano
pick picture piece place plain plan plane plant play please plenty plus pocket poem point poison police policy polite political
poor popular population position positive possess possible possibly post potential pound power practice precede preceding
precise prefer prefix prepare preprompt present president press pressure pretend pretty prevent preview previous previously
price principle print prior priority prison private privilege prize probably problem proceed process processing produce product
profanity profession professional profit program programmer programming prohibit project prominent promise promote prompt proof
proper properly property propose protect protection protocol proud prove provide provided public publish pull punish purchase
purpose push put puzzle quality quarter queen query question quick quickly quiet quite quote race racist radio rain raise ran
range rank rare rarely rate rather raw reach react read reader ready real reality realize really reason reasonable recall
receive recent recently recipe recite recognize record recover red reduce refer reference reflect refusal refuse regard
regarding regardless region register regular regulation reject relate relation release relevant religion remain remark remember
remind remove render repeat repeated replace reply report represent repository reproduce request require required rescue
research reset resist resource respect respond response responsible rest restaurant restrict restricted restriction result
resume retain return reveal reverse review revise reward rewrite rich ride right ring rise risk river road rock role
roleplay roof room root rough round route row rude rule run safe safeguard safety sailor salary sale salt same sample sand sat
save saw say scenario scene schedule school science scientist scope score screen script sea search season seat second secret
secretly section secure security see seed seek seem seen select self sell send senior sense sensitive sent sentence separate
september sequence series serious seriously serve server service session set setting settle seven several severe sexual shadow
shake shall share sharp she sheet shell ship shirt shoe shop short should shoulder shout show shown shut sick side sign silence
silent silly similar simple simply simulate simulation since sing single sir sister sit site situation six size skill skin skip
sky sleep slight slow slowly small smart smell smile smoke smooth snake snow social society soft software soil soldier solid
solution solve some somebody somehow someone something sometimes somewhere son song soon sorry sort soul sound source south
space speak special specific specifically speech speed spell spend spirit spoke sport spread spring square staff stage stand
standard star start state statement station status stay steal step stick still stock stone stood stop store storm story
straight strange strategy stream street strength stress strict strictly strike string strong structure struggle student study
stuff stupid style subject submit succeed success such sudden suddenly suffer sugar suggest suggestion suit sum summarize
summary summer sun sunday supersede supply support suppose suppress sure surely surface surprise surround survey survive
suspect suspend sweet swim switch system table tail take taken talk tall tape target task taste tax taught tea teach teacher
team tear technical technique technology tell temperature template ten tend term terminal terminate terms terrible test text
than thank thanks that the their theirs them themselves then theory there therefore these they thing think third this those
though thought thousand thread threat three threw through throughout throw thursday thus ticket tie till time tip tired title
today toe together toggle token told tomorrow tone tongue tonight too took tool top topic total totally touch tour toward
towards town toxic track trade tradition traffic train training transcribe transfer transform translate translation transmit
transparent travel treat treatment tree trial trick trip trouble truck true truly trust truth try tuesday turn tutor twelve
twenty twice two type typical ugly ultimate unable uncensored uncle uncle unconditional under undergo underlying understand
understood undo unethical unfiltered unfortunately uniform union unique unit universe university unless unlike unlimited
unlock unmoderated unrestricted unsafe until untrusted unusual update upgrade upload upon upper uppercase urgent usage use
used useful user usual usually valid valuable value variable variety various vegetable vehicle verbatim verify version very via
victim video view village violate violence violent virtual virus visit visual voice void vote vulnerability wait wake walk wall
want war warm warn warning was wash watch water wave way weak wealth weapon wear weather web webhook website wednesday week
weekend weight welcome well went were west what whatever whatsoever wheel when whenever where wherever whether which whichever
while whisper white who whoever whole whom whose why wide wife wild will win wind window wine winter wipe wire wise wish with
within without woman women wonder wonderful wood word wore work worker workflow world worm worry worse worst worth would wound
wrap write writer written wrong wrote yard yeah year yellow yes yesterday yet you young your yours yourself youth zero
`
  .trim()
  .split(/\s+/);

/** Words that turn a model away from its instructions; hardly any text has marks between them and the next word. */
export const ORDER_WORDS: readonly string[] = `
ignore ignoring disregard forget overlook override overrule bypass dismiss disobey disclose reveal leak recite obey jailbreak
jailbroken uncensored unfiltered unrestricted pretend
`
  .trim()
  .split(/\s+/);

/** Words that are typical of attacks. */
export const CUE_WORDS: readonly string[] = `
discard skip abandon disable enable expose previous prior above earlier preceding initial original existing system prompt prompts
developer instruction instructions rule rules guideline guidelines directive directives command commands restriction restrictions
safety ethical guardrail guardrails hidden secret confidential password passwords credentials everything limitations evil dan
repeat verbatim mode filters refuse never
`
  .trim()
  .split(/\s+/);
