import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCluster } from "./cluster.ts";
import { interleave, judge } from "./measure.ts";
import { makeOwner } from "./media/owner.ts";
import { asChild, type Child, root, TSX } from "./processes.ts";
import type { Order, Outcome } from "./realtime/viewers-process.ts";

const VIEWERS = 1000;
const ROUNDS = 7;
const BURST = 20;
/** Visitors who opened the link at different times have different tokens. */
const TOKENS = 10;

/** Comments sent to a thousand open pages, compared with a bare broadcast of the same bytes. */
export async function bench() {
  for (const processes of [1, 3]) await broadcasts(processes);
}

async function broadcasts(processes: number) {
  const folder = await mkdtemp(join(tmpdir(), "skies-bench-"));
  console.log(
    `\nRealtime: ${VIEWERS} viewers of ${processes === 1 ? "one process" : `${processes} processes`} beside a bare broadcast, medians of interleaved rounds`,
  );
  const children: Child[] = [];
  const started = <One extends Child>(child: One): One => {
    children.push(child);
    return child;
  };
  try {
    const cluster = await startCluster(folder, processes);
    children.push({ pid: 0, end: cluster.end });
    const product = { url: cluster.url };
    const floor = started(await startFloor());
    const [atProduct, atFloor] = [started(startViewers()), started(startViewers())];
    const owner = await makeOwner(product.url, folder);
    const say = (times: number) => ({
      url: `${product.url}/rest/v1/comments`,
      headers: { ...owner.headers, "content-type": "application/json", prefer: "return=minimal" },
      body: JSON.stringify(Array.from({ length: times }, () => ({ memory_id: owner.memoryId, body: WORDS }))),
    });
    await atProduct.ask({
      do: "connect",
      url: `${product.url.replace("http", "ws")}/realtime/v1/websocket?apikey=${owner.publishableKey}&vsn=2.0.0`,
      viewers: VIEWERS,
      joins: (await visitors(product.url, owner)).map((token) => joinOf(token, owner.memoryId)),
      joined: "Subscribed to PostgreSQL",
    });
    await atFloor.ask({ do: "connect", url: floor.url.replace("http", "ws"), viewers: VIEWERS });
    const hear = (times: number) => ({ do: "hear" as const, each: times, mark: WORDS });
    const { message } = await atProduct.ask({ ...hear(1), ...say(1) });
    const broadcast = (times: number) => ({ url: floor.url, headers: { "x-times": `${times}` }, body: message });
    const measured = async (times: number) =>
      interleave(
        {
          floor: async () => (await atFloor.ask({ ...hear(times), ...broadcast(times) })).ms,
          product: async () => (await atProduct.ask({ ...hear(times), ...say(times) })).ms,
        },
        ROUNDS,
      );
    judge("one comment to the last viewer", await measured(1), 1 / 3);
    judge(`messages a second, ${BURST} comments at once`, await measured(BURST), 0.3);
  } finally {
    await Promise.all(children.map((child) => child.end()));
    await rm(folder, { recursive: true, force: true });
  }
}

const WORDS = `We still sing her songs at table. ${randomUUID()}`;

const joinOf = (token: string, memoryId: string) =>
  JSON.stringify([
    "1",
    "1",
    `realtime:comments:${memoryId}`,
    "phx_join",
    {
      access_token: token,
      config: {
        // Like a page: comments and their authors.
        postgres_changes: ["comments", "comment_credits"].map((table) => ({
          event: "*",
          schema: "public",
          table,
          filter: `memory_id=eq.${memoryId}`,
        })),
      },
    },
  ]);

/** Tokens of the memory's visitors. */
async function visitors(url: string, { client, memoryId }: Awaited<ReturnType<typeof makeOwner>>): Promise<string[]> {
  const { data } = await client.from("memories").select("share_id").eq("id", memoryId).single().throwOnError();
  await client.from("memories").update({ draft: false }).eq("id", memoryId).throwOnError();
  await client.from("share_links").update({ shared_at: "now" }).eq("memory_id", memoryId).throwOnError();
  return Promise.all(
    Array.from({ length: TOKENS }, async () => {
      const reply = await fetch(`${url}/functions/v1/open-share`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ shareId: data.share_id }),
      });
      const { token } = (await reply.json()) as { token?: string };
      if (!token) throw new Error(`The link did not open: ${reply.status}`);
      return token;
    }),
  );
}

async function startFloor() {
  const child = fork(join(root, "bench/realtime/floor-process.ts"), { execArgv: TSX });
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  return { ...asChild(child), url: `http://127.0.0.1:${port}` };
}

function startViewers() {
  const child = fork(join(root, "bench/realtime/viewers-process.ts"), { execArgv: TSX });
  const ask = async (order: Order): Promise<Outcome> => {
    const answered = once(child, "message");
    child.send(order);
    const [outcome] = (await answered) as [Outcome];
    if (outcome.wrong) throw new Error(outcome.wrong);
    return outcome;
  };
  return { ...asChild(child), ask };
}
