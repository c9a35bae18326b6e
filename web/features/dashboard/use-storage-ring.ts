import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { percentUsed, type StorageLevel, sizeText, storageLevel } from "../../../shared/storage.ts";
import { storageUseQuery } from "../../data/storage.queries.ts";
import { localeOf } from "../../lib/formatting/locale.ts";
import { supabase } from "../../lib/request/supabase.ts";
import type { RingTone } from "../../ui/Ring.tsx";

/** Spec §4: blue up to 75%, amber above 75%, red above 90%. */
export const toneOf: Record<StorageLevel, RingTone> = { calm: "blue", near: "amber", full: "red" };

export type StorageRingState = {
  /** The description for screen readers and the tooltip. */
  label: string;
} & (
  | { state: "waiting" }
  | { state: "failed" }
  | { state: "known"; share: number; level: StorageLevel; short: string }
);

const saying = { calm: "storage.used", near: "storage.usedNear", full: "storage.usedFull" } as const;

/** The values and texts of the storage ring. */
export function useStorageRing(userId: string): StorageRingState {
  const { t, i18n } = useTranslation("plans");
  const { data, isError } = useQuery(storageUseQuery(supabase, userId));
  if (!data)
    return isError ? { state: "failed", label: t("storage.failed") } : { state: "waiting", label: t("storage.label") };
  const { totalSize, maxStorage } = data;
  const locale = localeOf(i18n.language);
  const level = storageLevel(totalSize, maxStorage);
  const values = {
    used: sizeText(totalSize, locale),
    limit: sizeText(maxStorage, locale),
    percent: percentUsed(totalSize, maxStorage),
  };
  const label = t(saying[level], values);
  return { state: "known", share: totalSize / maxStorage, level, label, short: t("storage.short", values) };
}
