/**
 * Large access providers: homes and small offices. Some host servers too; people outnumber them.
 */
export const KNOWN_ACCESS = `
  22773: Cox
  7922 33650 33651 33652 33657 33659 33660 33662 33667 33668 7015 7016 7725: Comcast
  20115 20001 10796 33363 11427 11426 12271 11351 7843 33588: Charter
  7018 6389: AT&T
  701: Verizon Fios
  209 22561: CenturyLink
  7029: Windstream
  5650 7011: Frontier
  16591 19165: Google Fiber and Webpass
  14593: Starlink
  6621 7155: Hughes and ViaSat
  6128 19108: Altice USA
  577 855 7122 11489: Bell Canada
  812: Rogers
  6327: Shaw
  852: TELUS
  5769: Videotron
  3320: Deutsche Telekom
  3209 31334 6830: Vodafone and Unitymedia in Germany
  8881: 1&1 Versatel
  6805: O2 Germany
  3215: Orange
  12322: Free
  15557: SFR
  5410: Bouygues
  2856: BT
  5607: Sky UK
  5089: Virgin Media
  13285: TalkTalk
  1273: Vodafone
  3269: Telecom Italia
  1267: Wind Tre
  30722: Vodafone Italy
  12874: Fastweb
  3352: Telefonica de Espana
  6739: Vodafone Ono
  1136: KPN
  33915: Vodafone Netherlands
  5432: Proximus
  6848: Telenet
  3303: Swisscom
  6730: Sunrise
  8447: A1 Austria
  3301 1759: Telia
  1257: Tele2
  8473: Bahnhof
  3292: TDC
  2119 8434 9158: Telenor
  16086: DNA
  719: Elisa (some tables name it after its registry)
  5617: Orange Poland
  9121 47331: Turk Telekom
  34984: Superonline
  12389: Rostelecom
  8708: Digi
  6799: OTE
  3243 2860: MEO and NOS
  5466: Eircom
  8452: TE Data
  36947: Telecom Algeria
  6713: Maroc Telecom
  5713 37457: Telkom
  25019 39891: Saudi Telecom
  5384 15802: Etisalat and du
  8551 1680 12400 12849: Bezeq, Cellcom, Partner and Hot
  4134 4812 4811: China Telecom
  4837 4808 17816 17621 17622: China Unicom
  9394: China TieTong
  4713: NTT OCN
  2516: KDDI
  17676 4725: SoftBank
  2518: BIGLOBE
  2527: So-net
  9824: JCOM
  17511: OPTAGE
  4685: Asahi Net
  4766: Korea Telecom
  9318: SK Broadband
  17858 3786: LG Uplus
  3462: Chunghwa
  4780 9924: Digital United and Taiwan Fixed Network
  9304 9269 4760: HGC, HKBN and PCCW
  7552 45899 18403: Viettel, VNPT and FPT
  4788: TM
  7713: Telekomunikasi Indonesia
  9299: PLDT
  17552 7470: TRUE
  24560 9498: Airtel, fixed lines
  9829 17813: BSNL and MTNL
  17557: Pakistan Telecom
  1221: Telstra
  4804 7474: Optus
  7545: TPG
  4739: iiNet
  4771 9500 4768: Spark and One New Zealand
  8151: Telmex
  13999: Megacable
  6503: Axtel
  28573 4230: Claro Brazil
  27699 18881 10429: Vivo, fixed lines
  8167 7738: Oi
  7303 22927 10834: Telecom and Telefonica in Argentina
  10620 14080 3816 19429 13489: Claro, Movistar, ETB and EPM in Colombia
  8048: CANTV
  7418 22047: Movistar and VTR in Chile
  6147: Movistar Peru
  6057: Antel
  11830: ICE
  9506 3758 4657 55430: SingNet and StarHub
  20845: Digi Hungary
  5610: O2 Czechia
  29314: VECTRA
  37611: Afrihost, an access provider in spite of its name
  42689: Glide
  6079 11776 19901 12083: Astound, Breezeline, Brightspeed and WOW
  7992 11290: Cogeco
  5645 11260: TekSavvy and EastLink
  25400 29695: Telia Norway and Lyse
  29518: Bredband2
  8764 3249 12578: Telia Lithuania and Estonia, and Tet
  12741 21021: Netia and Multimedia Polska
  9145 20676 15943: EWE TEL, Plusnet and wilhelm.tel
  8866 35805 47524: Vivacom, Silknet and Turksat
  27747 21826: Telecentro and Inter
  12392 21334: VOO and One Hungary
  35612 8612 12338: EOLO, Tiscali and Euskaltel
  36149 8047 22995 30600: Hawaiian Telcom, GCI, Xplore and Metronet
  9617 4721 9595 2519 17506 7679: JCOM, NTT-ME, ARTERIA and QTnet
  10036 9457 38091: DLIVE, DREAMLINE and LG HelloVision
  38841 9416: kbro and Hoshin
  23969 9930 23700: TOT, TT DOTCOM and Linknet
  37705 2609 23889: TOPNET, Tunisia and Mauritius
  17638 17623 17962: Chinese provincial networks
  41012: The Cloud, public Wi-Fi in the United Kingdom
  39834: FIBERHOST, fibre to the home in Poland
  27683 263097: access providers whose names begin with VPN
`;
