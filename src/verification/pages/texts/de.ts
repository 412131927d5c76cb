import type { PageTexts } from './texts.ts';

export const de: PageTexts = {
  codeTitle: 'Sehen Sie in Ihre E-Mails',
  sentTo:
    'Um Ihre Registrierung abzuschließen, geben Sie die sechs Ziffern ein, die an Ihre Adresse bei {domain} gesendet wurden, oder öffnen Sie den Link in dieser E-Mail.',
  mailQueued: 'Die E-Mail ist unterwegs.',
  mailDelayed: 'Die E-Mail braucht länger als üblich. Wir versuchen weiter, sie zu senden.',
  mailFailed:
    'Die E-Mail konnte nicht gesendet werden. Wenn Ihre Adresse stimmt, versuchen Sie es noch einmal.',
  timeLeft: 'Sie haben noch {minutes} Min. Zeit.',
  codeLabel: 'Code aus der E-Mail',
  codeHint: 'Sechs Ziffern',
  confirm: 'Bestätigen',
  errorTitle: 'Das hat nicht geklappt',
  malformedCode: 'Geben Sie die sechs Ziffern aus der E-Mail ein.',
  wrongCode: 'Dieser Code stimmt nicht. Verbleibende Versuche: {tries}.',
  codeExpired:
    'Dieser Code ist abgelaufen. Öffnen Sie den Link in der E-Mail oder lassen Sie eine neue senden.',
  noMailTitle: 'Keine E-Mail?',
  noMail:
    'Sehen Sie auch unter den unerwünschten E-Mails nach. Wenn {domain} nicht stimmt, gehen Sie zurück zu {site} und registrieren Sie sich noch einmal. Eine neue E-Mail bringt einen neuen Code; der alte gilt dann nicht mehr.',
  resend: 'Neue E-Mail senden',
  resendWait: 'Eine neue E-Mail kann in {seconds} s gesendet werden.',
  resendNever: 'Für diese Registrierung kann keine weitere E-Mail gesendet werden.',
  tooManyMails: 'Es wurden zu viele E-Mails gesendet. Versuchen Sie es in {minutes} Min. noch einmal.',
  linkTitle: 'Bestätigen Sie Ihre Registrierung',
  linkText:
    'Jemand registriert sich mit dieser E-Mail-Adresse bei {site}. Wenn Sie das sind, bestätigen Sie es hier.',
  sentAt: 'Gesendet',
  sentWith: 'Mit',
  sentFrom: 'Aus',
  browserOnSystem: '{browser} unter {system}',
  program: 'einer App oder einem Programm',
  unknown: 'unbekannt',
  reportTitle: 'Das sind nicht Sie?',
  reportText: 'Dann sagen Sie es: Die Registrierung wird verworfen, und niemand kann sie mehr bestätigen.',
  report: 'Das war ich nicht',
  reportedTitle: 'Vielen Dank',
  reportedText:
    'Die Registrierung wurde verworfen, und {site} weiß, dass Sie es nicht waren. Mehr ist nicht zu tun.',
  lockedTitle: 'Zu viele falsche Codes',
  lockedText:
    'Zur Sicherheit wurde diese Registrierung geschlossen. Sie können zu {site} zurückgehen und sich noch einmal registrieren.',
  closedTitle: 'Diese Seite gilt nicht mehr',
  closedText:
    'Wenn Ihre Registrierung bestätigt wurde, ist alles erledigt. Sonst ist die Zeit abgelaufen oder der Link unvollständig: Gehen Sie zurück zu {site} und registrieren Sie sich noch einmal.',
  unreachable:
    '{site} antwortet gerade nicht. Ihre Registrierung bleibt aufgehoben. Bitte versuchen Sie es gleich noch einmal.',
  unansweredTitle: 'Ihre Adresse ist bestätigt',
  unansweredText:
    'Aber {site} hat nicht geantwortet, und wir wissen nicht, ob Ihre Registrierung vollständig ist. Versuchen Sie, sich anzumelden. Wenn das nicht geht, registrieren Sie sich noch einmal: Eine neue E-Mail ist dafür nicht nötig.',
  crossSiteTitle: 'Das kam von einer anderen Website',
  crossSiteText:
    'Das Formular wurde von einer fremden Seite gesendet, deshalb ist nichts geschehen. Öffnen Sie den Link in der E-Mail oder die Seite, auf der Sie sich registriert haben.',
  tooManyMailsTitle: 'Bitte warten Sie einen Moment',
  noRoomTitle: 'Bitte versuchen Sie es gleich noch einmal',
  noRoom:
    'Im Moment warten zu viele Registrierungen, deshalb wurde Ihre nicht gespeichert. Versuchen Sie es in {minutes} Min. noch einmal.',
  toSite: 'Zu {site}',
};
