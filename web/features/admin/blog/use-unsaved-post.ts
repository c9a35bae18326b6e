import { useEffect, useState } from "react";
import { browserStorage, keepJson, readJson } from "../../../lib/browser/storage.ts";
import { useUser } from "../../../lib/session/session.ts";
import type { DeskPost, PostFields, PostLanguage } from "./posts.queries.ts";

/** The form's values, including the slug. */
export type Written = PostFields & Pick<DeskPost, "slug">;

interface Kept {
  written: Written;
  /** The storage time of the version that the editing began with. */
  base: string;
}

/** For a post that was not stored yet. */
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
    /** The version that the next save replaces; undefined for the stored one, whichever it is. */
    base,
    replaceAnything: () => setBase(undefined),
    /** Whether the text is from an earlier visit. */
    found: kept !== undefined && unsaved,
    /** Marks the text as stored at this time. */
    settle(words: Written, at: string) {
      browserStorage.removeItem(key);
      setKept(undefined);
      setSaved(words);
      setBase(at);
    },
    /** Deletes the text on this device; returns the function that restores it. */
    forget() {
      browserStorage.removeItem(key);
      return () => keepJson(browserStorage, key, { written, base });
    },
  };
}
