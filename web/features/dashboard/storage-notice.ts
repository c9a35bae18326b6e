import { storageLevel } from "../../../shared/storage.ts";
import type { KeyValueStorage } from "../../lib/browser/storage.ts";

/** What is worth telling of a storage before somebody runs into its end: the later, the more pressing. */
export type StorageNotice = "near" | "full" | "over";

/** Spec §9: warnings above 75% and 90%, and once nothing more fits. Whole bytes. */
export function storageNotice(used: number, limit: number): StorageNotice | undefined {
  if (used >= limit) return "over";
  const level = storageLevel(used, limit);
  return level === "calm" ? undefined : level;
}

const KEY = "skies-storage-notice";
const ORDER: (string | null)[] = [null, "near", "full", "over"];

/** Whether somebody has seen this, or something more pressing, in this session. */
export const isDismissed = (notice: StorageNotice, storage: Pick<KeyValueStorage, "getItem">): boolean =>
  ORDER.indexOf(storage.getItem(KEY)) >= ORDER.indexOf(notice);

/** Remembers until the session ends that somebody has seen this. */
export const dismiss = (notice: StorageNotice, storage: Pick<KeyValueStorage, "setItem">): void =>
  storage.setItem(KEY, notice);
