import type { Language } from '../../web/languages.ts';

/** What a mail says. `{site}` is the host of `proxy.public_url`; nothing that a sender typed has a place here. */
export interface MailTexts {
  readonly subject: string;
  readonly intro: string;
  readonly code: string;
  readonly codeMinutes: string;
  readonly link: string;
  readonly linkMinutes: string;
  readonly button: string;
  readonly ignore: string;
}

export const MAIL_TEXTS: Readonly<Record<Language, MailTexts>> = {
  en: {
    subject: 'Confirm your signup at {site}',
    intro: 'Somebody is signing up at {site} with this email address. If that is you, confirm it:',
    code: 'Your code:',
    codeMinutes: 'The code works for {minutes} min, on the page where you signed up.',
    link: 'Or open this link and confirm there:',
    linkMinutes: 'The link works for {minutes} min.',
    button: 'Confirm my signup',
    ignore: 'If it is not you, ignore this mail: without the code or the link, nothing happens.',
  },
  de: {
    subject: 'Bestätigen Sie Ihre Registrierung bei {site}',
    intro:
      'Jemand registriert sich mit dieser E-Mail-Adresse bei {site}. Wenn Sie das sind, bestätigen Sie es:',
    code: 'Ihr Code:',
    codeMinutes: 'Der Code gilt {minutes} Min., auf der Seite, auf der Sie sich registriert haben.',
    link: 'Oder öffnen Sie diesen Link und bestätigen Sie dort:',
    linkMinutes: 'Der Link gilt {minutes} Min.',
    button: 'Registrierung bestätigen',
    ignore: 'Wenn Sie es nicht sind, beachten Sie diese E-Mail nicht: Ohne Code oder Link geschieht nichts.',
  },
  fr: {
    subject: 'Confirmez votre inscription sur {site}',
    intro: 'Quelqu’un s’inscrit sur {site} avec cette adresse e-mail. Si c’est vous, confirmez-le :',
    code: 'Votre code :',
    codeMinutes: 'Le code est valable {minutes} min, sur la page où vous vous êtes inscrit.',
    link: 'Ou ouvrez ce lien et confirmez sur la page :',
    linkMinutes: 'Le lien est valable {minutes} min.',
    button: 'Confirmer mon inscription',
    ignore: 'Si ce n’est pas vous, ignorez ce message : sans le code ni le lien, rien ne se passe.',
  },
  es: {
    subject: 'Confirma tu registro en {site}',
    intro: 'Alguien se está registrando en {site} con esta dirección de correo. Si eres tú, confírmalo:',
    code: 'Tu código:',
    codeMinutes: 'El código es válido durante {minutes} min, en la página donde te registraste.',
    link: 'O abre este enlace y confirma allí:',
    linkMinutes: 'El enlace es válido durante {minutes} min.',
    button: 'Confirmar mi registro',
    ignore: 'Si no eres tú, ignora este mensaje: sin el código o el enlace no ocurre nada.',
  },
  pt: {
    subject: 'Confirme o seu cadastro em {site}',
    intro: 'Alguém está se cadastrando em {site} com este endereço de e-mail. Se for você, confirme:',
    code: 'Seu código:',
    codeMinutes: 'O código é válido por {minutes} min, na página em que você se cadastrou.',
    link: 'Ou abra este link e confirme na página:',
    linkMinutes: 'O link é válido por {minutes} min.',
    button: 'Confirmar meu cadastro',
    ignore: 'Se não for você, ignore esta mensagem: sem o código ou o link, nada acontece.',
  },
  ja: {
    subject: '{site} への登録を確認してください',
    intro: 'このメールアドレスで {site} への登録が行われています。ご本人の場合は、確認してください。',
    code: '確認コード：',
    codeMinutes: 'コードの有効期間は {minutes} 分です。登録したページで入力してください。',
    link: 'または、次のリンクを開いて確認してください：',
    linkMinutes: 'リンクの有効期間は {minutes} 分です。',
    button: '登録を確認する',
    ignore:
      'お心当たりがない場合は、このメールを無視してください。コードまたはリンクが使われなければ、何も起こりません。',
  },
};
