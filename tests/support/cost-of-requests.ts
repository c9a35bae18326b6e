import { asCaller, type Caller } from "../../server/database/as-caller.ts";
import { openCatalogue } from "../../server/supabase/rest/catalogue.ts";
import { planCall, planTable } from "../../server/supabase/rest/plan.ts";
import { readerOf } from "../../server/supabase/rest/readable.ts";
import { atEnd } from "./at-end.ts";
import { cheapestOf } from "./database.ts";
import { recordingClient } from "./recording-client.ts";
import type { TestServer } from "./server.ts";

/** A read of `rest/v1`, as the client sent it. */
export interface ReadRequest {
  method: string;
  name: string;
  isCall: boolean;
  pairs: [string, string][];
  range: string | undefined;
  prefer: string | undefined;
  body: string;
}

/** A client whose reads of tables and calls of functions are recorded in `reads`. */
export function watchedClient(server: TestServer, bearer: string) {
  const reads: ReadRequest[] = [];
  const client = recordingClient(server, bearer, ({ method, url, headers: { range, prefer }, body = "" }) => {
    const [, isCall, name] = /\/rest\/v1\/(rpc\/)?(\w+)$/.exec(url.pathname) ?? [];
    if (name && (isCall || method === "GET" || method === "HEAD"))
      reads.push({ method, name, isCall: isCall !== undefined, pairs: [...url.searchParams], range, prefer, body });
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

/** The cost of a read: touched pages of tables and indexes, its time, objects in the response, and tables that are read wholly. */
export interface Cost {
  pages: number;
  ms: number;
  rows: number;
  wholly: string[];
}

/** Explains reads like the server runs them. */
export async function openExplainer({ db }: TestServer, caller: Caller) {
  const catalogue = await openCatalogue(db);
  atEnd(() => catalogue.close());
  return async ({ isCall, range, prefer, ...request }: ReadRequest): Promise<Cost> => {
    const restRequest = { ...request, ...(range !== undefined && { range }), ...(prefer !== undefined && { prefer }) };
    const limits = { maxRows: 1000, reader: readerOf(caller) };
    const plan = (isCall ? planCall : planTable)(restRequest, catalogue.current, limits, {});
    // A statement reads its values from one array, whose type the server states.
    const text = plan.statement.text.replaceAll("$1[", "($1::text[])[");
    const values = plan.statement.values.length > 0 ? [plan.statement.values] : [];
    return asCaller(db, caller, async (tx) => {
      const { rows: answers } = await tx.query<{ body: string }>(
        `select body from (${text}) as answer (body, page, total)`,
        values,
      );
      return cheapestOf(async () => {
        const { rows } = await tx.query<{ "QUERY PLAN": [{ Plan: PlanNode; "Execution Time": number }] }>(
          `explain (analyze, buffers, format json) ${text}`,
          values,
        );
        const explained = rows[0]?.["QUERY PLAN"][0];
        if (!explained) throw new Error(`No plan for ${text}`);
        const { Plan: root, "Execution Time": ms } = explained;
        const pages = root["Shared Hit Blocks"] + root["Shared Read Blocks"];
        return { pages, ms, rows: rowsIn(JSON.parse(answers[0]?.body || "null")), wholly: wholly(root) };
      });
    });
  };
}

/** The number of objects in a response, embedded ones and other items of lists included. */
const rowsIn = (value: unknown): number => {
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + Math.max(1, rowsIn(one)), 0);
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, one) => sum + rowsIn(one), 1);
};

/** The tables that are scanned sequentially. */
const wholly = (node: PlanNode): string[] => [
  ...(node["Node Type"] === "Seq Scan" && node["Relation Name"] ? [node["Relation Name"]] : []),
  ...(node.Plans ?? []).flatMap(wholly),
];
