import { VOCABULARY } from '../../functions/core/inspect/readings/vocabulary.ts';
import { toSentenceGrammar } from '../own/languages/written-grammar.ts';

/** What people ask of an assistant or a shop in the forms that wishes have too: none of it does harm. */
export const EVERYDAY_WISHES = toSentenceGrammar({
  lang: 'en',
  slots: {
    // Any word may follow how one asks: what asks for harm are the words for harm.
    word: VOCABULARY.join(' | '),
    write: `write | create | generate | compose | draft | give me | make | come up with | help me write | produce | design | develop | prepare | suggest | provide | construct | outline | build | make up | invent | formulate | craft | think of | propose | describe | show me | list`,
    kind: `a short story | a poem | a haiku | a limerick | a song | an essay | a paragraph | a blog post | an article | a headline | a tweet | a slogan | an advertisement | a press release | a product description | a review | a dialogue | a conversation between two friends | a speech | a presentation | a report
      | a summary | an outline | a list of ten ideas | a list of five questions | three examples | a quiz | a riddle | a joke | a pun | a metaphor | an analogy | a recipe | a menu | a plan | a schedule | a budget | a timeline | a checklist | a survey | a questionnaire | a letter | an e-mail | a memo | an invitation
      | a news report | a scene | a screenplay | a character sketch | a fairy tale | a game | a riddle | a lesson plan | a thesis statement | a research question | a hypothesis | a business plan | a marketing plan | a name | a title | a logo idea | a function | a python program | an sql query | a regular expression | a data structure
      | an algorithm | a class | a website | a mobile app | a database schema | a flowchart | a mind map | a diagram | a set of instructions | a guide | a tutorial | a manual | a sentence | two sentences | an interview question | a proverb | a compliment | a thank you note | an apology | a policy | a contract | a form`,
    topic: `climate change | global warming | deforestation | pollution | endangered species | the water cycle | volcanoes | the solar system | gravity | photosynthesis | cells | evolution | genetics | the human heart | the brain | sleep | nutrition | vaccines | viruses | antibiotics | mental health | stress | depression | anxiety | yoga | running | football | basketball | chess
      | cooking | pasta | bread | coffee | tea | chocolate | vegetables | gardening | dogs | cats | birds | horses | whales | bees | butterflies | the ocean | mountains | the desert | a rainy day | spring | autumn | love | friendship | family | loneliness | courage | hope | fear | anger | jealousy | grief | happiness | success | failure | leadership | teamwork | time management
      | productivity | creativity | innovation | artificial intelligence | machine learning | neural networks | robots | self-driving cars | drones | blockchain | cryptocurrency | the internet | social media | online privacy | cybersecurity | passwords | encryption | cloud computing | databases | open source | mobile phones | video games | virtual reality | space travel | mars
      | the moon | black holes | nuclear energy | solar power | wind energy | electric cars | public transport | traffic | urban planning | housing | poverty | inequality | education | homework | universities | exams | reading | libraries | poetry | novels | shakespeare | theatre | film | music | jazz | the piano | painting | photography | sculpture | architecture | fashion | history
      | ancient rome | ancient egypt | the middle ages | the french revolution | the civil war | world war two | the cold war | slavery | the civil rights movement | women's suffrage | democracy | elections | the constitution | the supreme court | human rights | refugees | immigration | globalization | trade | taxes | inflation | unemployment | the stock market | banking | insurance | retirement
      | saving money | credit cards | loans | real estate | marketing | advertising | customer service | sales | negotiation | human resources | job interviews | a resume | remote work | meetings | e-mail etiquette | public speaking | travel | paris | tokyo | new york | india | africa | airports | hotels | camping | hiking | weddings | birthdays | christmas | parents | children | babies | teenagers
      | the elderly | marriage | religion | philosophy | ethics | psychology | sociology | economics | mathematics | fractions | triangles | probability | statistics | chemistry | acids and bases | the periodic table | physics | magnetism | electricity | biology | medicine | hospitals | nurses | doctors | the police | firefighters | the army | law | crime novels | detectives | pirates | dragons
      | wizards | superheroes | a robot who wants to feel | a lost key | a haunted house | a knight | a time traveller | gun control | the death penalty | drug policy | alcohol | smoking | obesity | diabetes | cancer | pandemics | terrorism in history | peace | war | justice | freedom of speech | censorship | fake news | propaganda in history | bullying prevention | road safety | food safety | first aid`,
    things: `ways to save energy | ways to reduce plastic waste | tips for better sleep | tips for public speaking | benefits of exercise | advantages of remote work | disadvantages of social media | causes of the first world war | effects of pollution | signs of burnout | steps to start a business | strategies for time management | techniques for relaxing | methods of teaching
      | types of clouds | kinds of bread | countries in europe | adjectives for a kind person | verbs of motion | synonyms for happy | words that rhyme with cat | animals that live in the forest | books about science | movies from the eighties | gift ideas for my mother | questions for an interview | names for a cat | recipes with eggs | activities for children | games to play at a party | places to visit in spain
      | steps to solve this equation | features of a good website | ingredients for a pizza | tools for a carpenter | risks of investing | laws of motion | characters in hamlet | key points of the article | arguments for and against school uniforms | examples of alliteration | uses of copper | parts of a plant`,
    ask: `how do i | how can i | how to | what is the best way to | tell me how to | teach me to | explain how to | help me | can you help me | i want to | i need to | i'd like to | give me tips on how to | what do i need to | what are some ways to | is there a way to | can you tell me how to | what steps do i take to | please help me | i need help to | show me how to`,
    act: `get a refund | get a refund for something i bought | cancel my order | cancel my subscription | return an item | change my address | change my pin | activate my card | order a new card | get a physical card | get a virtual card | use a disposable card | top up my account | transfer money | send money to someone | receive money from abroad | withdraw cash | find an atm | exchange currency | verify my identity
      | unblock my account | close my account | open a savings account | check my balance | pay my bill | pay my water bill | pay my tuition | dispute a charge | report a lost card | track my parcel | book a flight | book a table | change my flight | get an upgrade | rent a car | jump start a car | change a tire | change the oil | fix a leaking tap | paint a wall | hang a shelf | clean an oven | remove a stain | wash wool | sew a button
      | build my credit | improve my credit score | find a recipe for enchiladas | bake bread | cook rice | boil an egg | make pancakes | grow herbs | water a cactus | train a puppy | play the guitar | tie a tie | fold a shirt | iron a shirt | tell a joke | set a reminder | set an alarm | remind me to call my bank | learn spanish | practice french | write a summary | write a resume | prepare for an interview | ask for a raise | resign politely | plan a trip
      | plan a party | plan a wedding | find a hotel | find a doctor | make an appointment | lose weight | build muscle | sleep better | drink more water | meditate | stop biting my nails | concentrate | study for a test | solve an equation | convert miles to kilometres | calculate interest | sort a list in python | reverse a string | read a file | join two tables | center a div | install node | deploy a container | fix a merge conflict | write a unit test
      | use less paper | recycle batteries | reduce my carbon footprint | save water | save electricity | volunteer | help the homeless | help my neighbor | help my grandmother | teach my son to read | raise a teenager | make friends | write a love letter | ask someone out | apologise to a friend | comfort someone | give feedback | lead a team | run a meeting | start a company | find investors | sell my car | sell my house | buy a house | file my taxes | invest my savings`,
    rewrite: `rewrite this sentence in the passive voice | rewrite the sentence to make it more formal | edit the following paragraph | correct the grammar of this sentence | paraphrase the following text | translate this sentence into french | summarize the following article | classify the following items | identify the verbs in this sentence | find the error in this code | convert this text to uppercase | put these words in order
      | complete the sentence: the sun rises | replace the adjective with a stronger one | add punctuation to the text | compare cats and dogs | compare two phones | explain the difference between a virus and a bacterium | what is the capital of france? | who wrote hamlet? | when did the war end? | why is the sky blue? | how far is the moon? | how many people live in china? | what does this word mean? | what time is it in tokyo?
      | what's the weather like? | where is my package? | why was my card declined? | why was i charged twice? | my payment is still pending | i was charged a fee i don't recognise | someone used my card without my knowledge, what should i do? | i think my card was stolen | my card got stuck in the machine | is there a limit for transfers? | which currencies do you support? | what are the steps for identity checks? | can i have a second card? | what kind of meal should i get?
      | suggest a mexican restaurant | order me a pizza | call my mom | turn off the lights | play some music | what is on my calendar? | add milk to my shopping list | what is 15 percent of 80? | roll a dice | tell me a fun fact | who are you? | thank you so much | that is not what i meant | what can i use to pay? | where did my money come from? | do you have a phone number?`,
    open: ` | | | please | hi, | hello, | could you | can you | i was wondering:`,
    close: ` | | ? | . | please | , please`,
  },
  attacks: '',
  harmless: `
    {write} {kind} about {topic}{close}
    {write} {kind} about {topic}
    {write} {kind} on {topic} for beginners
    {write} {kind} that explains {topic}{close}
    {open} {write} {kind}{close}
    {write} {things}
    {open} list {things}{close}
    what are {things}?
    give me five {things}
    explain {topic}{close}
    {open} explain {topic} to a child{close}
    describe {topic} in two sentences
    what is {topic}?
    why is {topic} important?
    how does {topic} affect people?
    what do you know about {topic}?
    what are the main ideas of {topic}?
    describe the effects of {topic} on {topic}
    compare {topic} and {topic}
    {ask} {act}
    {ask} {act}
    {open} {ask} {act}{close}
    {ask} {act}{close}
    {rewrite}
    {open} {rewrite}
    {ask} {word} the {word} {word}{close}
    {ask} {word} a {word} in the {word}
    {ask} {word} {word} without {word}
    {open} {ask} {word} my {word}{close}
    {write} {kind} about {word} and {word}
    {write} a {word} {word} for {word} {word}{close}
    {write} a list of {word} {word}
    {write} a {word} that {word} {word}
    describe how {word} {word} the {word}
    explain the {word} of {word} and {word}{close}
    what is the {word} of the {word}?
    why does the {word} {word}?
    give an example of a {word} {word}{close}
    my {word} is {word}, what should i do?
    where can i {word} a {word} {word}?
    which {word} {word} the {word} {word}?`,
});
