import { italianMemories } from "./italian-memories.ts";
import { looks } from "./people.ts";
import { LONG, type SeedMemory, type SeedPerson, TALL, WIDE } from "./seed-memory.ts";

const arthur: SeedMemory = {
  kind: "tribute",
  person_name: "Arthur Bellwood",
  birth_date: "1938-04-12",
  passing_date: "2024-02-03",
  pin: "2468",
  card: "1938 – 2024",
  description: `<p>Dad was a postman for thirty-one years, and I think he knew every dog between here and the river by name. He
was up before any of us, and home by the time we came out of school, so ours was the house where everyone's friends ended up.</p>
<p>He walked all his life: first because the round asked it of him, then because he could not imagine a Sunday without a hill
in it. He was never quick. He stopped for gates, for larks, for anybody who looked as if they might like a word.</p>
<blockquote><p>There's no bad weather up there. There's only not having brought your soup.</p></blockquote>
<p>These are the places he took us. If you were there too, you will know which flask he was carrying.</p>`,
  photos: [
    {
      fileName: "the-tops-in-june.jpg",
      seed: 11,
      hour: "golden",
      place: "hills",
      ...LONG,
      people: [{ ...looks.ARTHUR, x: 1.42, y: 0.4, size: 0.4, turn: -0.4 }],
      takenAt: "2019-06-22 20:41",
      cover: { x: 0.8, y: 0.12 },
    },
    { fileName: "early-start.jpg", seed: 12, hour: "dawn", place: "mountains", ...WIDE, takenAt: "2019-06-23 05:12" },
    {
      fileName: "by-the-tarn.jpg",
      seed: 13,
      hour: "morning",
      place: "lake",
      ...WIDE,
      people: [
        { ...looks.ARTHUR, x: 0.55, y: 0.42, size: 0.34, turn: 0.5 },
        { ...looks.EDIE, x: 0.96, y: 0.6, size: 0.27, turn: -0.4 },
      ],
      takenAt: "2019-06-23 08:30",
    },
    { fileName: "last-of-the-light.jpg", seed: 14, hour: "dusk", place: "hills", ...TALL, takenAt: "2021-10-03 18:36" },
    { fileName: "larches.jpg", seed: 15, hour: "golden", place: "wood", ...WIDE, takenAt: "2021-10-03 17:20" },
    {
      fileName: "his-meadow.jpg",
      seed: 16,
      hour: "noon",
      place: "meadow",
      ...WIDE,
      people: [
        { ...looks.RUTH, x: 0.62, y: 0.46, size: 0.3, turn: 0.3 },
        { ...looks.ARTHUR, x: 1, y: 0.42, size: 0.34, turn: -0.5 },
      ],
      takenAt: "2022-05-29 13:02",
    },
    { fileName: "night-walk.jpg", seed: 17, hour: "night", place: "mountains", ...WIDE, takenAt: "2022-12-30 22:15" },
  ],
};

const anniversary: SeedMemory = {
  kind: "event",
  person_name: "Forty years of Ruth and Daniel",
  event_date: "2026-07-11",
  pin: "2468",
  description: `<p>Forty years married, and one long weekend by the water with all of you. Thank you for coming so far, and for
pretending the tent was dry.</p><p>Here is where we were, for those who could not be.</p>`,
  photos: [
    {
      fileName: "friday-arrivals.jpg",
      seed: 21,
      hour: "golden",
      place: "lake",
      ...WIDE,
      people: [
        { ...looks.DANIEL, x: 0.6, y: 0.42, size: 0.32, turn: 0.5 },
        { ...looks.RUTH, x: 0.98, y: 0.48, size: 0.3, turn: -0.5 },
      ],
      takenAt: "2026-07-10 20:58",
    },
    { fileName: "saturday-swim.jpg", seed: 22, hour: "morning", place: "sea", ...WIDE, takenAt: "2026-07-11 07:45" },
    {
      fileName: "the-field.jpg",
      seed: 23,
      hour: "noon",
      place: "meadow",
      ...LONG,
      people: [
        { ...looks.DANIEL, x: 1.05, y: 0.42, size: 0.33, turn: 0.3 },
        { ...looks.GIULIA, x: 1.72, y: 0.48, size: 0.29, turn: -0.5 },
        { ...looks.RUTH, x: 1.4, y: 0.47, size: 0.31, turn: -0.2 },
      ],
      takenAt: "2026-07-11 12:31",
      cover: { x: 0.91, y: 0.2 },
    },
    { fileName: "after-the-speeches.jpg", seed: 24, hour: "dusk", place: "sea", ...WIDE, takenAt: "2026-07-11 21:40" },
    { fileName: "walking-back.jpg", seed: 25, hour: "night", place: "lake", ...TALL, takenAt: "2026-07-12 00:20" },
  ],
};

const grace: SeedMemory = {
  kind: "tribute",
  person_name: "Grace Adeyemi",
  birth_date: "1946-08-19",
  passing_date: "2023-11-05",
  pin: "2468",
  description: `<p>Auntie Grace taught the whole street to swim. She stood at the shallow end in her good coat, held out one
hand, and said she was not going anywhere.</p><p>She came for two years as a nurse and stayed for fifty. On her days off she
took the bus to the sea, whatever the weather, and she always came back with a stone for somebody.</p><blockquote><p>Cold is
only the first minute.</p></blockquote><p>Please add the ones you have. I know there are more of you.</p>`,
  photos: [
    {
      fileName: "first-of-may.jpg",
      seed: 41,
      hour: "morning",
      place: "sea",
      ...LONG,
      people: [{ ...looks.GRACE, x: 1.42, y: 0.42, size: 0.38, turn: -0.4 }],
      takenAt: "2016-05-01 09:20",
      cover: { x: 0.8, y: 0.14 },
    },
    {
      fileName: "with-joseph.jpg",
      seed: 42,
      hour: "golden",
      place: "lake",
      ...WIDE,
      people: [
        { ...looks.JOSEPH, x: 0.56, y: 0.46, size: 0.32, turn: 0.5 },
        { ...looks.GRACE, x: 0.98, y: 0.5, size: 0.3, turn: -0.4 },
      ],
      takenAt: "2018-08-19 18:40",
    },
    { fileName: "the-long-beach.jpg", seed: 43, hour: "dusk", place: "sea", ...WIDE, takenAt: "2019-09-08 19:31" },
    { fileName: "allotment.jpg", seed: 44, hour: "noon", place: "meadow", ...WIDE, takenAt: "2020-06-14 12:12" },
  ],
};

export const family: SeedPerson[] = [
  {
    fullName: "Ruth Bellwood",
    email: "ruth@demo.example",
    plan: "skies-memories",
    memories: [arthur, anniversary, grace],
  },
  { fullName: "Giulia Marchetti", email: "giulia@demo.example", plan: "skies-memories", memories: italianMemories },
];

/** The password of all accounts in the demonstration. */
export const PASSWORD = "skies-demo";
