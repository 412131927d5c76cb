import type { PageTexts } from './texts.ts';

export const ja: PageTexts = {
  codeTitle: 'メールをご確認ください',
  sentTo:
    '登録を完了するには、{domain} のメールアドレスに送信された 6 桁の数字を入力するか、メールのリンクを開いてください。',
  mailQueued: 'メールを送信しています。',
  mailDelayed: 'メールの送信に時間がかかっています。引き続き送信を試みています。',
  mailFailed: 'メールを送信できませんでした。メールアドレスが正しければ、もう一度お試しください。',
  timeLeft: '残り時間は {minutes} 分です。',
  codeLabel: 'メールに記載のコード',
  codeHint: '6 桁の数字',
  confirm: '確認する',
  errorTitle: '確認できませんでした',
  malformedCode: 'メールに記載された 6 桁の数字を入力してください。',
  wrongCode: 'コードが正しくありません。残り {tries} 回入力できます。',
  codeExpired: 'このコードの有効期間が過ぎました。メールのリンクを開くか、新しいメールを送信してください。',
  noMailTitle: 'メールが届かない場合',
  noMail:
    '迷惑メールのフォルダーもご確認ください。{domain} が正しくない場合は、{site} に戻ってもう一度登録してください。新しいメールには新しいコードが記載され、以前のコードは使えなくなります。',
  resend: '新しいメールを送信',
  resendWait: '{seconds} 秒後に新しいメールを送信できます。',
  resendNever: 'この登録では、これ以上メールを送信できません。',
  tooManyMails: 'メールの送信回数が多すぎます。{minutes} 分後にもう一度お試しください。',
  linkTitle: '登録を確認してください',
  linkText: 'このメールアドレスで {site} への登録が行われています。ご本人の場合は、ここで確認してください。',
  sentAt: '送信日時',
  sentWith: '送信元の環境',
  sentFrom: '送信元の国',
  browserOnSystem: '{browser}（{system}）',
  program: 'アプリまたはプログラム',
  unknown: '不明',
  reportTitle: 'お心当たりがない場合',
  reportText: 'お知らせください。この登録は破棄され、確認できなくなります。',
  report: '自分ではありません',
  reportedTitle: 'ありがとうございます',
  reportedText:
    'この登録は破棄され、ご本人ではないことが {site} に伝わりました。ほかに必要な操作はありません。',
  lockedTitle: 'コードの誤りが多すぎます',
  lockedText: '安全のため、この登録は終了しました。{site} に戻ってもう一度登録できます。',
  closedTitle: 'このページは無効になりました',
  closedText:
    '登録の確認がお済みの場合は、完了しています。そうでない場合は、有効期間が過ぎたか、リンクが途中で切れています。{site} に戻ってもう一度登録してください。',
  unreachable:
    '現在 {site} から応答がありません。登録内容は保存されています。しばらくしてからもう一度お試しください。',
  unansweredTitle: 'メールアドレスを確認しました',
  unansweredText:
    'ただし {site} から応答がなく、登録が完了したかどうかわかりません。ログインをお試しください。ログインできない場合は、もう一度登録してください。新しいメールは必要ありません。',
  crossSiteTitle: '別のサイトからの送信です',
  crossSiteText:
    'フォームが別のサイトのページから送信されたため、処理を行いませんでした。メールのリンク、または登録したページを開いてください。',
  tooManyMailsTitle: 'しばらくお待ちください',
  noRoomTitle: 'しばらくしてからもう一度お試しください',
  noRoom:
    '現在、確認待ちの登録が多すぎるため、登録内容は保存されませんでした。{minutes} 分後にもう一度お試しください。',
  toSite: '{site} へ',
};
