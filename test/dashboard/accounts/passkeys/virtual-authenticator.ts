import type { CDPSession, Page } from 'playwright-core';

export interface VirtualAuthenticator {
  /** Of the first credential that it holds. */
  counter(): Promise<number>;
  /** As a copied authenticator has it. */
  setCounter(signCount: number): Promise<void>;
  /** Whether it verifies its user: with false, the user refuses or fails. */
  verifyUser(isVerified: boolean): Promise<void>;
}

interface Credential {
  readonly credentialId: string;
  readonly signCount: number;
}

/** The authenticator of Chromium for tests: a device with passkeys that unlocks itself. */
export async function addVirtualAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const session: CDPSession = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  const credentials = async () => {
    const found = await session.send('WebAuthn.getCredentials', { authenticatorId });
    return found.credentials as unknown as readonly Credential[];
  };
  return {
    counter: async () => (await credentials())[0]?.signCount ?? 0,
    async setCounter(signCount) {
      const [credential] = await credentials();
      if (!credential) throw new Error('no credential');
      await session.send('WebAuthn.removeCredential', {
        authenticatorId,
        credentialId: credential.credentialId,
      });
      await session.send('WebAuthn.addCredential', {
        authenticatorId,
        credential: { ...credential, signCount } as never,
      });
    },
    async verifyUser(isUserVerified) {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
    },
  };
}
