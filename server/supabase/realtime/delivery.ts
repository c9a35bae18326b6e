import type { Caller } from "../../database/as-caller.ts";
import type { Database } from "../../database/database.ts";
import { columnRoles } from "../column-roles.ts";
import { type Audience, visibleTo } from "./audience.ts";
import { type Binding, mayFilter } from "./bindings.ts";
import { type Catalogue, readable, type WatchedTable } from "./catalogue.ts";
import type { Change } from "./feed.ts";
import { matches } from "./matches.ts";
import { Written } from "./messages.ts";
import type { Filter } from "./parse-filter.ts";

/** The receiver of changes for one joined channel. */
export interface Listener {
  audience: Audience;
  bindings: Binding[];
  /** Receives payloads of `postgres_changes` in order. Each has the ids of its bindings and the {@link ChangeData}. */
  hear(payloads: Written[]): void;
  /** Called when changes could not be read for it. Its client has to join again, and then reads all. */
  lose(): void;
}

interface ChangeData {
  schema: string;
  table: string;
  commit_timestamp: string;
  type: Change["type"];
  columns: { name: string; type: string }[];
  record?: Record<string, unknown>;
  old_record?: Record<string, unknown>;
  errors: null;
}

/** Changes per listener from which listeners are served one by one. Below, they take turns, so that none waits long. */
const BURST = 8;

interface Deps {
  db: Database;
  catalogue: Catalogue;
  listeners: Iterable<Listener>;
  failed(error: unknown): void;
}

/** Sends every listener the changes that it requested and may see, in the order of the changes. */
export async function deliver({ db, catalogue, listeners, failed }: Deps, changes: Change[]): Promise<void> {
  const audiences = new Map<string, { caller: Caller; listeners: Listener[] }>();
  for (const listener of listeners) {
    const { key, caller } = listener.audience;
    const audience = audiences.get(key) ?? { caller, listeners: [] };
    audience.listeners.push(listener);
    audiences.set(key, audience);
  }
  const watched = await matchedTables(
    db,
    catalogue,
    [...audiences.values()].flatMap((audience) => audience.listeners),
    changes,
  );
  for (const audience of audiences.values()) {
    try {
      await notify(db, audience, watched);
    } catch (error) {
      // A failure concerns one audience only, e.g. a policy that does not accept its claims, or a busy database that
      // exceeds the time limit of its role. The catalogue is read again, because a newer process may have altered a table.
      catalogue.invalidate();
      failed(error);
      for (const listener of audience.listeners) listener.lose();
    }
  }
}

/** Resolves to the ids of the listener's bindings that these changes concern, of those that it may see. */
export async function concernedBindings(
  { db, catalogue }: Pick<Deps, "db" | "catalogue">,
  { audience: { caller }, bindings }: Listener,
  changes: Change[],
): Promise<Set<number>> {
  const ids = new Set<number>();
  for (const each of await matchedTables(db, catalogue, [{ bindings }], changes)) {
    const own = bindings.filter(
      (binding) => concerns(binding, each.table) && mayFilter(binding, each.table, columnRoles(caller)),
    );
    const relevant = each.changes.filter((change) => own.some((binding) => wants(binding, change, each)));
    if (relevant.length === 0) continue;
    const visibleRows = await visibleTo(db, caller, each.table, relevant);
    for (const change of relevant) {
      if (visibleRows.get(change.id) === undefined) continue;
      for (const binding of own) if (wants(binding, change, each)) ids.add(binding.id);
    }
  }
  return ids;
}

/** A table's changes in this batch, and those that match each filter. */
interface WatchedChanges {
  table: WatchedTable;
  changes: Change[];
  matched: Map<string, Set<number>>;
}

const concerns = ({ schema, table }: Binding, watched: WatchedTable) =>
  (schema === "*" || schema === watched.schema) && (!table || table === watched.name);

const wants = (binding: Binding, change: Change, { matched }: WatchedChanges) =>
  (binding.event === "*" || binding.event === change.type) &&
  (binding.filter.conditions.length === 0 || matched.get(binding.filter.key)?.has(change.id) === true);

async function matchedTables(
  db: Database,
  catalogue: Catalogue,
  listeners: Pick<Listener, "bindings">[],
  changes: Change[],
) {
  const watched: WatchedChanges[] = [];
  for (const table of await catalogue.tables()) {
    const own = changes.filter((change) => change.schema === table.schema && change.table === table.name);
    const bindings = own.length > 0 ? listeners.flatMap((l) => l.bindings.filter((b) => concerns(b, table))) : [];
    if (bindings.length === 0) continue;
    const filters = new Map<string, Filter>();
    for (const { filter } of bindings) if (filter.conditions.length > 0) filters.set(filter.key, filter);
    const matched = filters.size > 0 ? await matches(db, table, [...filters.values()], own) : new Map();
    watched.push({ table, changes: own, matched });
  }
  return watched;
}

async function notify(db: Database, audience: { caller: Caller; listeners: Listener[] }, watched: WatchedChanges[]) {
  const deliveries: { change: Change; listener: Listener; payload: Written }[] = [];
  for (const each of watched) {
    const wishes = audience.listeners.map((listener) => ({
      listener,
      // The matches of a filter on a column that the caller may not read would reveal the column's values.
      bindings: listener.bindings.filter(
        (binding) => concerns(binding, each.table) && mayFilter(binding, each.table, columnRoles(audience.caller)),
      ),
    }));
    const relevant = each.changes.filter((change) =>
      wishes.some(({ bindings }) => bindings.some((binding) => wants(binding, change, each))),
    );
    if (relevant.length === 0) continue;
    const visibleRows = await visibleTo(db, audience.caller, each.table, relevant);
    for (const change of relevant) {
      const record = visibleRows.get(change.id);
      if (record === undefined) continue;
      // Serialised once for all listeners: a thousand open pages get the same text.
      const data = JSON.stringify(dataOf(change, each.table, record, audience.caller));
      for (const { listener, bindings } of wishes) {
        const ids = bindings.filter((binding) => wants(binding, change, each)).map(({ id }) => id);
        if (ids.length === 0) continue;
        deliveries.push({ change, listener, payload: new Written(`{"ids":${JSON.stringify(ids)},"data":${data}}`) });
      }
    }
  }
  deliveries.sort((a, b) => a.change.id - b.change.id);
  if (deliveries.length < BURST * audience.listeners.length) {
    for (const { listener, payload } of deliveries) listener.hear([payload]);
    return;
  }
  const mail = new Map<Listener, Written[]>();
  for (const { listener, payload } of deliveries) {
    const own = mail.get(listener);
    if (own) own.push(payload);
    else mail.set(listener, [payload]);
  }
  for (const [listener, payloads] of mail) listener.hear(payloads);
}

function dataOf(
  change: Change,
  table: WatchedTable,
  record: Record<string, unknown> | null,
  caller: Caller,
): ChangeData {
  const columns = readable(table, columnRoles(caller)).map(({ name, type }) => ({ name, type }));
  return {
    schema: change.schema,
    table: change.table,
    commit_timestamp: change.at.toISOString(),
    type: change.type,
    columns,
    ...(record ? { record } : {}),
    ...(change.type === "INSERT" ? {} : { old_record: change.key }),
    errors: null,
  };
}
