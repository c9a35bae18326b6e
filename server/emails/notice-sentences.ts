import type { NoticeKind } from "../../shared/notice.ts";
import type { Language } from "./language.ts";

type Sentences = Record<NoticeKind, (who: string, count: number) => string>;

const english: Sentences = {
  comment: (who) => `${who} wrote a comment`,
  answer: (who) => `${who} replied in a conversation with you`,
  mention: (who) => `${who} mentioned you`,
  added: (who, count) =>
    count === 1 ? `${who} added a photo, video or recording` : `${who} added ${count} photos, videos and recordings`,
  story: (who) => `${who} added a story`,
  held: (_, count) =>
    count === 1
      ? "Something new is waiting for your approval"
      : `${count} photos, stories or comments are waiting for your approval`,
  accepted: (who) => `${who} accepted the invitation`,
  declined: (who) => `${who} declined the invitation`,
  offered: (who) => `${who} would like you to become the owner of this memory`,
  "offer-declined": (who) => `${who} declined to become the owner of this memory`,
  revealed: () => "Everything that guests added is now visible",
  "taken-over": (who) => `${who} is now the owner of this memory`,
  "request-done": (who) => `${who} did what you asked about a picture`,
  "request-declined": (who) => `${who} declined what you asked about a picture`,
  locked: () => "A link is locked for a while: its PIN was entered wrongly several times. Nobody got in.",
  "storage-75": () => "More than 75% of your storage is used",
  "storage-90": () => "More than 90% of your storage is used",
  "storage-full": () => "Your storage is full. Everything in it is safe.",
  "file-lost": (_, count) =>
    count === 1
      ? "The original of a photo, video or recording is damaged and could not be restored"
      : `The originals of ${count} photos, videos and recordings are damaged and could not be restored`,
  birthday: (_, count) => (count === 1 ? "A birthday today" : `A birthday today: ${count} years`),
  passing: (_, count) =>
    count === 1 ? "The first anniversary of the passing is today" : `${count} years today since the passing`,
  event: (_, count) => (count === 1 ? "One year ago today" : `${count} years ago today`),
};

const italian: Sentences = {
  comment: (who) => `${who} ha scritto un commento`,
  answer: (who) => `${who} ha risposto in una conversazione con te`,
  mention: (who) => `${who} ti ha menzionato`,
  added: (who, count) =>
    count === 1
      ? `${who} ha aggiunto una foto, un video o una registrazione`
      : `${who} ha aggiunto ${count} foto, video e registrazioni`,
  story: (who) => `${who} ha raccontato una storia`,
  held: (_, count) =>
    count === 1
      ? "Qualcosa di nuovo aspetta la tua approvazione"
      : `${count} tra foto, storie e commenti aspettano la tua approvazione`,
  accepted: (who) => `${who} ha accettato l’invito`,
  declined: (who) => `${who} ha rifiutato l’invito`,
  offered: (who) => `${who} vorrebbe affidarti la proprietà di questo ricordo`,
  "offer-declined": (who) => `${who} non ha accettato la proprietà di questo ricordo`,
  revealed: () => "Tutto quello che gli ospiti hanno aggiunto ora è visibile",
  "taken-over": (who) => `Ora questo ricordo appartiene a ${who}`,
  "request-done": (who) => `${who} ha fatto quello che avevi chiesto per un’immagine`,
  "request-declined": (who) => `${who} non ha accettato la tua richiesta per un’immagine`,
  locked: () => "Un link è bloccato per un po’: il PIN è stato sbagliato più volte. Non è entrato nessuno.",
  "storage-75": () => "Hai usato più del 75% del tuo spazio",
  "storage-90": () => "Hai usato più del 90% del tuo spazio",
  "storage-full": () => "Il tuo spazio è pieno. Tutto ciò che contiene è al sicuro.",
  "file-lost": (_, count) =>
    count === 1
      ? "L’originale di una foto, di un video o di una registrazione è danneggiato e non è stato possibile recuperarlo"
      : `Gli originali di ${count} foto, video e registrazioni sono danneggiati e non è stato possibile recuperarli`,
  birthday: (_, count) => (count === 1 ? "Oggi è un compleanno" : `Oggi è un compleanno, ${count} anni dopo`),
  passing: (_, count) =>
    count === 1 ? "Oggi è passato un anno dalla scomparsa" : `Oggi sono passati ${count} anni dalla scomparsa`,
  event: (_, count) => (count === 1 ? "Un anno fa, oggi" : `${count} anni fa, oggi`),
};

const LANGUAGES: Record<Language, { sentences: Sentences; someone: string }> = {
  en: { sentences: english, someone: "Someone" },
  it: { sentences: italian, someone: "Qualcuno" },
};

/** Formats a notice as a sentence without its memory's name. `who` is the acting person, or empty if unknown. */
export function noticeSentence(language: Language, kind: NoticeKind, who: string, count: number): string {
  const { sentences, someone } = LANGUAGES[language];
  return sentences[kind](who || someone, count);
}
