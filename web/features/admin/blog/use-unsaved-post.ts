import { useEffect, useState } from "react";
import { browserStorage, keepJson, readJson } from "../../../lib/browser/storage.ts";
import { useUser } from "../../../lib/session/session.ts";
import type { DeskPost, PostFields, PostLanguage } from "./posts.queries.ts";

/** The form's values, including the slug. */
export type Written = PostFields & Pick<DeskPost, "slug">;

interface Kept {
  written: Written;
  /** The `updated_at` of the stored version with which the editing began. */
  base: string;
}

/** The `base` of a post that was never stored. */
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
  const [storedPost, setKept] = useState(() => readKept(key));
  const [saved, setSaved] = useState(stored);
  const [base, setBase] = useState<string | undefined>(storedPost?.base ?? storedAt ?? NEVER);
  const [written, setWritten] = useState(storedPost?.written ?? stored);
  const unsaved = !sameWords(written, saved);
  useEffect(() => {
    keepJson(browserStorage, key, unsaved ? { written, base } : undefined);
  }, [key, unsaved, written, base]);
  return {
    written,
    write: (change: Partial<Written>) => setWritten((before) => ({ ...before, ...change })),
    unsaved,
    /** The `updated_at` of the version that the next save replaces; undefined to replace any stored version. */
    base,
    replaceAnything: () => setBase(undefined),
    /** Whether the values were restored from an earlier visit. */
    found: storedPost !== undefined && unsaved,
    /** Marks the values as stored at this time. */
    settle(written: Written, at: string) {
      browserStorage.removeItem(key);
      setKept(undefined);
      setSaved(written);
      setBase(at);
    },
    /** Deletes the unsaved values on this device; returns a function that restores them. */
    forget() {
      browserStorage.removeItem(key);
      return () => keepJson(browserStorage, key, { written, base });
    },
  };
}
