import type { PageTexts } from './texts.ts';

export const fr: PageTexts = {
  codeTitle: 'Consultez vos e-mails',
  sentTo:
    'Pour terminer votre inscription, saisissez les six chiffres envoyés à votre adresse chez {domain}, ou ouvrez le lien de cet e-mail.',
  mailQueued: 'L’e-mail est en route.',
  mailDelayed: 'L’e-mail prend plus de temps que d’habitude. Nous continuons d’essayer de l’envoyer.',
  mailFailed: 'L’e-mail n’a pas pu être envoyé. Si votre adresse est correcte, réessayez.',
  timeLeft: 'Il vous reste {minutes} min.',
  codeLabel: 'Code reçu par e-mail',
  codeHint: 'Six chiffres',
  confirm: 'Confirmer',
  errorTitle: 'Cela n’a pas fonctionné',
  malformedCode: 'Saisissez les six chiffres de l’e-mail.',
  wrongCode: 'Ce code n’est pas correct. Essais restants : {tries}.',
  codeExpired: 'Ce code n’est plus valable. Ouvrez le lien de l’e-mail ou demandez un nouvel e-mail.',
  noMailTitle: 'Pas d’e-mail ?',
  noMail:
    'Regardez aussi parmi les courriers indésirables. Si {domain} n’est pas correct, retournez sur {site} et inscrivez-vous de nouveau. Un nouvel e-mail apporte un nouveau code ; l’ancien ne fonctionne alors plus.',
  resend: 'Envoyer un nouvel e-mail',
  resendWait: 'Un nouvel e-mail pourra être envoyé dans {seconds} s.',
  resendNever: 'Aucun autre e-mail ne peut être envoyé pour cette inscription.',
  tooManyMails: 'Trop d’e-mails ont été envoyés. Réessayez dans {minutes} min.',
  linkTitle: 'Confirmez votre inscription',
  linkText: 'Quelqu’un s’inscrit sur {site} avec cette adresse e-mail. Si c’est vous, confirmez-le ici.',
  sentAt: 'Envoyée',
  sentWith: 'Avec',
  sentFrom: 'Depuis',
  browserOnSystem: '{browser} sous {system}',
  program: 'une application ou un programme',
  unknown: 'inconnu',
  reportTitle: 'Ce n’est pas vous ?',
  reportText: 'Dites-le : l’inscription sera abandonnée, et personne ne pourra plus la confirmer.',
  report: 'Ce n’était pas moi',
  reportedTitle: 'Merci',
  reportedText:
    'L’inscription a été abandonnée, et {site} sait que ce n’était pas vous. Il n’y a rien d’autre à faire.',
  lockedTitle: 'Trop de codes incorrects',
  lockedText:
    'Par sécurité, cette inscription a été fermée. Vous pouvez retourner sur {site} et vous inscrire de nouveau.',
  closedTitle: 'Cette page n’est plus valable',
  closedText:
    'Si votre inscription a été confirmée, tout est fait. Sinon, le délai est écoulé ou le lien est incomplet : retournez sur {site} et inscrivez-vous de nouveau.',
  unreachable:
    '{site} ne répond pas pour le moment. Votre inscription est conservée. Veuillez réessayer dans un instant.',
  unansweredTitle: 'Votre adresse est confirmée',
  unansweredText:
    'Mais {site} n’a pas répondu, et nous ne savons pas si votre inscription est complète. Essayez de vous connecter. Si cela ne fonctionne pas, inscrivez-vous de nouveau : aucun nouvel e-mail ne sera nécessaire.',
  crossSiteTitle: 'Cela vient d’un autre site',
  crossSiteText:
    'Le formulaire a été envoyé depuis une page qui n’est pas la nôtre ; rien n’a donc été fait. Ouvrez le lien de l’e-mail ou la page où vous vous êtes inscrit.',
  tooManyMailsTitle: 'Veuillez patienter un instant',
  noRoomTitle: 'Veuillez réessayer dans un instant',
  noRoom:
    'Trop d’inscriptions sont en attente en ce moment ; la vôtre n’a pas été conservée. Réessayez dans {minutes} min.',
  toSite: 'Aller sur {site}',
};
