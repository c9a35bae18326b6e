import { beforeAll, expect, test } from "vitest";
import { allAnswers, answersWith, type Samples, samplesOf } from "../support/all-answers.ts";
import { testDatabase } from "../support/database.ts";
import { makeWorld, type World } from "../support/world.ts";

const db = await testDatabase();
let world: World;
let samples: Samples;
beforeAll(async () => {
  world = await makeWorld(db);
  const { memoryId, linkId, openLinkId, objectId, commentId, invitationId, albumId, cardId, people } = world;
  const ids = [memoryId, linkId, openLinkId, objectId, commentId, invitationId, albumId, cardId, people.viewer];
  samples = samplesOf(ids, objectId);
});

test("holders of a link learn the account id of nobody, from any table, column or function", async () => {
  const ids = Object.values(world.callers).flatMap(({ sub }) => sub ?? []);
  for (const who of ["nobody", "visitor", "superseded", "guest"] as const) {
    expect([who, answersWith(await allAnswers(db, world.callers[who], samples), ids)]).toEqual([who, []]);
  }
});
