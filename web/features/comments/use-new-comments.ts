import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { isBy } from "./comment.ts";
import type { Thread } from "./threads.ts";

const TOGETHER_MS = 1500;
/** By then it has been read out; the same words again would be no change, and so not said. */
const SAID_MS = 5000;

/**
 * What a screen reader is told of comments that others have written since the conversation was first read: who wrote it,
 * or how many, once for those that come together. Undefined threads are not read yet.
 */
export function useNewComments(threads: readonly Thread[] | undefined, myId: string | undefined): string {
  const { t } = useTranslation("comments");
  const [said, setSaid] = useState("");
  const seen = useRef<Set<string>>(undefined);
  const newest = useRef("");
  const waiting = useRef<string[]>([]);
  const names = useRef(new Map<string, string>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (!said) return;
    const over = setTimeout(() => setSaid(""), SAID_MS);
    return () => clearTimeout(over);
  }, [said]);

  useEffect(() => {
    if (!threads) return;
    const all = threads.flatMap(({ head, answers }) => [head, ...answers]).filter((one) => !one.deleted_at);
    // Who it was may be told a moment after what they said.
    names.current = new Map(all.map(({ id, author_name }) => [id, author_name]));
    const known = seen.current;
    const since = newest.current;
    // Older threads that are fetched on demand are no news.
    const fresh = known ? all.filter((one) => !known.has(one.id) && one.created_at > since && !isBy(one, myId)) : [];
    seen.current = new Set([...(known ?? []), ...all.map(({ id }) => id)]);
    newest.current = [since, ...all.map(({ created_at }) => created_at)].sort().at(-1) ?? since;
    if (fresh.length === 0) return;
    waiting.current.push(...fresh.map(({ id }) => id));
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      const [first = "", ...more] = waiting.current.splice(0);
      const name = names.current.get(first) || t("someone");
      setSaid(more.length === 0 ? t("read.newFrom", { name }) : t("read.newOnes", { count: more.length + 1 }));
    }, TOGETHER_MS);
  }, [threads, myId, t]);
  return said;
}
