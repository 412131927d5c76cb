/** VPN services that run autonomous systems of their own. Most rent from hosters, and only lists of addresses find them. */
export const KNOWN_VPN = `
  209103 199218 62371: Proton VPN
  136787 207137 147049 141039: PacketHub and Tefincom, NordVPN
  39351: 31173 Services, Mullvad
`;

/** Found by Sattler et al. (IMC 2022) to be used for iCloud Private Relay alone. */
export const KNOWN_RELAY = `
  36183: Akamai for iCloud Private Relay
`;

/** Offices of one organisation each: nobody else's servers, nobody's home. */
export const KNOWN_BUSINESS = `
  749 721 56 367 306 668 637 647 357 361 1540 4010 5972 27064 27046: United States Department of Defense
  203665: UK Ministry of Defence
  521: Ford
  31399: Mercedes-Benz
  6253: Prudential
  4249: Eli Lilly
  10794: Bank of America
  11003: Procter and Gamble
  714: Apple
  7054: Merck
  5774: United States Postal Service
  4155: USDA
  270 127: NASA
  109: Cisco
  4983: Intel
  10695: Wal-Mart
  42952: NHS England
  209502: Electricite de France
  1766: Exxon Mobil
  30103 13445: Zoom and Webex
  10361 8729 8883: Bloomberg, Credit Suisse and UBS
  2047 7792 158: Roche, 3M and Ericsson
  22616 53813 53444 62907 62044: Zscaler, through which offices reach the internet
  55256 13150 138627 36692 25605: Netskope, Cato and Cisco Umbrella, the same
  44444 13448 42465 43251 7598: Forcepoint, the same
  137922 396253 202276 62654: iboss and Menlo, the same
`;

/**
 * Carriers of carriers: homes, offices and hosters buy from them, and the number tells nothing about the one address.
 */
export const KNOWN_TRANSIT = `
  3356 3549 10753 3561: Lumen, Level 3
  174: Cogent
  3257: GTT
  2914: NTT
  1299: Arelion
  6939: Hurricane Electric
  6461 11686: Zayo
  6453 4755: Tata Communications
  6762: Telecom Italia Sparkle
  4637 3491 5511: Telstra, PCCW and Orange, international
  37100 30844: SEACOM and Liquid
  2828 702 703 3371 3372 46690 7046: Verizon Business
`;
