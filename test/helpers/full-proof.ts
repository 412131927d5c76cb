/** `npm run prove` runs full counts and long outages; every other run takes a short form through the same code. */
export const IS_FULL_PROOF = process.env.GATEKEEPER_FULL_PROOF === '1';
