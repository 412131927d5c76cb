/**
 * Servers: clouds, hosters, content networks, and the server networks of large web companies. Apple is not one: its
 * staff and its relay users share a network.
 */
export const KNOWN_HOSTING = `
  16509 14618 8987 7224 38895 62785 214101 135629 135630 55960: Amazon Web Services and its partners in China
  8075 8068 8069 8070 3598 35106 59067 200517 58593: Microsoft Azure and its partner in China
  15169 396982 19527 43515 394089: Google Cloud
  13335 209242: Cloudflare
  20940 16625 63949 12222 32787 35994: Akamai and Linode
  54113: Fastly
  31898 14544 54253: Oracle Cloud
  36351: IBM Cloud
  37963 45102 134963: Alibaba Cloud
  45090 132203 133478 139341: Tencent Cloud
  55990 136907: Huawei Cloud
  137718 150436: Volcano Engine and BytePlus
  38365 55967: Baidu Cloud
  23724: China Telecom's data centres
  58519: Cloud Computing Corporation, China Telecom
  135354: Naver Cloud
  9370 9371 7684: Sakura Internet
  4694: IDC Frontier
  14061: DigitalOcean
  20473: Vultr
  24940 213230 212317: Hetzner
  16276: OVH
  12876 29447: Scaleway and Online
  51167 40021: Contabo
  8560 15418: IONOS
  197540: netcup
  61157 8972 34011 20773: PlusServer and Host Europe
  31034: Aruba
  24961: WIIT and myLoc
  29066 30083: velia.net
  28753 60781 16265 7203 30633 59253 205544 133752 395954 396362 19148 27411 393886 32613: Leaseweb
  9009: M247
  212238 60068: Datacamp and CDN77
  49981: WorldStream
  43350: NForce
  50673: Serverius
  57043 395839: Hostkey
  49505 50340: Selectel
  9123: Timeweb
  197695: REG.RU
  47764: VK Cloud
  200350 210656: Yandex Cloud
  62240: Clouvider
  20860: Iomart
  202053: UpCloud
  199524: G-Core
  42708: GleSYS
  206804: EstNOC
  30736: Asergo
  58065 41564: Orion Network
  34568: ConnectingBytes
  26496 398101: GoDaddy
  46606: Unified Layer, Bluehost
  32475: Internap, SingleHop
  29802: Hivelocity
  36352: ColoCrossing
  55286: ServerMania
  53667: FranTech, BuyVM
  8100: QuadraNet
  40676: Psychz
  62904: Eonix
  35916: Multacom
  25820: IT7
  21859: Zenlayer
  54600: PEG TECH
  40065: CNSERVERS
  18978: Enzu
  18779: EGIHosting
  30058: FDCservers
  32489: Amanah
  36114 53340: VegasNAP
  46841: Fork Networking
  46562: Performive
  19318: Interserver
  22612: Namecheap
  54290: Hostwinds
  27715: Locaweb
  33070 27357 19994 15395 12200: Rackspace
  13768: Aptum
  13649 17054 17378 8001 22205 11320: Flexential, Expedient, TierPoint, Cologix, DataPipe and LightEdge
  23005: Switch
  136557: Host Universal
  134548 134175: DingFeng XinHui
  132839: Power Line Datacenter
  17561: Larus
  32934 63293 54115: Facebook, whose crawlers and relays use them
  13414 35995 63179: Twitter
  46489: Twitch
  62041 211157 62014 59930 44907: Telegram
  36459: GitHub
  14340 16839: Salesforce and ServiceNow
  19551: Imperva
  54994: Meteverse
  63930: Ready Server
  215224: NovoServe
  202425: IP Volume
  51396: Pfcloud
  210558: 1337 Services
  44477: Stark Industries
  215540: Global Connectivity Solutions
  213122 198953: Proton66 and Proxima
`;
