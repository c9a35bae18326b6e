import type { MemoryRights } from "../../data/memories.queries.ts";

/** What the memory's page hands to whatever tells of its people. */
export interface PeopleContext {
  memory: { id: string; person_name: string; description: string };
  rights: MemoryRights;
}
