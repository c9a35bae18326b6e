import { looks } from "./people.ts";
import { LONG, type SeedMemory, TALL, WIDE } from "./seed-memory.ts";

const teresa: SeedMemory = {
  kind: "tribute",
  person_name: "Teresa Marchetti",
  birth_date: "1941-09-30",
  passing_date: "2025-03-18",
  pin: "2468",
  description: `<p>La nonna apriva le finestre prima di accendere la luce. Diceva che la giornata entra da sola, basta non
lasciarla fuori.</p><p>Ha insegnato a leggere a mezzo paese, e all'altra metà ha insegnato a impastare. Teneva i quaderni dei
suoi alunni in una cassapanca, divisi per anno, e ricordava la calligrafia di ciascuno.</p><p>Queste sono le sue colline, viste
dalla strada di casa, nelle ore che amava di più.</p>`,
  photos: [
    {
      fileName: "dalla-strada-di-casa.jpg",
      seed: 31,
      hour: "dawn",
      place: "hills",
      ...LONG,
      people: [{ ...looks.TERESA, x: 1.42, y: 0.42, size: 0.38, turn: -0.4 }],
      takenAt: "2018-04-08 06:44",
      cover: { x: 0.8, y: 0.14 },
    },
    {
      fileName: "il-bosco-dei-funghi.jpg",
      seed: 32,
      hour: "morning",
      place: "wood",
      ...WIDE,
      takenAt: "2018-10-14 09:10",
    },
    {
      fileName: "domenica-al-lago.jpg",
      seed: 33,
      hour: "noon",
      place: "lake",
      ...WIDE,
      people: [
        { ...looks.TERESA, x: 0.58, y: 0.44, size: 0.32, turn: 0.5 },
        { ...looks.GIULIA, x: 0.98, y: 0.56, size: 0.28, turn: -0.4 },
      ],
      takenAt: "2020-08-16 12:05",
    },
    {
      fileName: "sera-di-vendemmia.jpg",
      seed: 34,
      hour: "golden",
      place: "hills",
      ...WIDE,
      takenAt: "2020-09-20 18:50",
    },
    {
      fileName: "il-mare-una-volta-l-anno.jpg",
      seed: 35,
      hour: "dusk",
      place: "sea",
      ...TALL,
      takenAt: "2023-07-02 21:08",
    },
  ],
};

const nozze: SeedMemory = {
  kind: "event",
  person_name: "Chiara e Matteo sposi",
  event_date: "2026-06-20",
  pin: "2468",
  description: `<p>Un prato, ottanta sedie prestate e nessuna nuvola fino alle nove di sera. Grazie a chi è venuto, a chi ha
cucinato e a chi ha ballato per ultimo.</p><p>Qui ci sono le foto di tutti: aggiungete le vostre.</p>`,
  photos: [
    {
      fileName: "gli-sposi.jpg",
      seed: 51,
      hour: "noon",
      place: "meadow",
      ...LONG,
      people: [
        { ...looks.MATTEO, x: 1.16, y: 0.42, size: 0.34, turn: 0.4 },
        { ...looks.CHIARA, x: 1.58, y: 0.46, size: 0.32, turn: -0.4 },
      ],
      takenAt: "2026-06-20 12:20",
      cover: { x: 0.86, y: 0.2 },
    },
    {
      fileName: "con-la-testimone.jpg",
      seed: 52,
      hour: "golden",
      place: "hills",
      ...WIDE,
      people: [
        { ...looks.CHIARA, x: 0.56, y: 0.46, size: 0.31, turn: 0.4 },
        { ...looks.GIULIA, x: 0.98, y: 0.48, size: 0.3, turn: -0.4 },
      ],
      takenAt: "2026-06-20 19:10",
    },
    { fileName: "la-sera-prima.jpg", seed: 53, hour: "dusk", place: "lake", ...WIDE, takenAt: "2026-06-19 21:05" },
    { fileName: "ultimo-ballo.jpg", seed: 54, hour: "night", place: "wood", ...WIDE, takenAt: "2026-06-21 00:50" },
    { fileName: "il-mattino-dopo.jpg", seed: 55, hour: "dawn", place: "hills", ...TALL, takenAt: "2026-06-21 06:02" },
  ],
};

const renato: SeedMemory = {
  kind: "tribute",
  person_name: "Renato Fabbri",
  birth_date: "1936-02-11",
  passing_date: "2022-10-09",
  pin: "2468",
  description: `<p>Il nonno usciva in barca alle quattro e alle nove era già in piazza, con le mani che sapevano di sale e di
mandarino. Diceva che il mare non si guarda: si ascolta.</p><p>Riparava le reti di tutti e non voleva essere pagato. Accettava
un caffè, e una storia che non avesse già sentito.</p><blockquote><p>Il vento cambia. Basta aspettare dalla parte giusta.</p></blockquote>
<p>Se avete una sua foto, mettetela qui.</p>`,
  photos: [
    {
      fileName: "al-molo.jpg",
      seed: 61,
      hour: "morning",
      place: "sea",
      ...LONG,
      people: [{ ...looks.RENATO, x: 1.42, y: 0.42, size: 0.38, turn: -0.4 }],
      takenAt: "2014-07-06 09:15",
      cover: { x: 0.8, y: 0.14 },
    },
    {
      fileName: "con-matteo.jpg",
      seed: 62,
      hour: "golden",
      place: "sea",
      ...WIDE,
      people: [
        { ...looks.RENATO, x: 0.56, y: 0.44, size: 0.33, turn: 0.5 },
        { ...looks.MATTEO, x: 0.98, y: 0.48, size: 0.31, turn: -0.4 },
      ],
      takenAt: "2017-08-15 19:48",
    },
    { fileName: "prima-di-partire.jpg", seed: 63, hour: "dawn", place: "sea", ...WIDE, takenAt: "2018-05-02 05:10" },
    { fileName: "il-lago-d-inverno.jpg", seed: 64, hour: "noon", place: "lake", ...WIDE, takenAt: "2019-12-08 13:00" },
  ],
};

export const italianMemories = [teresa, nozze, renato];
