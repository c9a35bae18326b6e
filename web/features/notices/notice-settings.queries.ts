import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Row } from "../../../shared/database.ts";
import { queryKeys } from "../../data/query-keys.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { optimisticUpdate } from "../../lib/request/optimistic-update.ts";
import { unwrap } from "../../lib/request/unwrap.ts";

export type Cadence = NonNullable<Row<"notice_settings">["mail"]>;
export const CADENCES: readonly Cadence[] = ["instantly", "daily", "weekly", "never"];

/** A person's settings for one memory: how often notices are emailed (null for the default), whether devices show them, and a pause. */
export type MemoryNoticeSettings = Pick<Row<"notice_preferences">, "mail" | "push" | "paused_until">;

export type Settings = Pick<Row<"notice_settings">, "mail" | "paused_until" | "time_zone" | "language">;

export type Occasion = Row<"memory_reminders">["occasion"];

const NONE: Settings = { mail: null, paused_until: null, time_zone: null, language: null };

const USUAL: MemoryNoticeSettings = { mail: null, push: true, paused_until: null };

/** The settings for all of a person's memories. */
export const settingsQuery = (client: SupabaseClient, userId: string) =>
  queryOptions({
    queryKey: queryKeys.noticeSettings(userId),
    queryFn: async ({ signal }): Promise<Settings> => {
      const data = await client
        .from("notice_settings")
        .select("mail,paused_until,time_zone,language")
        .eq("user_id", userId)
        .abortSignal(signal)
        .maybeSingle()
        .then(unwrap("Failed to load notice settings"));
      return data ?? NONE;
    },
  });

/** Saves the settings, with an optimistic update. */
export function useSaveSettings(client: SupabaseClient, userId: string) {
  const cache = useQueryClient();
  const { queryKey } = settingsQuery(client, userId);
  return useMutation({
    mutationFn: async (change: Partial<Settings>) => {
      await client
        .from("notice_settings")
        .upsert({ user_id: userId, ...change })
        .then(unwrap("Failed to save notice settings"));
    },
    ...optimisticUpdate(cache, {
      queryKey,
      change: (settings: Settings, change: Partial<Settings>) => ({ ...settings, ...change }),
    }),
  });
}

/** The settings for one memory. */
export const preferenceQuery = (client: SupabaseClient, userId: string, memoryId: string) =>
  queryOptions({
    queryKey: queryKeys.noticePreference(userId, memoryId),
    queryFn: async ({ signal }): Promise<MemoryNoticeSettings> => {
      const data = await client
        .from("notice_preferences")
        .select("mail,push,paused_until")
        .eq("user_id", userId)
        .eq("memory_id", memoryId)
        .abortSignal(signal)
        .maybeSingle()
        .then(unwrap("Failed to load notice settings"));
      return data ?? USUAL;
    },
  });

export function useSavePreference(client: SupabaseClient, userId: string, memoryId: string) {
  const cache = useQueryClient();
  const { queryKey } = preferenceQuery(client, userId, memoryId);
  return useMutation({
    mutationFn: async (change: Partial<MemoryNoticeSettings>) => {
      const row = { user_id: userId, memory_id: memoryId, ...change };
      await client.from("notice_preferences").upsert(row).then(unwrap("Failed to save notice settings"));
    },
    ...optimisticUpdate(cache, {
      queryKey,
      change: (settings: MemoryNoticeSettings, change: Partial<MemoryNoticeSettings>) => ({ ...settings, ...change }),
    }),
  });
}

/** A memory's dates with a reminder. */
export const remindersQuery = (client: SupabaseClient, memoryId: string) =>
  queryOptions({
    queryKey: queryKeys.memoryReminders(memoryId),
    queryFn: async ({ signal }): Promise<Occasion[]> => {
      const data = await client
        .from("memory_reminders")
        .select("occasion")
        .eq("memory_id", memoryId)
        .abortSignal(signal)
        .then(unwrap("Failed to load reminders"));
      return data.map(({ occasion }) => occasion);
    },
  });

export function useSetReminder(client: SupabaseClient, memoryId: string) {
  const cache = useQueryClient();
  const { queryKey } = remindersQuery(client, memoryId);
  return useMutation({
    mutationFn: async ({ occasion, on }: { occasion: Occasion; on: boolean }) => {
      const rows = client.from("memory_reminders");
      const { error } = on
        ? await rows.upsert({ memory_id: memoryId, occasion }, { ignoreDuplicates: true })
        : await rows.delete().eq("memory_id", memoryId).eq("occasion", occasion);
      if (error) throw new Error("Failed to save reminders", { cause: error });
    },
    ...optimisticUpdate(cache, {
      queryKey,
      change: (occasions: Occasion[], { occasion, on }: { occasion: Occasion; on: boolean }) => {
        const others = occasions.filter((other) => other !== occasion);
        return on ? [...others, occasion] : others;
      },
    }),
  });
}
