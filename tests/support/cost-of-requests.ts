import { createClient } from "@supabase/supabase-js";
import WebSocket from "ws";
import { asCaller, type Caller } from "../../server/database/as-caller.ts";
import { openCatalogue } from "../../server/supabase/rest/catalogue.ts";
import { planCall, planTable } from "../../server/supabase/rest/plan.ts";
import { atEnd } from "./at-end.ts";
import { cheapestOf } from "./database.ts";
import type { TestServer } from "./server.ts";

/** A read of `rest/v1`, as the client sent it. */
export interface ReadRequest {
  name: string;
  isCall: boolean;
  pairs: [string, string][];
  range: string | undefined;
}

/** A client whose reads of tables and functions are recorded in `reads`. */
export function watchedClient(server: TestServer, bearer: string) {
  const reads: ReadRequest[] = [];
  const client = createClient(server.url, server.keys.publishable, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: WebSocket as never },
    accessToken: async () => bearer,
    global: {
      fetch: (input, init) => {
        const url = new URL(input instanceof Request ? input.url : input);
        const [, isCall, name] = /\/rest\/v1\/(rpc\/)?(\w+)$/.exec(url.pathname) ?? [];
        if (name && (init?.method ?? "GET") === "GET") {
          const range = new Headers(init?.headers).get("range") ?? undefined;
          reads.push({ name, isCall: isCall !== undefined, pairs: [...url.searchParams], range });
        }
        return fetch(input, init);
      },
    },
  });
  return { client, reads };
}

interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Shared Hit Blocks": number;
  "Shared Read Blocks": number;
  Plans?: PlanNode[];
}

/** Explains reads like the server runs them: touched pages of tables and indexes, and tables read wholly. */
export async function openExplainer({ db }: TestServer, caller: Caller) {
  const catalogue = await openCatalogue(db);
  atEnd(() => catalogue.close());
  return async ({ name, isCall, pairs, range }: ReadRequest) => {
    const asked = { method: "GET", name, pairs, range, body: "" };
    const plan = (isCall ? planCall : planTable)(asked, catalogue.current, { maxRows: 1000 }, {});
    const { text, values } = plan.statement;
    return asCaller(db, caller, (tx) =>
      cheapestOf(async () => {
        const { rows } = await tx.query<{ "QUERY PLAN": [{ Plan: PlanNode }] }>(
          // A statement reads its values from one array, whose type the server states.
          `explain (analyze, buffers, format json) ${text.replaceAll("$1[", "($1::text[])[")}`,
          values.length > 0 ? [values] : [],
        );
        const root = rows[0]?.["QUERY PLAN"][0].Plan;
        if (!root) throw new Error(`No plan for ${text}`);
        return { pages: root["Shared Hit Blocks"] + root["Shared Read Blocks"], wholly: wholly(root) };
      }),
    );
  };
}

/** The tables that are scanned sequentially. */
const wholly = (node: PlanNode): string[] => [
  ...(node["Node Type"] === "Seq Scan" && node["Relation Name"] ? [node["Relation Name"]] : []),
  ...(node.Plans ?? []).flatMap(wholly),
];
