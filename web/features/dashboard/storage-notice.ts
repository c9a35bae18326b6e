import { storageLevel } from "../../../shared/storage.ts";
import type { KeyValueStorage } from "../../lib/browser/storage.ts";

/** The warnings of a nearly full storage, in ascending order of urgency. */
export type StorageNotice = "near" | "full" | "over";

/** Spec §9: warnings above 75% and 90%, and when nothing more fits. Bytes. */
export function storageNotice(used: number, limit: number): StorageNotice | undefined {
  if (used >= limit) return "over";
  const level = storageLevel(used, limit);
  return level === "calm" ? undefined : level;
}

const KEY = "skies-storage-notice";
const ORDER: (string | null)[] = [null, "near", "full", "over"];

/** Whether the person dismissed this or a more urgent warning in this session. */
export const isDismissed = (notice: StorageNotice, storage: Pick<KeyValueStorage, "getItem">): boolean =>
  ORDER.indexOf(storage.getItem(KEY)) >= ORDER.indexOf(notice);

/** Stores for this session that the person dismissed this warning. */
export const dismiss = (notice: StorageNotice, storage: Pick<KeyValueStorage, "setItem">): void =>
  storage.setItem(KEY, notice);
