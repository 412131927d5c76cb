/** The names that mail.com lets its users choose from: wide lists take the odder ones for burners. */
const MAIL_COM_NAMES = `
  accountant.com activist.com adexec.com africamail.com allergist.com alumni.com alumnidirector.com
  americamail.com amorous.com angelic.com archaeologist.com arcticmail.com artlover.com asia.com
  asia-mail.com atheist.com auctioneer.net australiamail.com bartender.net bikerider.com birdlover.com
  blader.com boardermail.com brazilmail.com brew-master.com brew-meister.com bsdmail.com
  californiamail.com cash4u.com catlover.com chef.net chemist.com chinamail.com clerk.com cliffhanger.com
  clubmember.org collector.org columnist.com comic.com computer4u.com consultant.com contractor.net
  coolsite.net counsellor.com cutey.com cyberdude.com cybergal.com cyber-wizard.com dallasmail.com
  dbzmail.com deal-maker.com deliveryman.com diplomats.com disciples.com discofan.com doctor.com
  doglover.com doramail.com dr.com dublin.com dutchmail.com elvisfan.com engineer.com englandmail.com
  europe.com europemail.com execs.com fan.com fastservice.com financier.com fireman.net gardener.com
  geologist.com germanymail.com graduate.org graphic-designer.com greenmail.net groupmail.com
  hackermail.com hairdresser.net hilarious.com hiphopfan.com homemail.com hot-shot.com housemail.com
  humanoid.net iname.com innocent.com inorbit.com instruction.com instructor.net insurer.com
  irelandmail.com israelmail.com italymail.com job4u.com journalist.com keromail.com kittymail.com
  koreamail.com lawyer.com legislator.com linuxmail.org london.com loveable.com madrid.com mail-me.com
  marchmail.com mexicomail.com mindless.com minister.com mobsters.com monarchy.com moscowmail.com
  munich.com musician.org muslim.com myself.com null.net nycmail.com optician.com orthodontist.net
  pacific-ocean.com pacificwest.com pediatrician.com petlover.com photographer.net physicist.net
  planetmail.com planetmail.net polandmail.com politician.com post.com presidency.com priest.com
  programmer.net protestant.com publicist.com qualityservice.com radiologist.net ravemail.com
  realtyagent.com reborn.com reggaefan.com registerednurses.com reincarnate.com religious.com
  repairman.com representative.com rescueteam.com rocketship.com rome.com royal.net safrica.com
  saintly.com salesperson.net samerica.com sanfranmail.com scientist.com scotlandmail.com secretary.net
  snakebite.com socialworker.net sociologist.com solution4u.com songwriter.net spainmail.com surgical.net
  swedenmail.com swissmail.com teachers.org tech-center.com techie.com technologist.com theplate.com
  therapist.net toke.com toothfairy.com torontomail.com tvstar.com umpire.com usa.com uymail.com
  workmail.com worker.com writeme.com
`;

/** Open to everyone, missing from `email-providers` 2.26, and written down by hand for that. */
export const FREE_PROVIDERS: readonly string[] = [
  // Fastmail's own domains (fastmail.help, "Domains available"): only some are in the package.
  ...['fastmail.com', 'fastmail.fm', 'fastmail.org', 'fastmail.net', 'fastmail.co.uk', 'fastmail.de'],
  ...['sent.com', 'messagingengine.com', 'mailbolt.com', 'fea.st', '123mail.org', 'hailmail.net'],
  // Privacy mail. Tuta renamed itself from Tutanota in 2023.
  ...['tuta.com', 'tuta.io', 'tutanota.com', 'tutanota.de', 'tutamail.com', 'keemail.me'],
  ...['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me', 'lavabit.com'],
  ...[
    'hush.com',
    'hush.ai',
    'vfemail.net',
    'safe-mail.net',
    'mail2world.com',
    'latinmail.com',
    'mail2000.ru',
  ],
  ...['hey.com', 'posteo.de', 'posteo.net', 'mailbox.org', 'disroot.org', 'riseup.net', 'runbox.com'],
  ...[
    'startmail.com',
    'skiff.com',
    'hushmail.com',
    'zoho.com',
    'zohomail.com',
    'zohomail.eu',
    'mailfence.com',
  ],
  ...[
    'autistici.org',
    'inventati.org',
    'cock.li',
    'migadu.com',
    'soverin.net',
    'kolabnow.com',
    'infomaniak.com',
  ],
  ...[
    'ik.me',
    'etik.com',
    'ikmail.com',
    'murena.io',
    'e.email',
    'onmail.com',
    'thexyz.com',
    'polarismail.com',
  ],
  ...MAIL_COM_NAMES.trim().split(/\s+/),
  // Large providers whose newer or national domains are missing.
  ...[
    'icloud.com',
    'me.com',
    'mac.com',
    'outlook.com',
    'hotmail.com',
    'live.com',
    'msn.com',
    'googlemail.com',
  ],
  ...[
    'gmail.com',
    'yahoo.com',
    'ymail.com',
    'rocketmail.com',
    'myyahoo.com',
    'aol.com',
    'aim.com',
    'gmx.com',
  ],
  ...[
    'gmx.net',
    'gmx.de',
    'gmx.at',
    'gmx.ch',
    'web.de',
    'mail.com',
    'email.com',
    'mail.ru',
    'bk.ru',
    'inbox.ru',
  ],
  ...['list.ru', 'internet.ru', 'xmail.ru', 'yandex.ru', 'yandex.com', 'yandex.net', 'ya.ru', 'yandex.by'],
  ...['yandex.kz', 'yandex.ua', 'rambler.ru', 'lenta.ru', 'autorambler.ru', 'myrambler.ru', 'ro.ru'],
  ...[
    'qq.com',
    'foxmail.com',
    'vip.qq.com',
    '163.com',
    '126.com',
    'yeah.net',
    'sina.com',
    'sina.cn',
    'sohu.com',
  ],
  ...['aliyun.com', '139.com', '189.cn', 'wo.cn', 'tom.com', '21cn.com', '263.net', '88.com', 'email.cn'],
  ...['naver.com', 'daum.net', 'hanmail.net', 'kakao.com', 'nate.com', 'docomo.ne.jp', 'ezweb.ne.jp'],
  ...[
    'softbank.ne.jp',
    'i.softbank.jp',
    'au.com',
    'ymobile.ne.jp',
    'rakuten.jp',
    'yahoo.co.jp',
    'rediffmail.com',
  ],
  ...[
    'seznam.cz',
    'email.cz',
    'post.cz',
    'centrum.cz',
    'atlas.cz',
    'volny.cz',
    'azet.sk',
    'zoznam.sk',
    'centrum.sk',
  ],
  ...['wp.pl', 'o2.pl', 'onet.pl', 'op.pl', 'interia.pl', 'interia.eu', 'poczta.fm', 'gazeta.pl', 'tlen.pl'],
  ...[
    'libero.it',
    'virgilio.it',
    'tiscali.it',
    'alice.it',
    'tin.it',
    'inwind.it',
    'iol.it',
    'aruba.it',
    'pec.it',
  ],
  ...['orange.fr', 'wanadoo.fr', 'free.fr', 'laposte.net', 'sfr.fr', 'neuf.fr', 'bbox.fr', 'numericable.fr'],
  ...['t-online.de', 'freenet.de', 'arcor.de', 'vodafone.de', 'o2online.de', 'bluewin.ch', 'hispeed.ch'],
  ...[
    'abv.bg',
    'mail.bg',
    'dir.bg',
    'ukr.net',
    'i.ua',
    'meta.ua',
    'bigmir.net',
    'tut.by',
    'inbox.lv',
    'mail.ee',
  ],
  ...[
    'uol.com.br',
    'bol.com.br',
    'terra.com.br',
    'ig.com.br',
    'globo.com',
    'globomail.com',
    'r7.com',
    'zipmail.com.br',
  ],
  ...['comcast.net', 'verizon.net', 'att.net', 'sbcglobal.net', 'bellsouth.net', 'cox.net', 'charter.net'],
  ...['earthlink.net', 'optonline.net', 'shaw.ca', 'rogers.com', 'bell.net', 'sympatico.ca', 'telus.net'],
  ...['btinternet.com', 'sky.com', 'virginmedia.com', 'talktalk.net', 'ntlworld.com', 'blueyonder.co.uk'],
  ...['bigpond.com', 'bigpond.net.au', 'optusnet.com.au', 'iinet.net.au', 'xtra.co.nz', 'telkomsa.net'],
  ...[
    'walla.co.il',
    'walla.com',
    'ziggo.nl',
    'kpnmail.nl',
    'planet.nl',
    'xs4all.nl',
    'telenet.be',
    'skynet.be',
  ],
  ...[
    'telia.com',
    'online.no',
    'bredband.net',
    'luukku.com',
    'kolumbus.fi',
    'elisanet.fi',
    'freemail.hu',
    'citromail.hu',
  ],
  ...['sapo.pt', 'telepac.pt', 'otenet.gr', 'mynet.com', 'turk.net', 'zonnet.nl', 'sdf.org'],
];
