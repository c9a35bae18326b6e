/** What `make` resolves to, made again once it is `ms` old. A failure is not remembered. */
export function remembered<T>(ms: number, make: () => Promise<T>): () => Promise<T> {
  let known: { value: Promise<T>; until: number } | undefined;
  return () => {
    if (!known || known.until <= Date.now()) {
      const made = { value: make(), until: Date.now() + ms };
      made.value.catch(() => {
        if (known === made) known = undefined;
      });
      known = made;
    }
    return known.value;
  };
}
