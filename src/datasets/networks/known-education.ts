/**
 * Research networks and universities whose names do not say so.
 */
export const KNOWN_EDUCATION = `
  3: Massachusetts Institute of Technology
  680: DFN
  786: Jisc
  11537: Internet2
  2200 1942 1715: Renater
  137: GARR
  559: SWITCH
  1103 1101: SURF
  2611: BELNET
  2852: CESNET
  766 13041: RedIRIS and CSUC
  1213: HEAnet
  224: Sikt
  1653: SUNET
  1741: CSC and Funet
  1853: ACOnet
  1930: FCCN
  5408: GRNET
  8501: PIONIER
  2107: ARNES
  2108: CARNET
  1955: KIFU
  2607: SANET
  2614: RoEduNet
  2603: NORDUnet
  20965 21320: GEANT
  378: IUCC
  8517: ULAKNET
  2018: TENET
  36914: KENET
  7575: AARNet
  38022: REANNZ
  2907: SINET
  2500: WIDE
  4538: CERNET
  7497: CSTNET
  1659: TANet
  1237 17579: KISTI
  1916: RNP
  376: RISQ
  6509: CANARIE
  611: NB-PEI Educational Computer Network
  2152 2153: CENIC
  226: Los Nettos
  237: Merit
  210: Utah Education Network
  600: OARnet
  81: MCNC
  3754: NYSERNet
  6122: Iowa Communications Network, of its schools
  11714: Network Nebraska, of its schools
  2381: WiscNet
  10430: Washington State K-20
  6325: Illinois Century Network
  513: CERN
  12816: Leibniz-Rechenzentrum
  683 68: Argonne and Los Alamos
`;
