/**
 * Given names and surnames that so many people bear that the name with a short number or a year is nobody's pattern:
 * `anna84` and `smith77` meet `anna91` and `smith12` by chance. Compiled by hand from the top of national birth
 * registers and censuses; the list needs no more, since a rarer name seldom meets itself.
 */
export const COMMON_NAMES: ReadonlySet<string> = new Set(
  `aaron abby abdul abdullah adam adrian ahmad ahmed aisha alan albert alberto alejandro aleksandr alessandro alex
  alexa alexander alexandra alexis alfred ali alice alicia alina allen alyssa amanda amber amelia amir amit amy ana
  anastasia andre andrea andreas andrei andres andrew andy angel angela anita anja ann anna anne annie anthony antoine
  antonio anton arjun arthur ashley astrid austin ava barbara ben benjamin bernd bert beth betty bill birgit bob bogdan
  boris brad brandon brenda brian brittany bruce bruno bryan camila carl carla carlos carmen carol caroline caterina
  catherine cecilia chad charles charlie charlotte chen chiara chloe chris christian christina christine christopher
  claire clara claudia clement cindy connor craig crystal cynthia dan daniel daniela danielle danny dave david dean
  debbie deborah denis dennis derek diana diego dieter dirk dmitry dominik donald donna dorothy doug douglas dylan
  eduardo edward elena eli elias elisa elizabeth ella ellen emily emma enrique eric erik erika ernesto ethan eva evan
  evelyn fabian fabio fatima felix fernando filip finn florian francesca francesco francis francisco frank fred
  frederic gabriel gabriela gary george georg gerald giovanni giulia giuseppe gloria grace greg gregory guido
  guillaume gustavo hana hannah hans harold harry hasan heather hector heidi heike helen helena helga henri henry
  hiroshi holger hugo hussein ian ibrahim igor ines ingrid irene irina isaac isabel isabella ivan ivana jack jackson
  jacob jacqueline jaime jake jakob jakub james jamie jan jana jane janet jasmine jason javier jean jeff jeffrey jen
  jennifer jenny jens jeremy jerry jesse jessica jesus jim jimmy joan joana joao joe joel johan johanna john johnny
  jon jonas jonathan jordan jorge jose josef joseph josh joshua juan judith judy julia julian julie julien jurgen
  justin kaito karen karin karl kate katharina katherine kathy katie keith kelly ken kenji kenneth kevin kim klaus
  kumar kyle lara lars laura lauren laurent lea lee lena leo leon leonardo leonie li liam lina linda lisa logan lorenzo
  louis louise luca lucas lucia lucy luis luisa lukas luke maja manuel marc marcel marcin marco marcos marcus margaret
  maria marie marina mario marion mark markus marta martha martin martina mary mason mateo mathieu matt matteo matthew
  matthias max maxime maximilian megan mehmet melanie melissa mia michael michal michel michele michelle miguel mike
  mila milan milena mina mohamed mohammad mohammed mona monica monika moritz muhammad mustafa nadia nancy naomi natalia
  natalie natasha nathan nele nicholas nick nicolas nicole nikita niklas nikolai nils nina noah noel nora norbert olaf
  oleg olga oliver olivia omar oscar otto pablo pamela paola paolo pascal patricia patrick paul paula paulo pavel pedro
  peter petra philip philipp phillip pierre piotr priya rachel rafael rahul raj ralf ralph ramon raphael raul raymond
  rebecca renate ricardo richard rick rita rob robert roberto robin rodrigo roger roland roman ron ronald rosa rose
  roy ruben ruth ryan sabine sabrina sakura sally sam samantha samir samuel sandra sara sarah sascha scott sean
  sebastian sergei sergey sergio sharon silke silvia simon simone sofia sonia sophia sophie stefan stefanie stephan
  stephanie stephen steve steven susan susanne svetlana sven sylvia tamara tanja tara taro tatiana ted teresa terry
  theo theresa thomas thorsten tim timo tina tobias todd tom tomas tommy tony tracy tyler ulrich ursula uwe valentina
  valeria vanessa vera veronica victor victoria vincent viktor vladimir walter wang wei wendy werner wilhelm will
  william wolfgang xavier yan yang yasmin yuki yusuf yves zachary zhang zoe
  allan baker barnes becker bennett braun brooks brown campbell carter clark clarke collins cooper costa cox cruz davies
  davis delgado diaz dubois dupont durand edwards evans ferrari ferreira fischer flores foster fuchs garcia gomez
  gonzalez gonzales graf gray green gupta gutierrez hall hansen harris hartmann hernandez hill hoffmann hofmann howard
  huang hughes ivanov jackson jansen jenkins jensen johansson johnson jones kaiser kaya khan king klein koch kovacs
  kowalski kruger kuznetsov larsen lefebvre lehmann leroy lewis long lopez ma maier marino martinez meier mendoza
  mercier meyer miller mitchell moore morales moreau moreno morgan morris muller mueller murphy murray myers nelson
  neumann nguyen nielsen novak nowak oconnor oliveira ortiz park parker patel perez perry petersen peterson petrov
  phan phillips popov powell price ramirez ramos reed reyes ribeiro richardson richter rivera roberts robinson
  rodriguez rogers romano romero rossi ruiz russo sanchez sanders santos sato schafer schmid schmidt schmitt schneider
  schroeder schulz schwarz sharma silva simmons singh smith smirnov sousa stewart sullivan suzuki takahashi tanaka
  taylor thompson torres tran turner vargas wagner walker wallace walsh wang ward watanabe watson weber weiss white
  williams wilson wolf wood wright wu yamamoto yilmaz young zhao zhou zimmermann`.split(/\s+/),
);
