import { useEffect, useState } from "react";
import { browserStorage, keepJson, readJson } from "../../../lib/browser/storage.ts";
import { useUser } from "../../../lib/session/session.ts";
import type { DeskPost, PostFields, PostLanguage } from "./posts.queries.ts";

/** The form's values, including the slug. */
export type Written = PostFields & Pick<DeskPost, "slug">;

interface Kept {
  written: Written;
  /** The version that the writing began with, by the moment at which it was stored. */
  base: string;
}

/** Of what was not stored when the writing began. */
const NEVER = "-infinity";
const WORDS = ["title", "summary", "author", "body", "slug"] as const;
const sameWords = (a: Written, b: Written) =>
  [...WORDS, "cover" as const, "cover_alt" as const].every((name) => a[name] === b[name]);

function readKept(key: string): Kept | undefined {
  const { written, base = NEVER } = (readJson(browserStorage, key) ?? {}) as Partial<Kept>;
  if (!written || !WORDS.every((name) => typeof written[name] === "string")) return undefined;
  return { written: { ...written, cover: written.cover ?? null, cover_alt: written.cover_alt ?? "" }, base };
}

/** The form's values. Unsaved ones are stored on this device and restored when the page opens again. */
export function useUnsavedPost(
  slug: string | undefined,
  language: PostLanguage,
  stored: Written,
  storedAt: string | undefined,
) {
  const { id } = useUser();
  const key = `skies-post-${id}-${slug ?? ""}-${language}`;
  const [kept, setKept] = useState(() => readKept(key));
  const [saved, setSaved] = useState(stored);
  const [base, setBase] = useState<string | undefined>(kept?.base ?? storedAt ?? NEVER);
  const [written, setWritten] = useState(kept?.written ?? stored);
  const unsaved = !sameWords(written, saved);
  useEffect(() => {
    keepJson(browserStorage, key, unsaved ? { written, base } : undefined);
  }, [key, unsaved, written, base]);
  return {
    written,
    write: (change: Partial<Written>) => setWritten((before) => ({ ...before, ...change })),
    unsaved,
    /** The version that the next save replaces; undefined for whichever is stored. */
    base,
    replaceAnything: () => setBase(undefined),
    /** Whether these are words of an earlier visit. */
    found: kept !== undefined && unsaved,
    /** These words are stored now, at this moment. */
    settle(words: Written, at: string) {
      browserStorage.removeItem(key);
      setKept(undefined);
      setSaved(words);
      setBase(at);
    },
    /** Forgets the words on this device; gives what brings them back. */
    forget() {
      browserStorage.removeItem(key);
      return () => keepJson(browserStorage, key, { written, base });
    },
  };
}
