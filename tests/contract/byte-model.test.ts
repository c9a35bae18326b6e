import { test } from "vitest";
import { byteModel, SEED } from "../support/byte-model.ts";
import { sized } from "../support/long-tests.ts";
import { testServer } from "../support/server.ts";
import { ownerOf } from "../support/sharing.ts";

// Requests fail while the database is lost, as they should.
const quietly = { LOG_LEVEL: "silent" };
const server = await testServer(quietly);
const second = await testServer(quietly, server);

test(
  "whatever is killed or deleted in between, an acknowledged upload stays readable, and nothing unnamed stays for more than a day",
  async () => {
    const runSchedules = await byteModel([server, second], await ownerOf(server, "Nonna Rosa"));
    await runSchedules(sized(90, 1400), SEED);
  },
  sized(900_000, 7_200_000),
);
