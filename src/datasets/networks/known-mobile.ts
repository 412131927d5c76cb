/**
 * Mobile carriers, where thousands of people share an address. Carriers that run one network for lines and mobiles
 * stand here when most of their customers are mobile.
 */
export const KNOWN_MOBILE = `
  21928: T-Mobile US
  6167 22394: Verizon Wireless
  20057: AT&T Mobility
  9605: NTT DOCOMO
  138384: Rakuten Mobile
  9644: SK Telecom
  17853: LG Uplus, mobile
  55836: Jio
  45609: Airtel, mobile
  45271 38266 55410: Vodafone Idea
  23693: Telkomsel
  4761: Indosat
  24203: XL Axiata
  16135: Turkcell
  20978: Turk Telekom, mobile
  15897: Vodafone Turkey
  29465 37133 36873 16637 36974 36972 30986 12091: MTN and Airtel in Africa
  37075 36926 37140: Airtel in Africa
  33771: Safaricom
  29975 36994: Vodacom
  37168: Cell C
  37287 36998: Zain
  24835 36935: Vodafone Egypt
  36992 37069: Etisalat and Orange in Egypt
  36925 36884: Orange and Inwi in Morocco
  35819 34400 43766: Mobily and Zain in Saudi Arabia
  197207 44244 57218: MCI, Irancell and RighTel in Iran
  8402 3216 8359 31133 12714 20632: VimpelCom, MTS and MegaFon
  15895 21497 34058: Kyivstar, Vodafone and lifecell in Ukraine
  29355 21299: Kcell and Beeline in Kazakhstan
  5378 206067: Vodafone and Three in the United Kingdom
  51207: Free Mobile
  12430: Vodafone Spain
  12479: Orange Spain
  47377: Orange Belgium
  9141 39603: P4
  12912: T-Mobile Poland
  8374: Polkomtel
  13036: T-Mobile Czechia
  16019: Vodafone Czechia
  12302: Vodafone Romania
  8953 9050: Orange Romania
  12353: Vodafone Portugal
  15502: Vodafone Ireland
  31615 50266: Odido
  25255 8437: Drei Austria
  8412: T-Mobile Austria
  44034: Hi3G
  213155: Yettel Hungary
  24608: Wind Tre
  37492 37693: Orange and Ooredoo in Tunisia
  29571: Orange Cote d'Ivoire
  8346: Sonatel
  26599 26615 22085: Vivo, TIM and Claro, mobile in Brazil
  26611 27831: Claro and Tigo in Colombia
  27651 21575: Entel in Chile and Peru
  23201: Telecel
  27889: Movilnet
  28024: Viva Bolivia
  12252: Claro Peru
  133481 131445: AIS Thailand
  9587: DTAC
  9534: Maxis
  4818: DiGi Malaysia
  10030: Celcom
  4775 132199: Globe Telecom
  10139: Smart
  24158 9674 17709: Taiwan Mobile, FarEasTone and Asia Pacific Telecom
  17924: SmarTone
  9790: Two Degrees
  133612: Vodafone Australia
  4773: M1
  56041 56046 56047 56048 24444 24445 24547 56040 56044 56045 9808 132525: China Mobile
  37119: Unitel Angola
  37105: Rain
`;
