import test from 'ava';
import type { NetworkClass } from '../../../src/datasets/datasets.ts';
import { classifyNetwork } from '../../../src/datasets/networks/classify-network.ts';

/** A number for documentation (RFC 5398), so that the name alone decides. */
const UNKNOWN_ASN = 64_500;

const BY_NAME: Readonly<Record<NetworkClass | 'none', readonly string[]>> = {
  hosting: [
    'Hostinger International Limited',
    'A2 Hosting, Inc.',
    'HostRoyale Technologies Pvt Ltd',
    'GTHost',
    'AltusHost B.V.',
    'Servers Australia Pty. Ltd',
    'UK Dedicated Servers Limited',
    'Colocation America Corporation',
    'Iron Mountain Data Center',
    'Datacenter Luxembourg S.A.',
    'Micron21 Datacentre Pty Ltd',
    'CHINATELECOM JiangSu YangZhou IDC network',
    'SAKURA Internet Inc.',
    'NAVER Cloud Corp.',
    'Yandex.Cloud LLC',
    'IP SERVER LLC',
    'VPS House Technology Group LLC',
  ],
  vpn: ['Mullvad VPN AB', 'PACKETHUB S.A.', 'IPLOCKVPN.COM', 'Windscribe', 'FREE UNLIMITED VPN LTD'],
  relay: [],
  mobile: [
    'T-Mobile Czech Republic a.s.',
    'Safaricom Limited',
    'MTN Uganda',
    'Vodacom Tanzania Ltd',
    'TELEFONICA MOVIL DE CHILE S.A.',
    'Telefônica Celular de Bolivia S.A.',
    'China Mobile International Limited',
  ],
  access: [
    'Comcast Cable Communications, LLC',
    'PJSC "Ukrtelecom"',
    'Telekom Romania Communications S.A',
    'Türk Telekomünikasyon Anonim Şirketi',
    'Triple T Broadband Public Company Limited',
    'RK Telecom Provedor Internet LTDA',
    'West River Cooperative Telephone Company',
    'Alamo Broadband Inc.',
    'CHINANET Jiangsu province network',
    'kabelplus GmbH',
    'Brockway Television Inc.',
    // Both connect people and host servers: decided by where people sit.
    'Example Telecom and Hosting Ltd',
    'VPS Broadband And Telecommunications Pvt Ltd',
    'Cloud Nine Wireless LLC',
  ],
  education: [
    'Universität Stuttgart',
    'Michigan State University',
    'Universidad Nacional Autónoma de México',
    'Georgia Institute of Technology',
    'Los Angeles County Office of Education',
    'Kenya Education Network',
    'Cerritos College',
  ],
  business: [
    'Wells Fargo Bank, N.A.',
    'Zurich Insurance Company AG',
    'NISSAN MOTOR CO.,LTD.',
    'Headquarters, USAISC',
    'Air Force Systems Networking',
    'Lawrence Livermore National Laboratory',
    'Ministerio del Interior y de Seguridad Publica',
    'Newcastle City Council',
    'Travis Credit Union',
    'CITY OF ST. CLOUD',
    'United States Department of Defense (DoD)',
  ],
  none: [
    '',
    ' ',
    'Baker & Hostetler, LLP',
    'Ghost Robotics',
    'Hostel World',
    'McCloud Associates',
    'Observer Media',
    'Schooley Mitchell',
    'Exxon Mobil Corporation',
    'Contoso GmbH',
  ],
};

for (const [networkClass, names] of Object.entries(BY_NAME)) {
  test(`names alone tell a network of class ${networkClass}`, (t) => {
    const expected = networkClass === 'none' ? null : networkClass;
    const wrong = names.filter((name) => classifyNetwork(UNKNOWN_ASN, name) !== expected);
    t.deepEqual(wrong, []);
  });
}

test('a known number decides against the name', (t) => {
  t.is(classifyNetwork(37_611, 'AFRIHOST SP (PTY) LTD'), 'access');
  t.is(classifyNetwork(39_834, 'FIBERHOST S.A.'), 'access');
  t.is(classifyNetwork(6_167, 'Verizon Business'), 'mobile');
  t.is(classifyNetwork(36_183, 'Akamai Technologies, Inc.'), 'relay');
  t.is(classifyNetwork(3_356, 'Level 3 Communications, Inc.'), null);
});

test('a long hostile name costs no more than its length', (t) => {
  t.is(classifyNetwork(UNKNOWN_ASN, `${'telecom '.repeat(20_000)}x`), 'access');
  t.is(classifyNetwork(UNKNOWN_ASN, 'ho'.repeat(100_000)), null);
});
