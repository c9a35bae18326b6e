import { describe, expect, test } from "vitest";
import type { EmailName, EmailProps } from "./email-props.ts";
import { renderEmail } from "./render.tsx";
import { smsText } from "./sms-texts.ts";

const once = {
  url: "https://skies.example/auth/v1/verify?token=0123456789abcdef&type=signup",
  code: "123456",
  minutes: 60,
};
const notice = { at: "2026-03-09T08:05:00Z", profileUrl: "https://skies.example/profile" };
const examples: EmailProps = {
  "confirm-address": { name: "Ada", ...once },
  welcome: { name: "Ada", startUrl: "https://skies.example/memory/new" },
  "magic-link": once,
  recovery: once,
  "email-change-current": { newAddress: "ada@new.example", ...once },
  "email-change-new": { newAddress: "ada@new.example", ...once },
  reauthentication: { code: "123456", minutes: 10 },
  "new-sign-in": { device: "Firefox on Windows", ...notice },
  "password-changed": notice,
  "factor-added": { factor: "totp", ...notice },
  "factor-removed": { factor: "phone", ...notice },
  "guest-receipt": {
    name: "Gina",
    timeZone: "Europe/Rome",
    files: [
      { id: "1", name: "IMG_2041.jpg", at: "2026-03-09T13:05:00Z", memory: "Nonna Ada" },
      { id: "2", name: "the lake.mp4", at: "2026-03-09T13:06:00Z", memory: "Nonna Ada" },
    ],
    url: "https://skies.example/shared/abc#guest=0123456789abcdef0123456789abcdef",
    until: "2026-06-01T21:59:59Z",
  },
  "day-reminder": {
    kind: "closing",
    name: "Gina",
    memory: "Nonna Ada",
    parts: [
      { title: "Service", place: "San Zeno", day: "2026-05-09", time: "14:00:00", timeZone: "Europe/Rome" },
      { title: "Dinner", place: "", day: "2026-05-09", time: null, timeZone: "Europe/Rome" },
    ],
    closes: { at: "2026-05-01T18:00:00Z", timeZone: "Europe/Rome" },
    url: "https://skies.example/shared/abc#guest=0123456789abcdef0123456789abcdef",
  },
  notices: {
    cadence: "daily",
    memories: [
      {
        name: "Nonna Rosa",
        url: "https://skies.example/memory/1",
        lines: [
          {
            kind: "comment",
            actor: "Gina",
            count: 1,
            excerpt: "Do you remember the boat?",
            url: "https://skies.example/memory/1#comment-1",
          },
          {
            kind: "answer",
            actor: "Paolo",
            count: 1,
            excerpt: "I still have the key.",
            url: "https://skies.example/memory/1?photo=2",
          },
          {
            kind: "mention",
            actor: "Gina",
            count: 1,
            excerpt: "Ada, you took it.",
            url: "https://skies.example/memory/1#comment-3",
          },
          { kind: "added", actor: "", count: 12, url: "https://skies.example/memory/1?photo=4" },
          {
            kind: "story",
            actor: "Paolo",
            count: 1,
            excerpt: "The winter of 1956",
            url: "https://skies.example/memory/1",
          },
        ],
        more: 3,
      },
      {
        name: "The wedding",
        url: "https://skies.example/memory/2",
        lines: [
          { kind: "held", actor: "", count: 1, url: "https://skies.example/memory/2" },
          { kind: "accepted", actor: "gina@example.com", count: 1, url: "https://skies.example/memory/2" },
          { kind: "declined", actor: "Paolo", count: 1, url: "https://skies.example/memory/2" },
          { kind: "offered", actor: "Ada", count: 1, url: "https://skies.example/memory/2" },
          { kind: "offer-declined", actor: "Paolo", count: 1, url: "https://skies.example/memory/2" },
          { kind: "revealed", actor: "", count: 1, url: "https://skies.example/memory/2" },
          { kind: "taken-over", actor: "Gina", count: 1, url: "https://skies.example/memory/2" },
        ],
        more: 0,
      },
    ],
    settingsUrl: "https://skies.example/profile#notices",
  },
  reminder: {
    occasion: "passing",
    name: "Nonna Rosa",
    years: 5,
    passed: true,
    url: "https://skies.example/memory/1",
    settingsUrl: "https://skies.example/profile#notices",
  },
  "link-locked": { name: "Nonna Rosa", label: "For the cousins", url: "https://skies.example/memory/1" },
  "storage-warning": { percent: 75, url: "https://skies.example/dashboard" },
  "file-lost": { name: "Nonna Rosa", files: 1, url: "https://skies.example/memory/1?photo=4" },
  receipt: {
    number: "SK-2026-000123",
    paidAt: "2026-03-09T08:05:00Z",
    currency: "GBP",
    lines: [
      { name: "Skies Memories", years: 1, quantity: 1, amount: 4500 },
      { name: "Metal card", years: null, quantity: 10, amount: 25000 },
    ],
    subtotal: 29_500,
    discount: 3763,
    tax: 4290,
    total: 25_737,
    voucher: "SPRING",
    ordersUrl: "https://skies.example/orders",
  },
  "order-refunded": {
    number: "SK-2026-000123",
    currency: "GBP",
    amount: 4500,
    remains: 0,
    plan: true,
    cards: true,
    orderUrl: "https://skies.example/orders/1",
  },
  "order-disputed": {
    number: "SK-2026-000123",
    currency: "EUR",
    total: 12_000,
    paidAt: "2026-03-08T08:05:00Z",
    orderUrl: "https://skies.example/orders/1",
  },
  "payment-failed": {
    number: "SK-2026-000123",
    currency: "GBP",
    total: 18_000,
    cartUrl: "https://skies.example/cart",
  },
  "plan-ending": {
    plan: "Skies Memories",
    endsAt: "2026-12-20T23:30:00Z",
    days: 30,
    url: "https://skies.example/subscribe",
  },
  "cards-engraved": { number: "SK-2026-000123", cards: 3, cardsUrl: "https://skies.example/cards" },
  "cards-sent": {
    number: "SK-2026-000123",
    cards: 1,
    cardsUrl: "https://skies.example/cards",
    carrier: "Royal Mail",
    trackingNumber: "AB123456789GB",
    trackingUrl: "https://www.royalmail.com/track-your-item#/AB123456789GB",
  },
  "content-reported": {
    decision: "ask",
    item: "media",
    memory: "Nonna Rosa",
    reason: "private",
    words: "Could you speak with your cousin?",
    url: "https://skies.example/memory/1",
  },
  note: {
    subject: "Come and see our photos",
    html: '<p>We made a page for <strong>Nonna</strong>. <a href="https://skies.example/shared/abc">Have a look</a>.</p>',
    from: "ada@example.com",
    site: "https://skies.example",
  },
};
const names = Object.keys(examples) as EmailName[];

const footers = { en: "simply reply to this email", it: "basta rispondere a questa email" };
const around = { unsubscribeUrl: "https://skies.example/unsubscribe?token=abc.def", picture: "picture" };

describe.each(["en", "it"] as const)("in %s", (language) => {
  test.each(names)(
    "%s has the same content in both parts, loads nothing external, and has light and dark colours",
    async (name) => {
      const { subject, html, text } = await renderEmail(name, language, examples[name], around);
      expect(subject).toMatch(/^\P{Cc}+$/u);
      expect(html).toContain(`<html dir="ltr" lang="${language}">`);
      expect(html).toContain(`<title>${subject}</title>`);
      expect(html).toMatch(/<meta name="color-scheme" content="light dark"/);
      expect(html).toContain("@media (prefers-color-scheme: dark)");
      expect(html.match(/<h1/g)).toHaveLength(1);
      expect(html.match(/class="button"/g)?.length ?? 0).toBeLessThanOrEqual(1);
      // The picture is attached, because mail programs ask before they load remote pictures.
      expect(html.match(/src="[^"]*"/g)).toEqual(['src="cid:picture"']);
      expect(html).not.toMatch(/url\(|@import|@font-face|<link|<script/);
      const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, url = ""]) => url.replaceAll("&amp;", "&"));
      expect(links).toContain(around.unsubscribeUrl);
      const plain = text.replaceAll(/\s+/g, " ");
      for (const url of links) expect(text).toContain(url);
      // The reason for the email, and its cause.
      expect(plain).toMatch(
        language === "en" ? /You receive this email|This message was sent/ : /Ricevi questa email|Questo messaggio/,
      );
      expect(plain).toContain(footers[language]);
      // A line that begins with ">" is a quotation.
      expect(text).not.toMatch(/<|[^\n]>|cid:|&\w+;|\b(undefined|null)\b|\[object/);
      expect(text.split("\n").every((line) => line.length <= 78 || line.includes("https://"))).toBe(true);
    },
  );
});

const WRITTEN = ["name", "memory", "actor", "excerpt", "words", "title", "place", "label"];

/** The same properties with all words that people wrote in Hebrew. */
const inHebrew = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value), (key, one) =>
    WRITTEN.includes(key) && one !== "" ? "שרה כהן" : key === "html" ? "<p>שרה כהן</p><ul><li>שרה כהן</li></ul>" : one,
  );

// A receipt has names of products only.
const withWords = names.filter((name) => name !== "receipt");

test.each(withWords.flatMap((name) => (["en", "it"] as const).map((language) => [name, language] as const)))(
  "%s keeps the order of its sentences around words that are written from right to left (%s)",
  async (name, language) => {
    const { html } = await renderEmail(name, language, inHebrew(examples[name]), around);
    const body = html.slice(html.indexOf("<main"));
    // Alone in an element that has their direction, or isolated from the sentence.
    const rest = body
      .replaceAll(/<(p|ul|blockquote)(?=[^>]* dir="auto")[^>]*>.*?<\/\1>/gs, "")
      .replaceAll(/\u2068[^\u2069]*\u2069/g, "");
    expect(rest.match(/.{0,80}שרה.{0,80}/su)).toBeNull();
  },
);

test("a person is shown by their picture, or by their initials", async () => {
  const [memory] = examples.notices.memories;
  const lines = memory?.lines.slice(0, 2).map((line, index) => (index === 0 ? { ...line, face: "gina" } : line)) ?? [];
  const props = {
    ...examples.notices,
    memories: [{ name: "Nonna Rosa", url: "https://skies.example", lines, more: 0 }],
  };
  const { html, text } = await renderEmail("notices", "en", props, around);
  expect(html.match(/src="[^"]*"/g)).toEqual(['src="cid:picture"', 'src="cid:gina"']);
  expect(html.match(/aria-hidden[^>]*>\s*P</g)).toHaveLength(1);
  expect(text).not.toMatch(/cid:/);
});

test("an email matches its snapshot", async () => {
  const { html, text } = await renderEmail("note", "en", examples.note, around);
  expect(html.replaceAll("><", ">\n<")).toMatchSnapshot("html");
  expect(text).toMatchSnapshot("text");
});

test("an invitation has one large button to the memory, the sender's quoted message, and both ways to open it", async () => {
  const { html, text } = await renderEmail("note", "it", {
    subject: "Ada ti ha invitato",
    html: '<p>Ada ti ha invitato.</p><blockquote><p>Vieni &amp; guarda.</p></blockquote><p><a href="https://skies.example/shared/abc#invitation=0">Apri</a></p><p><a href="https://skies.example/register?email=b%40x.example">Crea un account</a></p>',
    from: "ada@example.com",
    site: "https://skies.example",
  });
  expect(html).toMatch(
    /<a[^>]*class="button"[^>]*href="https:\/\/skies.example\/shared\/abc#invitation=0"|href="https:\/\/skies.example\/shared\/abc#invitation=0"[^>]*class="button"/,
  );
  expect(html).toMatch(
    /<blockquote dir="auto" class="quote" style="[^"]*border-left[^"]*"><p dir="auto" style="margin:0">Vieni &amp; guarda\.<\/p>/,
  );
  expect(html).toMatch(/<a class="link"[^>]*href="https:\/\/skies.example\/register\?email=b%40x.example"/);
  expect(text).toContain("Vieni & guarda.");
  expect(text.replaceAll(/\s+/g, " ")).toContain(
    "Ricevi questa email perché ada@example.com te l’ha inviata tramite Skies.",
  );
});

test("Spec §1: the welcome states 1 GB of dedicated storage", async () => {
  expect((await renderEmail("welcome", "en", examples.welcome)).text).toContain("1 GB of dedicated storage");
  expect((await renderEmail("welcome", "it", examples.welcome)).text).toContain("1 GB di spazio dedicato");
});

test("an email without a name still has a greeting", async () => {
  const { text } = await renderEmail("welcome", "en", { ...examples.welcome, name: "" });
  expect(text.startsWith("Welcome\n")).toBe(true);
});

test("typed text is escaped", async () => {
  const { html } = await renderEmail("new-sign-in", "en", {
    ...examples["new-sign-in"],
    device: "<script>alert(1)</script>",
  });
  expect(html).not.toContain("<script");
});

test.each(["en", "it"] as const)("a text message in %s fits into one part", (language) => {
  const text = smsText("phone-code", language, { code: "123456", minutes: 10 });
  expect(text).toContain("123456");
  expect(text.length).toBeLessThanOrEqual(160);
});

test.each([
  ["en", "Unsubscribe"],
  ["it", "Annulla l’iscrizione"],
] as const)("an email with an unsubscribe link shows it in the footer of both parts (%s)", async (language, texts) => {
  const url = "https://skies.example/unsubscribe?token=abc.def";
  const { html, text } = await renderEmail("note", language, examples.note, { unsubscribeUrl: url });
  expect(html).toContain(`href="${url}"`);
  for (const part of [html, text]) expect(part).toContain(texts);
  expect(text).toContain(url);
  expect((await renderEmail("note", language, examples.note)).html).not.toContain("unsubscribe");
});

test.each([
  ["birthday", 90, true, "would have turned 90", "avrebbe compiuto 90 anni"],
  ["birthday", 1, false, "Perhaps there is a photo", "Forse c’è una foto"],
  ["passing", 1, true, "one year today since", "è passato un anno"],
  ["event", 25, false, "25 years ago today", "25 anni fa"],
] as const)("the reminder of a %s after %i years has its text", async (occasion, years, passed, en, it) => {
  const props = { ...examples.reminder, occasion, years, passed };
  const read = async (language: "en" | "it") =>
    (await renderEmail("reminder", language, props)).text.replaceAll(/\s+/g, " ");
  expect(await read("en")).toContain(en);
  expect(await read("it")).toContain(it);
});

test.each([
  ["instantly", "Something new in your memories", "Una novità nei tuoi ricordi"],
  ["weekly", "New in your memories this week", "Le novità della settimana nei tuoi ricordi"],
] as const)("a notice email sent %s says so, and its subject names no person", async (cadence, en, it) => {
  const props = { ...examples.notices, cadence };
  expect((await renderEmail("notices", "en", props)).subject).toBe(en);
  expect((await renderEmail("notices", "it", props)).subject).toBe(it);
});

test.each([
  ["en", 1, "the original of a photo, video or recording can no longer be read"],
  ["en", 3, "the originals of 3 photos, videos and recordings can no longer be read"],
  ["it", 1, "l’originale di una foto, di un video o di una registrazione non si legge più"],
  ["it", 3, "gli originali di 3 foto, video e registrazioni non si leggono più"],
] as const)("the email about lost files has its number (%s, %i)", async (language, files, phrase) => {
  const { text } = await renderEmail("file-lost", language, { ...examples["file-lost"], files });
  expect(text.replaceAll(/\s+/g, " ")).toContain(phrase);
});

test.each([90, 100] as const)("the storage email at %i percent states that percentage", async (percent) => {
  const { text } = await renderEmail("storage-warning", "en", { ...examples["storage-warning"], percent });
  expect(text).toContain(percent === 100 ? "Nothing more can be added for now" : "More than 90%");
});

test.each([
  ["en", "£15.00", "the total after the refund is £30.00", "What you bought stays yours."],
  ["it", "£15.00", "ne restano pagati £30.00", "Quello che hai acquistato resta tuo."],
] as const)("a partial refund ends no plan and no card (%s)", async (language, back, remains, stays) => {
  const props = { ...examples["order-refunded"], amount: 1500, remains: 3000 };
  const text = (await renderEmail("order-refunded", language, props)).text.replaceAll(/\s+/g, " ");
  for (const phrase of [back, remains, stays]) expect(text).toContain(phrase);
  expect(text).not.toMatch(/has ended|è finito|will not be made|non verranno fatte/);
});

test.each([
  [
    "en",
    "Your account has been deleted.",
    /What you bought stays yours|has ended|See the order|skies\.example\/orders/,
  ],
  ["it", "Il tuo account è stato eliminato.", /resta tuo|è finito|Vedi l’ordine|skies\.example\/orders/],
] as const)(
  "a refund after the account was deleted says so, and links to no order (%s)",
  async (language, says, not) => {
    for (const remains of [0, 3000]) {
      const props = { ...examples["order-refunded"], amount: 1500, remains, accountDeleted: true };
      const text = (await renderEmail("order-refunded", language, props)).text.replaceAll(/\s+/g, " ");
      expect(text).toContain(says);
      expect(text).not.toMatch(not);
    }
  },
);
