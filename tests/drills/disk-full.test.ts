import { rm } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { drillLoad } from "../support/drill-load.ts";
import { signUp } from "../support/people.ts";
import { clientsOf } from "../support/server-process.ts";
import { newMemory } from "../support/sharing.ts";
import { canMount, serverOnSmallDisk } from "../support/small-disk.ts";

// On other machines, the tests of `service-failures.test.ts` fill a device instead.
test.runIf(canMount())(
  "on a full disk requests are refused with the reason, nothing acknowledged is lost, and all works once the disk has space",
  async () => {
    const { url, child, dataDir, filler, fill } = await serverOnSmallDisk({ REQUEST_BUDGET: "1000000" });
    const clients = await clientsOf(dataDir);
    const ada = await signUp({ client: (bearer) => clients.client(url, bearer as string | undefined) }, "Ada");
    const memoryId = (await newMemory(ada.client, { person_name: "Nonna Rosa" })).id;
    const site = { url, publishableKey: clients.publishableKey, token: ada.token, memoryId };
    const { drill, expectNothingLost } = drillLoad(site, () => child.exitCode === null);

    const lines = await drill("disk full", async () => {
      // Space that the server frees is filled again at once.
      for (let times = 0; times < 20; times += 1) {
        await fill();
        await delay(400);
      }
      await rm(filler);
    });
    expect(lines).toContainEqual(expect.stringMatching(/^507 /));
    await expectNothingLost(clients.client(url, ada.token));
  },
  480_000,
);
