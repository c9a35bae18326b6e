type Fetch = typeof globalThis.fetch;

const ATTEMPTS = 3;
/** The auth client repeats a refresh for up to 30 s. */
const PAUSE_MS = 30_000;

/**
 * Wraps a fetch so that, of the auth client's repetitions of a token refresh, only three reach the network; the others
 * fail until the server has answered another request, or 30 s have passed (Spec §9).
 */
export function limitRenewals(request: Fetch): Fetch {
  let failures = 0;
  let lastFailure = 0;
  return async (input, init) => {
    const isRenewal = String(input).includes("grant_type=refresh_token");
    if (isRenewal && failures >= ATTEMPTS && Date.now() - lastFailure < PAUSE_MS) {
      throw new TypeError(`Failed to fetch after ${ATTEMPTS} attempts`);
    }
    const failed = () => {
      if (!isRenewal) return;
      failures += 1;
      lastFailure = Date.now();
    };
    try {
      const response = await request(input, init);
      if (response.status < 500) failures = 0;
      else failed();
      return response;
    } catch (error) {
      failed();
      throw error;
    }
  };
}
