import type { PageTexts } from './texts.ts';

export const es: PageTexts = {
  codeTitle: 'Revisa tu correo',
  sentTo:
    'Para terminar tu registro, escribe los seis dígitos que enviamos a tu dirección en {domain} o abre el enlace de ese mensaje.',
  mailQueued: 'El mensaje está en camino.',
  mailDelayed: 'El mensaje tarda más de lo habitual. Seguimos intentando enviarlo.',
  mailFailed: 'No se pudo enviar el mensaje. Si tu dirección es correcta, inténtalo de nuevo.',
  timeLeft: 'Te quedan {minutes} min.',
  codeLabel: 'Código del mensaje',
  codeHint: 'Seis dígitos',
  confirm: 'Confirmar',
  errorTitle: 'No ha funcionado',
  malformedCode: 'Escribe los seis dígitos del mensaje.',
  wrongCode: 'Este código no es correcto. Intentos restantes: {tries}.',
  codeExpired: 'Este código ha caducado. Abre el enlace del mensaje o pide un mensaje nuevo.',
  noMailTitle: '¿No llega el mensaje?',
  noMail:
    'Mira también en el correo no deseado. Si {domain} no es correcto, vuelve a {site} y regístrate de nuevo. Un mensaje nuevo trae un código nuevo; el anterior deja de funcionar.',
  resend: 'Enviar un mensaje nuevo',
  resendWait: 'Se podrá enviar un mensaje nuevo en {seconds} s.',
  resendNever: 'No se pueden enviar más mensajes para este registro.',
  tooManyMails: 'Se han enviado demasiados mensajes. Inténtalo de nuevo en {minutes} min.',
  linkTitle: 'Confirma tu registro',
  linkText:
    'Alguien se está registrando en {site} con esta dirección de correo. Si eres tú, confírmalo aquí.',
  sentAt: 'Enviado',
  sentWith: 'Con',
  sentFrom: 'Desde',
  browserOnSystem: '{browser} en {system}',
  program: 'una aplicación o un programa',
  unknown: 'desconocido',
  reportTitle: '¿No eres tú?',
  reportText: 'Dilo: el registro se descarta y nadie podrá confirmarlo.',
  report: 'No fui yo',
  reportedTitle: 'Gracias',
  reportedText: 'El registro se ha descartado y {site} sabe que no fuiste tú. No hay nada más que hacer.',
  lockedTitle: 'Demasiados códigos incorrectos',
  lockedText: 'Por seguridad, este registro se ha cerrado. Puedes volver a {site} y registrarte de nuevo.',
  closedTitle: 'Esta página ya no es válida',
  closedText:
    'Si tu registro se confirmó, todo está hecho. Si no, se acabó el tiempo o el enlace está incompleto: vuelve a {site} y regístrate de nuevo.',
  unreachable:
    '{site} no responde en este momento. Tu registro se conserva. Inténtalo de nuevo en un momento.',
  unansweredTitle: 'Tu dirección está confirmada',
  unansweredText:
    'Pero {site} no ha respondido y no sabemos si tu registro está completo. Intenta iniciar sesión. Si no funciona, regístrate de nuevo: no hará falta otro mensaje.',
  crossSiteTitle: 'Esto viene de otro sitio',
  crossSiteText:
    'El formulario se envió desde una página que no es nuestra, así que no se ha hecho nada. Abre el enlace del mensaje o la página en la que te registraste.',
  tooManyMailsTitle: 'Espera un momento, por favor',
  noRoomTitle: 'Inténtalo de nuevo en un momento',
  noRoom:
    'Ahora mismo hay demasiados registros en espera y el tuyo no se ha guardado. Inténtalo de nuevo en {minutes} min.',
  toSite: 'Ir a {site}',
};
