import type { Adapter, AdapterPayload } from "oidc-provider";

/** What the provider keeps for a while, in memory; a restart forgets it. */
export function createMemoryAdapter() {
  const kept = new Map<string, { payload: AdapterPayload; until: number }>();
  const get = (key: string) => {
    const found = kept.get(key);
    if (found && found.until > Date.now()) return found.payload;
    kept.delete(key);
    return undefined;
  };
  const where = (model: string, is: (payload: AdapterPayload) => boolean) =>
    [...kept.keys()]
      .filter((key) => key.startsWith(`${model}:`))
      .map(get)
      .find((payload) => payload !== undefined && is(payload));

  return (model: string): Adapter => ({
    async upsert(id, payload, expiresIn) {
      for (const key of kept.keys()) get(key);
      kept.set(`${model}:${id}`, {
        payload,
        until: expiresIn ? Date.now() + expiresIn * 1000 : Number.POSITIVE_INFINITY,
      });
    },
    find: async (id) => get(`${model}:${id}`),
    findByUid: async (uid) => where(model, (payload) => payload.uid === uid),
    findByUserCode: async (code) => where(model, (payload) => payload.userCode === code),
    async consume(id) {
      const payload = get(`${model}:${id}`);
      if (payload) payload.consumed = Math.floor(Date.now() / 1000);
    },
    async destroy(id) {
      kept.delete(`${model}:${id}`);
    },
    async revokeByGrantId(grantId) {
      for (const [key, { payload }] of kept) if (payload.grantId === grantId) kept.delete(key);
    },
  });
}
