import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { MemoryContext } from "../data/memory-context.ts";
import {
  type MediaName,
  mediaNamesQuery,
  type PersonEntry,
  picturedPeopleQuery,
  usePicturedLive,
} from "../data/pictured.queries.ts";
import { picturedPeople } from "../data/pictured.ts";

const NO_ENTRIES: PersonEntry[] = [];
const NO_NAMES: MediaName[] = [];

/** The people in a memory's photos, live. */
export function usePictured({ client, memory }: Pick<MemoryContext, "client" | "memory">) {
  const { i18n } = useTranslation("common");
  const { data: entries = NO_ENTRIES } = useQuery(picturedPeopleQuery(client, memory.id));
  const { data: names = NO_NAMES } = useQuery(mediaNamesQuery(client, memory.id));
  usePicturedLive(client, memory.id);
  return useMemo(() => picturedPeople(entries, names, i18n.language), [entries, names, i18n.language]);
}
