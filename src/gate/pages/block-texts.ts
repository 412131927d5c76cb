import type { Language } from '../../web/languages.ts';

import type { PlainTexts } from './plain-page.ts';

/** Kind, because the page hits the wrong people too; without a reason, because it hits the right ones. */
export const BLOCK_TEXTS: Readonly<Record<Language, PlainTexts>> = {
  en: {
    title: 'Sign-up not completed',
    heading: 'We could not complete your sign-up',
    whatHappened: 'An automatic check stopped it. No account was created.',
    whatToDo:
      'Such checks can be wrong, and we are sorry if this one was. Please contact the people who run this site and give them this reference:',
    reference: 'Reference',
    back: 'Back to the start page',
  },
  de: {
    title: 'Registrierung nicht abgeschlossen',
    heading: 'Wir konnten Ihre Registrierung nicht abschließen',
    whatHappened: 'Eine automatische Prüfung hat sie angehalten. Es wurde kein Konto angelegt.',
    whatToDo:
      'Solche Prüfungen können sich irren, und falls das hier so war, bitten wir um Entschuldigung. Wenden Sie sich bitte an die Betreiber dieser Website und nennen Sie diese Referenz:',
    reference: 'Referenz',
    back: 'Zurück zur Startseite',
  },
  fr: {
    title: 'Inscription non terminée',
    heading: 'Nous n’avons pas pu terminer votre inscription',
    whatHappened: 'Une vérification automatique l’a arrêtée. Aucun compte n’a été créé.',
    whatToDo:
      'Ces vérifications peuvent se tromper ; si c’est le cas ici, nous vous prions de nous en excuser. Veuillez contacter les responsables de ce site en indiquant cette référence :',
    reference: 'Référence',
    back: 'Retour à la page d’accueil',
  },
  es: {
    title: 'Registro no completado',
    heading: 'No hemos podido completar tu registro',
    whatHappened: 'Una comprobación automática lo ha detenido. No se ha creado ninguna cuenta.',
    whatToDo:
      'Estas comprobaciones pueden equivocarse y, si ha sido así, lo sentimos. Ponte en contacto con los responsables de este sitio e indica esta referencia:',
    reference: 'Referencia',
    back: 'Volver a la página de inicio',
  },
  pt: {
    title: 'Cadastro não concluído',
    heading: 'Não foi possível concluir o seu cadastro',
    whatHappened: 'Uma verificação automática o interrompeu. Nenhuma conta foi criada.',
    whatToDo:
      'Essas verificações podem errar e, se foi o caso, pedimos desculpas. Entre em contato com os responsáveis por este site e informe esta referência:',
    reference: 'Referência',
    back: 'Voltar à página inicial',
  },
  ja: {
    title: '登録が完了しませんでした',
    heading: '登録を完了できませんでした',
    whatHappened: '自動チェックにより登録が止められました。アカウントは作成されていません。',
    whatToDo:
      '自動チェックは誤ることがあります。その場合はお詫びいたします。お手数ですが、このサイトの運営者に次の参照番号をお知らせください。',
    reference: '参照番号',
    back: 'トップページに戻る',
  },
};
