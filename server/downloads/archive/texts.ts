import { elideDays } from "../../../shared/italian-days.ts";

const en = {
  locale: "en-GB",
  suffix: "archive",
  born: (day: string) => `Born ${day}`,
  died: (day: string) => `Died ${day}`,
  photos: "Photos, videos, recordings and papers",
  undated: "No date",
  stories: "Stories",
  timeline: "Life story",
  programme: "Programme",
  by: (name: string) => `By ${name}`,
  conversation: "Comments",
  someone: "Someone",
  deleted: "This comment was deleted.",
  aboutPhoto: "About a photo",
  photo: "Photo",
  video: "Video",
  recording: "Recording",
  paper: "Paper",
  page: (number: number) => `Page ${number}`,
  memories: (count: number) => (count === 1 ? "1 memory" : `${count} memories`),
  items: (photos: number, videos: number, recordings: number, papers: number) =>
    [
      photos > 0 && (photos === 1 ? "1 photo" : `${photos} photos`),
      videos > 0 && (videos === 1 ? "1 video" : `${videos} videos`),
      recordings > 0 && (recordings === 1 ? "1 recording" : `${recordings} recordings`),
      papers > 0 && (papers === 1 ? "1 paper" : `${papers} papers`),
    ]
      .filter(Boolean)
      .join(", "),
  back: "All memories",
  skip: "Skip to content",
  close: "Close",
  previous: "Previous",
  next: "Next",
  openFile: "Open the file",
  playLive: "Play",
  otherSide: "Back of the print",
  noMovie: "This video opens in a separate player:",
  kept: (day: string) => `Saved on ${day}. Everything you see is in this folder; nothing is loaded from the internet.`,
};

export type ArchiveTexts = typeof en;

const it: ArchiveTexts = {
  locale: "it-IT",
  suffix: "archivio",
  born: (day) => `Nascita: ${day}`,
  died: (day) => `Scomparsa: ${day}`,
  photos: "Foto, video, registrazioni e documenti",
  undated: "Senza data",
  stories: "Storie",
  timeline: "Una vita",
  programme: "Programma",
  by: (name) => `Di ${name}`,
  conversation: "Commenti",
  someone: "Qualcuno",
  deleted: "Questo commento è stato eliminato.",
  aboutPhoto: "Su una foto",
  photo: "Foto",
  video: "Video",
  recording: "Registrazione",
  paper: "Documento",
  page: (number) => `Pagina ${number}`,
  memories: (count) => (count === 1 ? "1 ricordo" : `${count} ricordi`),
  items: (photos, videos, recordings, papers) =>
    [
      photos > 0 && `${photos} foto`,
      videos > 0 && `${videos} video`,
      recordings > 0 && (recordings === 1 ? "1 registrazione" : `${recordings} registrazioni`),
      papers > 0 && (papers === 1 ? "1 documento" : `${papers} documenti`),
    ]
      .filter(Boolean)
      .join(", "),
  back: "Tutti i ricordi",
  skip: "Vai al contenuto",
  close: "Chiudi",
  previous: "Precedente",
  next: "Successiva",
  openFile: "Apri il file",
  playLive: "Riproduci",
  otherSide: "Retro della stampa",
  noMovie: "Questo video si apre in un lettore a parte:",
  kept: (day) =>
    elideDays(`Salvato il ${day}. Tutto ciò che vedi si trova in questa cartella: nulla viene caricato da internet.`),
};

/** The texts of an archive's pages by language. */
export const archiveTexts: Record<"en" | "it", ArchiveTexts> = { en, it };
