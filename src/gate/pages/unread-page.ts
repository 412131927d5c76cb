import type { Language } from '../../web/languages.ts';
import type { Page } from '../../web/own-reply.ts';
import { BLOCK_TEXTS } from './block-texts.ts';
import { type PageFacts, plainPage } from './plain-page.ts';

/** What was wrong with a form: it was too large, or could be read in more than one way. */
export type UnreadReason = 'too-large' | 'unclear';

interface UnreadTexts {
  readonly heading: string;
  readonly whatHappened: Readonly<Record<UnreadReason, string>>;
  readonly whatToDo: Readonly<Record<UnreadReason, string>>;
}

/** The page for a person whose form could not be read, and who can do something about it. */
export function unreadPage(reason: UnreadReason, facts: PageFacts): Page {
  const { heading, whatHappened, whatToDo } = TEXTS[facts.language];
  const { title, reference, back } = BLOCK_TEXTS[facts.language];
  return plainPage(
    { title, heading, whatHappened: whatHappened[reason], whatToDo: whatToDo[reason], reference, back },
    facts,
  );
}

const TEXTS: Readonly<Record<Language, UnreadTexts>> = {
  en: {
    heading: 'Your form could not be read',
    whatHappened: {
      'too-large': 'It is larger than this site accepts. No account was created.',
      unclear: 'It did not arrive the way this site expects it. No account was created.',
    },
    whatToDo: {
      'too-large':
        'Please go back and leave out the file, or choose a smaller one. If that does not help, contact the people who run this site and give them this reference:',
      unclear:
        'Please go back, reload the page and fill it in again. If that does not help, contact the people who run this site and give them this reference:',
    },
  },
  de: {
    heading: 'Ihr Formular konnte nicht gelesen werden',
    whatHappened: {
      'too-large': 'Es ist größer, als diese Website annimmt. Es wurde kein Konto angelegt.',
      unclear: 'Es kam nicht so an, wie diese Website es erwartet. Es wurde kein Konto angelegt.',
    },
    whatToDo: {
      'too-large':
        'Gehen Sie bitte zurück und lassen Sie die Datei weg, oder wählen Sie eine kleinere. Falls das nicht hilft, wenden Sie sich bitte an die Betreiber dieser Website und nennen Sie diese Referenz:',
      unclear:
        'Gehen Sie bitte zurück, laden Sie die Seite neu und füllen Sie sie noch einmal aus. Falls das nicht hilft, wenden Sie sich bitte an die Betreiber dieser Website und nennen Sie diese Referenz:',
    },
  },
  fr: {
    heading: 'Votre formulaire n’a pas pu être lu',
    whatHappened: {
      'too-large': 'Il est plus volumineux que ce que ce site accepte. Aucun compte n’a été créé.',
      unclear: 'Il n’est pas arrivé sous la forme attendue par ce site. Aucun compte n’a été créé.',
    },
    whatToDo: {
      'too-large':
        'Veuillez revenir en arrière et retirer le fichier ou en choisir un plus petit. Si cela ne suffit pas, contactez les responsables de ce site en indiquant cette référence :',
      unclear:
        'Veuillez revenir en arrière, recharger la page et remplir à nouveau le formulaire. Si cela ne suffit pas, contactez les responsables de ce site en indiquant cette référence :',
    },
  },
  es: {
    heading: 'No se ha podido leer tu formulario',
    whatHappened: {
      'too-large': 'Es más grande de lo que este sitio acepta. No se ha creado ninguna cuenta.',
      unclear: 'No ha llegado como este sitio lo espera. No se ha creado ninguna cuenta.',
    },
    whatToDo: {
      'too-large':
        'Vuelve atrás y quita el archivo o elige uno más pequeño. Si no basta, ponte en contacto con los responsables de este sitio e indica esta referencia:',
      unclear:
        'Vuelve atrás, recarga la página y rellénala de nuevo. Si no basta, ponte en contacto con los responsables de este sitio e indica esta referencia:',
    },
  },
  pt: {
    heading: 'Não foi possível ler o seu formulário',
    whatHappened: {
      'too-large': 'Ele é maior do que este site aceita. Nenhuma conta foi criada.',
      unclear: 'Ele não chegou da forma que este site espera. Nenhuma conta foi criada.',
    },
    whatToDo: {
      'too-large':
        'Volte e retire o arquivo ou escolha um menor. Se isso não ajudar, entre em contato com os responsáveis por este site e informe esta referência:',
      unclear:
        'Volte, recarregue a página e preencha-a de novo. Se isso não ajudar, entre em contato com os responsáveis por este site e informe esta referência:',
    },
  },
  ja: {
    heading: 'フォームを読み取れませんでした',
    whatHappened: {
      'too-large': 'このサイトが受け付ける大きさを超えています。アカウントは作成されていません。',
      unclear: 'このサイトが想定する形で届きませんでした。アカウントは作成されていません。',
    },
    whatToDo: {
      'too-large':
        '前のページに戻り、ファイルを外すか、より小さいファイルを選んでください。解決しない場合は、このサイトの運営者に次の参照番号をお知らせください。',
      unclear:
        '前のページに戻って再読み込みし、もう一度入力してください。解決しない場合は、このサイトの運営者に次の参照番号をお知らせください。',
    },
  },
};
