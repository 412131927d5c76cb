import type { PageTexts } from './texts.ts';

export const pt: PageTexts = {
  codeTitle: 'Confira seu e-mail',
  sentTo:
    'Para concluir seu cadastro, digite os seis dígitos enviados para o seu endereço em {domain} ou abra o link dessa mensagem.',
  mailQueued: 'A mensagem está a caminho.',
  mailDelayed: 'A mensagem está demorando mais que o normal. Continuamos tentando enviá-la.',
  mailFailed: 'Não foi possível enviar a mensagem. Se o seu endereço está certo, tente de novo.',
  timeLeft: 'Você ainda tem {minutes} min.',
  codeLabel: 'Código da mensagem',
  codeHint: 'Seis dígitos',
  confirm: 'Confirmar',
  errorTitle: 'Não funcionou',
  malformedCode: 'Digite os seis dígitos da mensagem.',
  wrongCode: 'Este código não está certo. Tentativas restantes: {tries}.',
  codeExpired: 'Este código expirou. Abra o link da mensagem ou peça uma nova mensagem.',
  noMailTitle: 'Não recebeu a mensagem?',
  noMail:
    'Procure também no lixo eletrônico. Se {domain} não está certo, volte a {site} e cadastre-se de novo. Uma nova mensagem traz um novo código; o antigo deixa de funcionar.',
  resend: 'Enviar nova mensagem',
  resendWait: 'Uma nova mensagem poderá ser enviada em {seconds} s.',
  resendNever: 'Não é possível enviar mais mensagens para este cadastro.',
  tooManyMails: 'Foram enviadas mensagens demais. Tente de novo em {minutes} min.',
  linkTitle: 'Confirme seu cadastro',
  linkText: 'Alguém está se cadastrando em {site} com este endereço de e-mail. Se for você, confirme aqui.',
  linkWarning: 'Se não for você, feche esta página: nada acontecerá.',
  lockedTitle: 'Muitos códigos errados',
  lockedText: 'Por segurança, este cadastro foi encerrado. Você pode voltar a {site} e se cadastrar de novo.',
  closedTitle: 'Esta página não é mais válida',
  closedText:
    'Se o seu cadastro foi confirmado, está tudo pronto. Caso contrário, o tempo acabou ou o link está incompleto: volte a {site} e cadastre-se de novo.',
  unreachable: '{site} não responde no momento. Seu cadastro está guardado. Tente de novo em instantes.',
  unansweredTitle: 'Seu endereço está confirmado',
  unansweredText:
    'Mas {site} não respondeu, e não sabemos se o seu cadastro está completo. Tente entrar. Se não funcionar, cadastre-se de novo: não será preciso outra mensagem.',
  crossSiteTitle: 'Isto veio de outro site',
  crossSiteText:
    'O formulário foi enviado de uma página que não é nossa; por isso, nada foi feito. Abra o link da mensagem ou a página em que você se cadastrou.',
  tooManyMailsTitle: 'Aguarde um momento',
  toSite: 'Ir para {site}',
};
